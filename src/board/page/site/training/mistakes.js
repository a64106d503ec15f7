// The mistakes of all reviewed games: how many there are, what is got wrong most, and training
// them.

import { openDialog } from '../app/dialogs.js';
import { allow, button, counted, make, relabel } from '../app/elements.js';
import { sentence } from '../app/sentence.js';
import { BOARDS } from '../board/boards.js';
import { train } from './schedule.js';
import { openTrainer } from './trainer.js';

const PHASES = { opening: 'opening', middlegame: 'middle game', endgame: 'endgame' };

/** Adds up the shares whose keys have the same word (`wordOf`), in the order of `words`. */
function grouped(shares, words, wordOf) {
    const groups = new Map(words.map((word) => [word, { mistakes: 0, moves: 0 }]));
    for (const [key, { mistakes, moves }] of Object.entries(shares)) {
        const group = groups.get(wordOf(key));
        if (!group) continue;
        group.mistakes += mistakes;
        group.moves += moves;
    }
    return [...groups].filter(([, { moves }]) => moves > 0);
}

const rate = ({ mistakes, moves }) => (100 * mistakes) / moves;

/** A bar for each thing: how many of a hundred moves are mistakes. */
function bars(title, rows, longest) {
    const drawn = rows.map(([name, share]) => {
        const bar = make('span', { class: 'habit-bar' });
        bar.style.width = `${(100 * rate(share)) / longest}%`;
        bar.hidden = share.mistakes === 0;
        return make('tr', {},
            make('th', { scope: 'row' }, name),
            make('td', { class: 'habit-share', 'aria-hidden': 'true' }, bar),
            make('td', { class: 'habit-count' }, `${share.mistakes} in ${counted(share.moves, 'move')}`));
    });
    return make('table', { class: 'habits' }, make('caption', {}, title), make('tbody', {}, ...drawn));
}

/** What is got wrong most in a game: by phase, by piece, and by the point that it went to. */
function habitsOf(game, habits) {
    const { title, pieces, kinds, points } = BOARDS[game];
    const kindOf = new Map(points.map(({ name, kind }) => [name, kinds[kind]]));
    const groups = [
        ['Phase', grouped(habits.phases, Object.values(PHASES), (key) => PHASES[key])],
        ['Piece', grouped(habits.pieces, Object.values(pieces), (key) => pieces[key] ?? pieces.m)],
        ['Onto', grouped(habits.points, [...new Set(Object.values(kinds))], (key) => kindOf.get(key))],
    ].filter(([, rows]) => rows.length > 1);
    const longest = Math.max(1, ...groups.flatMap(([, rows]) => rows.map(([, share]) => rate(share))));
    return make('section', { 'aria-label': `Mistakes in ${title}` },
        make('h3', {}, `${title}: mistakes in a hundred moves`),
        ...groups.map(([name, rows]) => bars(name, rows, longest)));
}

/** Shows the mistakes of all games, and trains them. */
export function openMistakes(store, connection, remember) {
    let overview = null;
    const told = make('p', { role: 'status', class: 'mistakes-told' }, 'Looking through the reviews…');
    const others = make('input', { type: 'checkbox', id: 'mistakes-others', checked: Boolean(store.preferences.mistakesOfOthers) });
    const othersText = make('span', {}, 'Also both sides of games that were not played here');
    const start = button('Train them', () => {
        close();
        openTrainer(store, connection, others.checked ? 'Mistakes' : 'Your mistakes', {
            want: () => ({ kind: 'mistakes', others: others.checked }),
            nothing: ['Done', 'There is none left today. Those that were trained come again on other days.'],
        });
    }, { class: 'primary', id: 'train-mistakes', icon: 'learn' });
    allow(start, 'The reviews are still being read.');
    const picture = make('div', { class: 'habits-of-games' });
    const ask = () => train(connection, 'overview', { others: others.checked });
    others.addEventListener('change', () => {
        remember({ mistakesOfOthers: others.checked });
        ask();
    });
    const show = () => {
        const { mistakes, fresh, left, fault } = overview;
        const games = Object.values(overview.habits).reduce((sum, { games: count }) => sum + count, 0);
        const due = overview.due.mistakes;
        told.textContent = fault ? sentence(fault) : (left > 0
            ? `Looking through ${counted(left, 'review')} more…`
            : mistakes === 0
                ? 'There are none yet: play a game, and review it when it is over.'
                : `${counted(mistakes, 'mistake')} in ${counted(games, 'reviewed game')}: ${fresh.toLocaleString()} not trained yet, ${due.toLocaleString()} due today.`);
        const none = mistakes === 0 ? 'There are no mistakes to train yet.' : 'All are trained. They come again on other days.';
        allow(start, left > 0 ? 'The reviews are still being read.' : fresh + due > 0 ? '' : none);
        relabel(start, fresh + due > 0 ? `Train them (${(fresh + due).toLocaleString()})` : 'Train them');
        picture.replaceChildren(...Object.entries(overview.habits).map(([game, habits]) => habitsOf(game, habits)));
    };
    const hear = ({ detail: said }) => {
        if (said.say === 'hello') ask();
        if (said.say !== 'training') return;
        overview = said;
        show();
        if (said.left > 0) ask();
    };
    connection.addEventListener('say', hear);
    const { close } = openDialog('Your mistakes', [
        told,
        make('label', { class: 'check' }, others, othersText),
        make('div', { class: 'actions' }, start),
        picture,
    ], { onclose: () => connection.removeEventListener('say', hear) });
    start.focus();
    ask();
}
