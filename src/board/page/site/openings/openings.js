// What the opening book knows of each move at the position shown, and what was played in a file of
// games. The file goes to the server in chunks, as the server asks for them, so it may be of any
// size.

import { button, byId, counted, fileButton, isolated, isolatedText, make, message } from '../app/elements.js';
import { chances, shareBar } from '../app/lines.js';
import { expected, scoreText } from '../app/store.js';
import { contentOf, readFault } from '../app/transfer.js';
import { askOfPosition } from '../tables/known.js';

/** The fewest characters in a chunk; the last may have fewer. */
const CHUNK = 512 * 1024;
/** The percentages from which on there is room for them in a narrow bar. */
const NARROW_LEAST = 18;

/** What the opening book knows of each move, best first; the board shows the position after a move under the pointer. */
export function showBook(store, connection, preview) {
    const box = byId('book');
    const boards = new WeakMap();
    let here = null;
    askOfPosition(store, connection, 'book', () => store.panel === 'openings');
    connection.addEventListener('say', ({ detail }) => {
        if (detail.say !== 'book') return;
        here = detail;
        draw();
    });
    // Only where the pointer moves: a row that is drawn under a pointer at rest shows no preview.
    let pointed = null;
    box.addEventListener('mousemove', ({ target }) => {
        const row = target.closest('tr');
        if (row === pointed) return;
        pointed = row;
        const board = boards.get(row);
        if (board) preview.show(board);
        else preview.hide();
    });
    box.addEventListener('mouseleave', () => {
        pointed = null;
        preview.hide();
    });

    const row = (move, hasGames) => {
        const { san, text } = move;
        const games = move.results.reduce((sum, count) => sum + count);
        const made = make('tr', {},
            make('th', { scope: 'row' }, button(san, () => connection.send({ do: 'move', node: here.node, text }), { class: 'line-move', 'data-book': san })),
            make('td', {}, make('span', { class: `line-score ${expected(move) >= 0.5 ? 'white' : 'black'}` }, scoreText(move))),
            make('td', { class: 'opening-results' }, chances(move, NARROW_LEAST)),
            ...(games > 0 ? [make('td', {}, games.toLocaleString()), make('td', { class: 'opening-results' }, results(move.results))]
                : hasGames ? [make('td', { colSpan: 2 })] : []));
        boards.set(made, move.board);
        return made;
    };
    const draw = () => {
        const { state } = store;
        if (!state || store.panel !== 'openings') return;
        if (here && here.node === state.node && here.moves.length > 0) {
            const hasGames = here.moves.some((move) => move.results.some((count) => count > 0));
            const heads = ['Move', 'Score', 'Chances', ...(hasGames ? ['Games', 'Results'] : [])];
            box.replaceChildren(make('h2', { class: 'panel-head' }, 'Opening book'), make('table', { class: 'opening-moves' },
                make('thead', {}, make('tr', {}, ...heads.map((text) => make('th', { scope: 'col', class: text === 'Chances' ? 'opening-results' : null }, text)))),
                make('tbody', {}, ...here.moves.map((move) => row(move, hasGames)))));
        } else if (here?.node === state.node) {
            const text = here.waits ? 'The opening book is being fetched…'
                : here.score ? `A line of the opening book ends here, at ${scoreText(here.score)}.`
                    : here.has_book ? 'The opening book does not know this position.' : 'There is no opening book.';
            box.replaceChildren(make('p', { class: 'quiet' }, text));
        }
    };
    for (const event of ['state', 'panel']) store.addEventListener(event, draw);
}

export function showOpenings(store, connection) {
    const box = byId('openings');
    let here = null;
    let load = null;

    const file = fileButton('Choose a file', (chosen) => begin(chosen), {
        accept: '.pgn,.txt,.gz,.zst', id: 'openings-file', 'aria-label': 'A file of games to count',
    });
    const progress = make('progress', { max: 1, value: 0, 'aria-label': 'How much of the file is counted' });
    const counting = make('p', { class: 'quiet' });
    const told = make('div');
    const leave = button('Close the file', () => connection.send({ do: 'forget-openings' }), { id: 'openings-close', icon: 'close' });
    box.append(make('h2', { class: 'panel-head' }, 'Games of a file'), progress, counting, told, make('div', { class: 'actions' }, file, leave));

    const begin = (chosen) => {
        if (!connection.send({ do: 'load-openings', name: chosen.name })) return;
        load = { file: chosen, at: 0, ended: false, content: null };
        here = null;
        counting.textContent = `${isolatedText(chosen.name)}: 0 games`;
        draw();
    };
    const sendChunk = async (games) => {
        const now = load;
        if (!now || now.ended) return;
        counting.textContent = `${isolatedText(now.file.name)}: ${games.toLocaleString()} games`;
        progress.value = now.file.size > 0 ? now.at / now.file.size : 0;
        try {
            const onRead = (bytes) => { now.at += bytes; };
            now.content ??= (await contentOf(now.file, onRead)).pipeThrough(new TextDecoderStream()).getReader();
            let text = '';
            while (text.length < CHUNK && !now.ended) {
                const { value = '', done } = await now.content.read();
                text += value;
                now.ended = done;
            }
            if (now === load) connection.send({ do: 'openings-chunk', text, last: now.ended });
        } catch (error) {
            if (now !== load) return;
            load = null;
            message(readFault(error), 'error');
            connection.send({ do: 'forget-openings' });
            draw();
        }
    };
    connection.addEventListener('say', ({ detail }) => {
        // A chunk of the file before may still be asked for: a new file begins with no games.
        if (detail.say === 'openings-wanted' && (load?.content || detail.games === 0)) sendChunk(detail.games);
        if (detail.say === 'openings') {
            if (load?.ended) load = null;
            here = detail.here;
            draw();
        }
        // There may be no memory for it.
        if (detail.say === 'error' && load?.at === 0) stop();
    });
    const stop = () => {
        if (!load) return;
        load = null;
        draw();
    };
    connection.addEventListener('lost', stop);

    const draw = () => {
        if (!store.state) return;
        box.hidden = !store.hasBackground;
        progress.hidden = !load;
        counting.hidden = !load;
        leave.hidden = !here;
        told.hidden = Boolean(load);
        const fitting = here && here.node === store.state.node ? here : null;
        if (load || here && !fitting) return;
        told.replaceChildren(...(fitting ? tableOf(fitting, connection) : [
            make('p', { class: 'quiet' }, 'Choose a file of games in PGN, to see what was played in each position and how it ended.'),
        ]));
    };
    // A server that was started anew has read no file; one that has, tells of it with the state.
    store.addEventListener('hello', () => { here = null; });
    store.addEventListener('state', draw);
}

function tableOf(here, connection) {
    const { file, games, faults, plies, moves, node } = here;
    const parts = [`: ${counted(games, 'game')}`, `the first ${plies} plies of each`];
    if (here.is_full) parts.push('some positions left out');
    if (faults > 0) parts.push(`${counted(faults, 'game')} could not be read`);
    const head = make('p', { class: 'lines-head' }, isolated(file), parts.join(' · '));
    if (moves.length === 0) return [head, make('p', { class: 'quiet' }, 'No game of the file goes on from here.')];
    const all = moves.reduce((sum, move) => sum + move.games, 0);
    const rows = moves.map((move) => make('tr', {},
        make('th', { scope: 'row' }, button(move.san, () => connection.send({ do: 'move', node, text: move.text }), {
            class: 'line-move', 'data-opening': move.san,
        })),
        make('td', {}, move.games.toLocaleString()),
        make('td', {}, `${(100 * move.games / all).toFixed(1)} %`),
        make('td', { class: 'opening-results' }, results(move.results)),
    ));
    return [head, make('table', { class: 'opening-moves' },
        make('thead', {}, make('tr', {}, ...['Move', 'Games', 'Share', 'Results'].map((text) => make('th', { scope: 'col' }, text)))),
        make('tbody', {}, ...rows))];
}

/** How games with a move ended, as a bar. */
function results([white, draws, black]) {
    if (white + draws + black === 0) return make('span', { class: 'quiet' }, 'no results');
    return shareBar([white, draws, black], `White wins ${white}, draws ${draws}, Black wins ${black}`, NARROW_LEAST);
}
