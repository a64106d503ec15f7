// One's own results against the engine: a rating with its error, how it changed, and the games
// that were won, drawn and lost by level. The session counts them from the saved games.

import { choice, field, openDialog } from '../app/dialogs.js';
import { button, counted, make, saveFile } from '../app/elements.js';
import { GAME_CHOICES } from '../board/boards.js';
import { svg } from '../board/svg.js';

const COUNTS = 'The rating is an estimate on the scale of the engine’s Elo, with its 95 % error. Finished games from the usual start'
    + ' count, without a hint or a move taken back; those at full strength leave the rating as it is.';

const WIDTH = 400;
const HEIGHT = 170;
/** Room for the numbers at the left, and for the dates below. */
const LEFT = 40;
const BELOW = 20;
/** Steps between lines of the grid. */
const STEPS = [20, 50, 100, 200, 500];
const MOST_LINES = 5;

/** How the rating changed from game to game, with a band for its error. */
function pictureOf(rated) {
    const last = rated[rated.length - 1];
    const [now, error] = last.rating;
    // The error of the first games would leave no room for what follows.
    const ratings = [now - error, now + error, ...rated.map(({ rating }) => rating[0])];
    const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
    const x = (index) => LEFT + ((WIDTH - LEFT) * index) / (rated.length - 1);
    const y = (value) => Math.min(1, Math.max(0, (most - value) / (most - least))) * (HEIGHT - BELOW - 8) + 4;
    const place = (value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    const upper = rated.map(({ rating: [value, error] }, index) => place(value + error, index));
    const lower = rated.map(({ rating: [value, error] }, index) => place(value - error, index));
    const step = STEPS.find((size) => (most - least) / size <= MOST_LINES) ?? 1000;
    const picture = svg('svg', {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', class: 'rating-picture',
        'aria-label': `Rating over ${rated.length} games, from ${Math.round(rated[0].rating[0])} to ${Math.round(now)}`,
    });
    for (let value = Math.ceil(least / step) * step; value <= most; value += step) {
        picture.append(svg('path', { d: `M${LEFT} ${y(value)}H${WIDTH}`, class: 'rating-grid' }),
            svg('text', { x: LEFT - 5, y: y(value) + 4, 'text-anchor': 'end' }, String(value)));
    }
    picture.append(
        svg('path', { d: `M${[...upper, ...lower.reverse()].join('L')}Z`, class: 'rating-band' }),
        svg('path', { d: `M${rated.map(({ rating: [value] }, index) => place(value, index)).join('L')}`, class: 'rating-line' }),
        svg('text', { x: LEFT, y: HEIGHT - 3 }, rated[0].date),
        svg('text', { x: WIDTH, y: HEIGHT - 3, 'text-anchor': 'end' }, last.date));
    return picture;
}

/** Games won, drawn and lost, by level. */
function tableOf(games) {
    const levels = new Map();
    for (const { elo, score } of games) {
        const level = elo ?? Infinity;
        if (!levels.has(level)) levels.set(level, [0, 0, 0]);
        levels.get(level)[2 - 2 * score] += 1;
    }
    const rows = [...levels].sort(([a], [b]) => a - b).map(([level, counts]) => make('tr', {},
        make('th', { scope: 'row' }, level === Infinity ? 'Full strength' : `Elo ${level}`),
        ...counts.map((count) => make('td', {}, count.toLocaleString()))));
    const head = make('tr', {}, ...['Engine', 'Won', 'Drawn', 'Lost'].map((title) => make('th', { scope: 'col' }, title)));
    return make('table', { class: 'results' }, make('thead', {}, head), make('tbody', {}, ...rows));
}

/** Counted games as a table for other programs. */
const csvOf = (games) => ['date,side,elo,score,rating,error', ...games.map(({ date, side, elo, score, rating }) => (
    [date, side, elo ?? '', score, ...(rating ?? ['', '']).map((value) => (value === '' ? '' : value.toFixed(1)))].join(',')
))].map((line) => `${line}\n`).join('');

/** Shows the results in a game, at first in the one that was played last. */
export function openResults(store, connection) {
    let all = null;
    let puzzles = null;
    const game = choice('results-game', GAME_CHOICES, store.preferences.game);
    game.addEventListener('change', () => {
        draw();
        ask();
    });
    const rating = make('p', { class: 'rating', role: 'status' }, 'Looking…');
    const picture = make('div', { class: 'rating-box' });
    const table = make('div', {});
    const solved = make('p', {});
    const rest = make('p', { class: 'quiet' });
    const save = button('Save as CSV', () => saveFile(`${game.value}-results.csv`, csvOf(all[game.value].games)), { id: 'save-results', icon: 'save' });
    const draw = () => {
        if (!all) return;
        const { games, others } = all[game.value] ?? { games: [], others: 0 };
        const rated = games.filter((played) => played.rating);
        const [value, error] = rated[rated.length - 1]?.rating.map(Math.round) ?? [];
        rating.replaceChildren(...(rated.length > 0
            ? [make('strong', {}, `${value} ± ${error}`), ` Elo, from ${counted(rated.length, 'game')}`]
            : ['No game against an Elo has been finished yet.']));
        picture.replaceChildren(...(rated.length > 1 ? [pictureOf(rated)] : []));
        table.replaceChildren(...(games.length > 0 ? [tableOf(games)] : []));
        save.hidden = games.length === 0;
        rest.textContent = `${COUNTS}${others > 0 ? ` ${counted(others, 'other game')} against the engine ${others === 1 ? 'does' : 'do'} not count.` : ''}`;
        const streak = store.preferences.streaks?.[game.value];
        const known = puzzles?.game === game.value && puzzles.all > 0;
        solved.hidden = !known;
        if (known) {
            solved.textContent = `Puzzles: ${puzzles.solved.toLocaleString()} of ${puzzles.all.toLocaleString()} solved, level ${Math.round(puzzles.level)} of 20`
                + `${streak ? `, best streak ${streak}` : ''}.`;
        }
    };
    const ask = () => connection.send({ do: 'train', what: 'puzzles', game: game.value });
    const askResults = () => connection.send({ do: 'train', what: 'results' });
    const askAll = () => {
        askResults();
        ask();
    };
    const hear = ({ detail: said }) => {
        if (said.say === 'results' && said.left > 0) askResults();
        else if (said.say === 'results') all = said.results;
        else if (said.say === 'puzzles') puzzles = said;
        else if (said.say === 'hello') askAll();
        else return;
        draw();
    };
    connection.addEventListener('say', hear);
    save.hidden = true;
    openDialog('Your results', [field('Game', game), rating, picture, table, solved, rest, make('div', { class: 'actions' }, save)], {
        onclose: () => connection.removeEventListener('say', hear),
    });
    askAll();
}
