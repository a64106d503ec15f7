// The panels beside the board. Where there is room, the moves and the engine's lines always
// stand there and one of the others below them; on a phone one at a time, and the last moves.

import { button, byId } from './elements.js';

/** Panels by their names, with their titles. */
const PANELS = { moves: 'Moves', engine: 'Engine', review: 'Review', openings: 'Explorer', notes: 'Notes' };
/** Those that stand beside the board wherever there is room. */
const STANDING = ['moves', 'engine'];
/** Screens that have room for one panel only, as in `layout.css`. */
const SMALL = window.matchMedia('(max-width: 860px), (orientation: landscape) and (max-height: 500px)');

/** Whether panels have to share the room for one. */
const isSmall = () => SMALL.matches;

/**
 * Shows the panels by their tabs; `remember` keeps which one was chosen. Returns
 * `show`, and `toggle`, which goes back to the moves if that panel is shown already.
 */
export function arrangePanels(store, remember) {
    const tabs = new Map(Object.entries(PANELS).map(([name, title]) => [name, button(title, () => choose(name), {
        id: name === 'openings' ? 'openings-toggle' : `tab-${name}`,
        icon: name, role: 'tab', 'aria-controls': `panel-${name}`,
    })]));
    byId('tabs').append(...tabs.values());
    const hasMoves = () => store.mainLine.length > 1;
    const chosen = () => {
        const { panel } = store.preferences;
        const name = PANELS[panel] ? panel : 'moves';
        const wanted = !isSmall() && STANDING.includes(name) ? 'review' : name;
        // Without moves there is nothing to review.
        return wanted !== 'review' || hasMoves() ? wanted : isSmall() ? 'moves' : 'openings';
    };
    const show = () => {
        // Friends play or look on, and do no more.
        const playing = store.playing || store.seat !== null;
        const small = isSmall();
        const now = playing ? 'moves' : chosen();
        document.body.dataset.panel = now;
        document.body.classList.toggle('playing', playing);
        document.body.classList.toggle('no-moves', !hasMoves());
        byId('tabs').hidden = playing || !store.state;
        for (const [name, tab] of tabs) {
            const stands = name === 'moves' || !small && STANDING.includes(name);
            const panel = byId(`panel-${name}`);
            panel.hidden = !(name === now || stands && (name === 'moves' || !playing));
            tab.hidden = !small && STANDING.includes(name) || name === 'review' && !hasMoves();
            panel.setAttribute('role', tab.hidden || playing ? 'group' : 'tabpanel');
            panel.setAttribute('aria-label', PANELS[name]);
            tab.setAttribute('aria-selected', String(name === now));
            tab.tabIndex = name === now ? 0 : -1;
        }
        store.change('panel', { panel: now });
    };
    const choose = (name) => {
        if (store.playing || store.seat) return;
        remember({ panel: name });
        show();
    };
    byId('tabs').addEventListener('keydown', (event) => {
        const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!way) return;
        event.preventDefault();
        const names = [...tabs.keys()].filter((name) => !tabs.get(name).hidden);
        const next = names[(names.indexOf(chosen()) + way + names.length) % names.length];
        choose(next);
        tabs.get(next).focus();
    });
    // Someone who makes moves in the explorer stays there.
    byId('panel-openings').addEventListener('click', () => choose('openings'));
    // Opens the panel of what comes next: where only one has room, the engine's lines when an
    // analysis begins; everywhere the review when a game ends.
    let before = { analysing: false, playing: false };
    store.addEventListener('state', () => {
        const { playing, state: { analysing, play } } = store;
        const { analysing: wasAnalysing, playing: wasPlaying } = before;
        before = { analysing, playing };
        if (analysing && !wasAnalysing && isSmall()) choose('engine');
        else if (wasPlaying && play?.result && play.result !== '*') choose('review');
    });
    for (const event of ['state', 'preferences', 'hello']) store.addEventListener(event, show);
    SMALL.addEventListener('change', show);
    show();
    return {
        show: choose,
        toggle: (name) => choose(chosen() === name ? 'moves' : name),
    };
}
