// A match that another program plays: the games that are being played, who scored
// what against whom, and the games that have ended.

import { openDialog } from '../app/dialogs.js';
import { byId, counted, isolated, isolatedText, make } from '../app/elements.js';
import { LiveGame } from './live_game.js';

/** Boards shown at once: more would be too small. */
const MAX_BOARDS = 12;
/** Milliseconds between two looks at the clocks. */
const TICK = 200;

/** Shows the button for it where the server watches a match. */
export function offerMatch(store, connection) {
    const opener = byId('watch');
    opener.addEventListener('click', () => showMatch(store, connection));
    store.addEventListener('hello', () => {
        opener.hidden = !store.hello.watch;
    });
}

/** Opens the view of the match. */
export function showMatch(store, connection) {
    const file = store.hello?.watch;
    if (!file || document.querySelector('dialog[open]')) return;
    const open = (game) => {
        connection.send({ do: 'open-watched', game });
        close();
    };
    const head = make('p', { class: 'match-head' }, 'Looking…');
    const news = make('p', { class: 'match-news', role: 'status' });
    const running = new RunningGames(open);
    const table = make('div', { class: 'table-frame', tabindex: 0, role: 'region', 'aria-label': 'Who scored what' });
    const finished = new FinishedGames(open, (text) => { news.textContent = text; });

    const show = (view) => {
        head.textContent = headOf(view);
        running.show(view.running);
        table.replaceChildren(crossTable(view.table));
        finished.show(view);
    };
    const hear = (event) => {
        if (event.detail.say === 'match') show(event.detail.view);
    };
    const ask = () => connection.send({ do: 'watch', on: true });
    connection.addEventListener('say', hear);
    // The server has to be asked again after a new start.
    store.addEventListener('hello', ask);
    const ticking = setInterval(() => running.tick(), TICK);
    const { dialog, close } = openDialog(`Match: ${isolatedText(file)}`, [
        head,
        make('div', { class: 'match-columns' },
            running.element,
            make('div', { class: 'match-results' }, news,
                make('h3', {}, 'Standings'), table,
                make('h3', {}, 'Finished games'), finished.element)),
    ], {
        wide: true,
        onclose: () => {
            clearInterval(ticking);
            connection.removeEventListener('say', hear);
            store.removeEventListener('hello', ask);
            connection.send({ do: 'watch', on: false });
        },
    });
    dialog.classList.add('match');
    ask();
}

function headOf({ games, faults, running, trouble }) {
    const parts = [`${counted(games, 'game')} finished`];
    if (running) parts.push(`${running.length} being played`);
    if (faults > 0) parts.push(`${faults} could not be read`);
    if (trouble) parts.push(trouble);
    return `${parts.join(' · ')}.`;
}

/** The boards of the games that are being played. */
class RunningGames {
    #boards = new Map();
    #note = make('p', { class: 'quiet' });
    #grid = make('div', { class: 'live-games' });

    constructor(open) {
        this.open = open;
        this.element = make('div', {}, this.#note, this.#grid);
    }

    show(running) {
        const games = (running ?? []).slice(0, MAX_BOARDS);
        for (const [number, board] of this.#boards) {
            if (games.some((game) => game.number === number)) continue;
            board.element.remove();
            this.#boards.delete(number);
        }
        for (const game of games) {
            if (!this.#boards.has(game.number)) {
                const board = new LiveGame(game, this.open);
                this.#boards.set(game.number, board);
                this.#grid.append(board.element);
            }
            this.#boards.get(game.number).show(game);
        }
        const more = (running ?? []).length - games.length;
        this.#note.textContent = !running
            ? 'No game is shown now: the match has ended, or was started without the option -live.'
            : more > 0 ? `${more} more ${more === 1 ? 'is' : 'are'} being played.` : games.length === 0 ? 'No game is being played now.' : '';
        this.#note.hidden = !this.#note.textContent;
    }

    tick() {
        for (const board of this.#boards.values()) board.tick();
    }
}

/** The games that ended last, the very last first. */
class FinishedGames {
    #last = null;

    constructor(open, tell) {
        this.open = open;
        this.tell = tell;
        this.element = make('div', { class: 'found' });
    }

    show({ games, finished }) {
        if (this.#last === games) return;
        if (this.#last === null || games < this.#last) this.element.replaceChildren();
        const isFirst = this.#last === null;
        const fresh = finished.filter((game) => isFirst || games < this.#last || game.ordinal > this.#last);
        // Rows that are there stay, so that nobody's place in the list is lost.
        this.element.prepend(...fresh.map((game) => this.#row(game)));
        while (this.element.children.length > finished.length) this.element.lastChild.remove();
        if (!isFirst && fresh.length > 0) this.tell(`${nameOf(fresh[0])}: ${fresh[0].result}${why(fresh[0])}`);
        this.#last = games;
    }

    #row(game) {
        return make('button', {
            type: 'button', class: 'game', 'data-ordinal': game.ordinal, onclick: () => this.open({ finished: game.ordinal }),
        },
            make('span', {}, nameOf(game)), make('strong', {}, game.result),
            make('span', { class: 'quiet' }, `${game.reason ? `${game.reason} · ` : ''}${counted(game.moves, 'move')}`));
    }
}

const nameOf = ({ number, ordinal, white, black }) => `${number ?? ordinal}. ${isolatedText(white)} – ${isolatedText(black)}`;

const why = ({ reason }) => (reason ? `, ${reason}` : '');

/**
 * Who scored what, the strongest first, and how strong each is: of two players by the
 * difference, of more around their average. Of more it tells too who scored what against whom.
 */
function crossTable(rows) {
    if (rows.length === 0) return make('p', { class: 'quiet' }, 'No game has ended yet.');
    const crowd = rows.length > 2;
    const head = ['', 'Name', 'Elo', 'Points', 'Games', '%', 'Wins', 'Draws', 'Losses'];
    if (crowd) head.push(...rows.map((row, at) => String(at + 1)));
    const cell = (text) => make('td', {}, text);
    const body = rows.map((row, at) => {
        const games = row.wins + row.draws + row.losses;
        const share = games > 0 ? (100 * row.points / games).toFixed(1) : '';
        const against = row.against.map((score) => (score === null ? '–' : score[1] > 0 ? `${score[0]}/${score[1]}` : ''));
        const texts = [eloText(row.elo), row.points, games, share, row.wins, row.draws, row.losses, ...(crowd ? against : [])];
        return make('tr', {},
            cell(String(at + 1)), make('th', { scope: 'row' }, isolated(row.name)), ...texts.map((text) => cell(String(text))));
    });
    return make('table', { class: 'standings' },
        make('thead', {}, make('tr', {}, ...head.map((text) => (text ? make('th', { scope: 'col' }, text) : make('td'))))),
        make('tbody', {}, ...body));
}

function eloText(elo) {
    if (!elo) return '–';
    const [value, error] = elo.map((number) => number.toFixed(0));
    return `${Number(value) > 0 ? '+' : ''}${value} ± ${error}`;
}
