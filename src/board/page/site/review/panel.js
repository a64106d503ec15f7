// The review of the game: begun and stopped, and what it says of the players. What
// it says of each move stands in the list of moves and in the graph.

import { allow, button, byId, isolated, isolatedText, make, message, relabel, saveFile } from '../app/elements.js';
import { nameOf } from '../app/names.js';
import { ReviewNotes } from './notes.js';
import { showWalk } from './walk.js';

/** Milliseconds for each move. */
const TIMES = [[100, 'quick'], [300, 'normal'], [1000, 'thorough']];

const PHASES = [['game', 'Accuracy'], ['opening', 'Opening'], ['middlegame', 'Middle'], ['endgame', 'End']];
const MARKS = [['inaccuracies', '?!', 'Inaccuracies'], ['mistakes', '?', 'Mistakes'], ['blunders', '??', 'Blunders']];

/**
 * Shows the review in its place, and keeps `store.review` (notes, or nothing) and
 * `store.reviewing` (moves done and in all) up to date: event `review`. Returns the actions
 * for the keys.
 */
export function showReview(store, connection, { remember, learn }) {
    const box = byId('review');
    let shownGame = null;
    let waited = false;

    connection.addEventListener('say', ({ detail: said }) => {
        if (said.say === 'review') {
            const notes = said.kept ? new ReviewNotes(said.kept) : null;
            notes?.fit(store.mainLine);
            if (notes && waited) message('The game has been reviewed.');
            store.change('review', { review: notes });
        } else if (said.say === 'hello') {
            // A new session has begun no review: what it tells was found before.
            waited = false;
            store.change('review', { reviewing: null });
        } else if (said.say === 'reviewing') {
            // A user who has waited is told of the end.
            waited = store.reviewing !== null;
            store.change('review', { reviewing: said.progress });
        }
    });
    store.addEventListener('tree', () => store.review?.fit(store.mainLine));
    store.addEventListener('state', () => {
        if (store.state.id !== shownGame) {
            shownGame = store.state.id;
            waited = false;
            store.change('review', { review: null, reviewing: null });
        }
    });

    const time = make('select', {
        'aria-label': 'How thoroughly to review',
        onchange: () => remember({ reviewTime: Number(time.value) }),
    });
    for (const [value, text] of TIMES) time.append(make('option', { value }, text));
    const begin = button('Review the game', () => {
        connection.send({ do: 'review', what: 'begin', time: Number(time.value) });
    }, { id: 'begin-review', icon: 'review' });
    const stop = button('Stop', () => connection.send({ do: 'review', what: 'stop' }), { id: 'stop-review', icon: 'stop' });
    const progress = make('progress', { 'aria-label': 'Moves reviewed' });
    const done = make('span', { class: 'review-done' });
    const save = button('Annotated PGN', () => saveFile(`${store.state.game}-annotated.pgn`, store.review.pgn), { id: 'annotated-pgn', icon: 'save', title: 'The game with the review as comments, as a file' });
    const start = make('div', { class: 'actions' }, begin, time, save);
    const running = make('div', { class: 'actions', role: 'group', 'aria-label': 'Review in progress' }, progress, done, stop);
    const walked = make('div', { class: 'review-result' });
    const stations = make('div');
    const result = make('div', { class: 'review-result' });
    const panel = make('section', { class: 'review-panel', 'aria-label': 'Review' }, walked, result, start, running, stations);

    const draw = () => {
        const held = document.activeElement;
        const { review, reviewing } = store;
        const wanted = store.state && !store.playing && store.mainLine.length > 1;
        if (!wanted) box.replaceChildren();
        else if (!box.firstChild) box.append(panel);
        if (!wanted) return;
        time.value = String(store.preferences.reviewTime ?? 300);
        start.hidden = Boolean(reviewing);
        running.hidden = !reviewing;
        save.hidden = !review;
        relabel(begin, review ? 'Review again' : 'Review the game');
        begin.className = review ? '' : 'primary';
        if (reviewing) {
            [progress.value, progress.max] = reviewing;
            done.textContent = `${reviewing[0]} of ${reviewing[1]} moves`;
        }
        // A button that is gone leaves the focus to the one in its place.
        if (held === begin && start.hidden) stop.focus();
        if (held === stop && running.hidden) begin.focus();
    };
    const drawResult = () => {
        const { review } = store;
        result.hidden = !review;
        result.replaceChildren(...(review ? resultOf(store, review, learn) : []));
    };
    for (const event of ['state', 'tree', 'review', 'preferences']) store.addEventListener(event, draw);
    for (const event of ['tree', 'review']) store.addEventListener(event, drawResult);
    return showWalk(store, connection, { box: walked, list: stations, learn });
}

/** Letters of a name that a button has room for. */
const LONG_NAME = 12;

function resultOf(store, notes, learn) {
    const { review } = notes;
    const parts = [];
    if (!notes.isWhole) {
        parts.push(make('p', { class: 'review-stale' }, 'The game has changed since it was reviewed.'));
    }
    const buttons = sidesOf(store).map((color) => {
        const mistakes = notes.mistakesOf(color);
        const name = nameOf(store, color);
        // A long name would leave no room for what it is about.
        const whose = name.length > LONG_NAME ? color.charAt(0).toUpperCase() + color.slice(1) : isolatedText(name);
        const what = `${name === 'You' ? 'your' : `${whose}’s`} mistakes`;
        const made = button(`${what.charAt(0).toUpperCase()}${what.slice(1)} (${mistakes.length})`, () => learn(mistakes), {
            class: 'learn-from', 'data-color': color, icon: 'learn', title: `Learn from ${what}: find the better moves`,
        });
        allow(made, mistakes.length === 0 ? 'There are no mistakes to learn from.' : '');
        return made;
    });
    // What there is to do stands before what there is to know: on a phone the rest is scrolled.
    parts.push(make('div', { class: 'actions', role: 'group', 'aria-label': 'Learn from mistakes' }, ...buttons), tableOf(store, review));
    return parts;
}

/** The sides, that of the person first. */
function sidesOf(store) {
    const { people } = store.state?.play ?? {};
    return people && people[1] && !people[0] ? ['black', 'white'] : ['white', 'black'];
}

const percent = (value) => (value === null || value === undefined ? '–' : value.toFixed(1));

function tableOf(store, review) {
    const head = [...PHASES.map(([, title]) => make('th', { scope: 'col' }, title)),
        ...MARKS.map(([, sign, title]) => make('th', { scope: 'col', 'aria-label': title, title }, sign))];
    const rows = sidesOf(store).map((color) => {
        const of = review.accuracy[color];
        return make('tr', { 'data-color': color },
            make('th', { scope: 'row' }, isolated(nameOf(store, color))),
            ...PHASES.map(([phase]) => make('td', {}, percent(of[phase].percent))),
            ...MARKS.map(([mark]) => make('td', {}, String(of.game[mark]))));
    });
    return make('table', { class: 'review-table' },
        make('caption', { class: 'hidden-text' }, 'Accuracy in percent, and marked moves'),
        make('thead', {}, make('tr', {}, make('td', {}), ...head)),
        make('tbody', {}, ...rows));
}
