// A streak: puzzles that grow harder, and the first wrong move ends it.

import { button, make } from '../app/elements.js';
import { BOARDS } from '../board/boards.js';
import { openTrainer } from './trainer.js';

/** The longest streak in a game, as it is kept with the preferences. */
const bestOf = (store, game) => store.preferences.streaks?.[game] ?? 0;

/** The longest streaks, in words. */
export function streaksInWords(store) {
    const best = Object.keys(BOARDS).map((name) => bestOf(store, name));
    return Math.max(...best) > 0 ? `your best: ${Math.max(...best)}` : 'harder with each one, until the first wrong move';
}

/** Poses a streak of a game that has puzzles. */
export function openStreak(store, connection, remember, games) {
    let game = games.includes(store.preferences.game) ? store.preferences.game : games[0];
    let done = 0;
    const told = make('p', { class: 'streak', role: 'status' });
    const tell = (text) => {
        const best = bestOf(store, game);
        told.textContent = `${text}${best > 0 ? ` Your best: ${best}.` : ''}`;
    };
    const begin = () => {
        done = 0;
        trainer.next();
    };
    const chosen = make('select', {
        'aria-label': 'Game', id: 'streak-game',
        onchange: () => {
            game = chosen.value;
            begin();
        },
    }, ...games.map((name) => make('option', { value: name, selected: name === game }, BOARDS[name].title)));
    const trainer = openTrainer(store, connection, 'Puzzle streak', {
        want: () => {
            tell(`${done} solved in a row.`);
            return { kind: 'streak', game, done };
        },
        nothing: ['The end', 'You have solved the whole streak, to the hardest puzzle.'],
        counts: false,
        above: [make('div', { class: 'actions exercise-choice' }, chosen), told],
        onsolved: () => {
            done += 1;
            if (done > bestOf(store, game)) remember({ streaks: { ...store.preferences.streaks, [game]: done } });
            tell(`${done} solved in a row.`);
        },
        onfailed: () => {
            tell(`The streak is over: ${done} solved.`);
            done = 0;
            const again = button('New streak', begin, { class: 'primary', id: 'streak-again' });
            trainer.exercise.setActions([again], again);
        },
    });
}
