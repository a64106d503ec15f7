// Which puzzles are posed: of a game, a theme and a difficulty.

import { make } from '../app/elements.js';
import { BOARDS } from '../board/boards.js';
import { titleOf } from './puzzles.js';
import { openTrainer } from './trainer.js';

const DIFFICULTIES = { fitting: 'Fits you', easy: 'Easy', medium: 'Medium', hard: 'Hard' };

const share = ({ all, solved }) => `${solved.toLocaleString()} of ${all.toLocaleString()}`;

/** Poses puzzles of the games that have any. */
export function openPuzzles(store, connection, remember, games) {
    const chosen = { game: games[0], theme: null, difficulty: 'fitting', ...store.preferences.puzzleChoice };
    if (!games.includes(chosen.game)) Object.assign(chosen, { game: games[0], theme: null });
    const choose = (changes) => {
        Object.assign(chosen, changes);
        remember({ puzzleChoice: { ...chosen } });
        trainer.next();
        count();
    };
    const game = make('select', {
        'aria-label': 'Game', id: 'puzzle-game', onchange: () => choose({ game: game.value, theme: null }),
    }, ...games.map((name) => make('option', { value: name, selected: name === chosen.game }, BOARDS[name].title)));
    game.hidden = games.length < 2;
    const theme = make('select', {
        'aria-label': 'Theme', id: 'puzzle-theme', onchange: () => choose({ theme: theme.value || null }),
    }, make('option', { value: '' }, 'Any theme'));
    const difficulty = make('select', {
        'aria-label': 'Difficulty', id: 'puzzle-difficulty', onchange: () => choose({ difficulty: difficulty.value }),
    }, ...Object.entries(DIFFICULTIES).map(([name, title]) => make('option', { value: name, selected: name === chosen.difficulty }, title)));
    const count = () => connection.send({ do: 'train', what: 'puzzles', game: chosen.game });
    const fill = (counts) => {
        if (counts.game !== chosen.game) return;
        const themes = Object.entries(counts.themes).map(([name, found]) => [name, titleOf(name), found]);
        themes.sort(([, a], [, b]) => a.localeCompare(b, 'en', { numeric: true }));
        // The sets of another version may have had others.
        if (chosen.theme !== null && !counts.themes[chosen.theme]) choose({ theme: null });
        theme.replaceChildren(
            make('option', { value: '' }, `Any theme (${share(counts)})`),
            ...themes.map(([name, title, found]) => make('option', {
                value: name, selected: name === chosen.theme,
            }, `${title} (${share(found)})`)));
        difficulty.options[0].textContent = `${DIFFICULTIES.fitting} (${Math.round(counts.level)})`;
    };
    const trainer = openTrainer(store, connection, 'Puzzles', {
        want: () => ({ kind: 'puzzles', game: chosen.game, theme: chosen.theme, difficulty: chosen.difficulty }),
        nothing: ['No such puzzle', 'Choose another theme or difficulty.'],
        counts: false,
        above: [make('div', { class: 'actions exercise-choice' }, game, difficulty, theme)],
        onhear: (said) => {
            if (said.say === 'puzzles') fill(said);
            else if (said.say === 'hello' || said.say === 'graded') count();
        },
    });
    count();
}
