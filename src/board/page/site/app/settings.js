// What the user prefers: how the page looks, and what an analysis may use.

import { check, choice, field, number, openDialog } from './dialogs.js';
import { make } from './elements.js';

/** Asks for preferences; every change takes effect at once. */
export function askSettings(store, remember) {
    const { preferences, hello } = store;
    const theme = choice('theme', [['system', 'as the system'], ['light', 'light'], ['dark', 'dark']], preferences.theme);
    const board = choice('board', [['theme', 'as the theme'], ['wood', 'wood'], ['slate', 'slate'], ['meadow', 'meadow'], ['night', 'night']], preferences.board);
    const pieces = choice('pieces', [['figures', 'figures'], ['plain', 'plain figures'], ['letters', 'letters']], preferences.pieces);
    const coordinates = choice('coordinates', [['edge', 'at the edge'], ['inside', 'inside the board'], ['none', 'none']], preferences.coordinates);
    const speed = choice('animation', [[0, 'off'], [120, 'quick'], [200, 'normal'], [450, 'slow']], preferences.animation);
    const arrows = check('arrows', 'Arrows for the lines of an analysis', preferences.arrows);
    const rules = check('rules', 'The rule of a piece that is picked up or clicked', preferences.rules);
    const bar = check('bar', 'Evaluation bar', preferences.bar);
    const ponder = check('ponder', 'The engine thinks on your time, at full strength', preferences.ponder);
    const lines = number('lines', preferences.lines, 1, 10);
    const threads = number('threads', preferences.threads || Math.max(1, Math.floor((hello?.threads ?? 2) / 2)), 1, hello?.threads ?? 1);
    const hash = number('hash', preferences.hash, 1, hello?.hash ?? 1024);
    const form = make('form', {
        onsubmit: (event) => event.preventDefault(),
        onchange: () => {
            if (!form.reportValidity()) return;
            remember({
                theme: theme.value,
                board: board.value,
                pieces: pieces.value,
                coordinates: coordinates.value,
                animation: Number(speed.value),
                arrows: arrows.firstChild.checked,
                bar: bar.firstChild.checked,
                rules: rules.firstChild.checked,
                ponder: ponder.firstChild.checked,
                lines: Number(lines.value),
                threads: Number(threads.value),
                hash: Number(hash.value),
            });
        },
    },
        make('fieldset', {}, make('legend', {}, 'Looks'),
            field('Theme', theme), field('Board', board), field('Pieces', pieces), field('Coordinates', coordinates), field('Animation', speed), rules),
        !store.hasBackground ? null : make('fieldset', {}, make('legend', {}, 'Play'), ponder),
        make('fieldset', {}, make('legend', {}, 'Analysis'),
            field('Lines', lines), field('Threads', threads), field('Hash table (MB)', hash), bar, arrows),
    );
    openDialog('Settings', [form]);
}

const DARK = window.matchMedia('(prefers-color-scheme: dark)');

/** The look of boards: a theme has one of its own. */
export function boardLook({ theme, board }) {
    if (board !== 'theme') return board;
    return theme === 'dark' || theme !== 'light' && DARK.matches ? 'night' : 'wood';
}

/** Lets the page look as is preferred, also when the system turns dark. */
export function showLooks(store, boardHost) {
    const show = () => {
        const { theme, pieces } = store.preferences;
        document.documentElement.dataset.pieces = pieces;
        if (theme === 'system') delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
        boardHost.dataset.board = boardLook(store.preferences);
    };
    store.addEventListener('preferences', show);
    DARK.addEventListener('change', show);
    show();
}
