// What is known for certain of each move at the position shown: won, drawn or lost, and how far the
// end is. Endgame tables know it, and in Alquerque a certificate does.

import { button, byId, make } from '../app/elements.js';
import { knownInWords, resultWord, hasKnownMoves, truthInWords } from './words.js';

/** Said where nothing is known. The server may have more tables than those in the program. */
const CHESS = 'No endgame table knows this position or a capture from here. Those in the program have three pieces.';
const REACH = {
    chesquerque: CHESS,
    masonic: CHESS,
    alquerque: 'No endgame table knows this position or a jump from here. Those in the program have four men; the certificate has the positions from the start in which White keeps to its winning moves.',
};

/** Asks something of each position that is looked at, once and where it is wanted; after a new start of the server again. */
export function askOfPosition(store, connection, what, isWanted) {
    let asked = null;
    let waits = false;
    const ask = () => {
        const { state } = store;
        if (waits || !state || store.playing || !isWanted()) return;
        const { id, node, position } = state;
        const wanted = `${id} ${node} ${position.fen}`;
        if (wanted === asked) return;
        if (connection.send({ do: what, node })) asked = wanted;
    };
    // A new session first has to open the game.
    store.addEventListener('hello', () => {
        asked = null;
        waits = true;
    });
    store.addEventListener('state', () => {
        waits = false;
        ask();
    });
    store.addEventListener('panel', ask);
}

/** Keeps `store.known` up to date while it is of use, and lists the moves by what they are worth. */
export function showKnown(store, connection) {
    const box = byId('known');
    const summary = make('p', { class: 'known-summary', role: 'status' });
    const list = make('div');
    box.append(make('h2', { class: 'panel-head' }, 'Known for certain'), summary, list);

    askOfPosition(store, connection, 'known', () => store.state.analysing || store.panel === 'openings');
    connection.addEventListener('say', ({ detail: said }) => {
        if (said.say === 'known') store.change('known', { known: said });
    });

    const row = (move, node) => {
        const words = truthInWords(move, store.state.game);
        return make('tr', { class: move.result },
            make('th', { scope: 'row' }, button(move.san, () => connection.send({ do: 'move', node, text: move.text }), {
                class: 'line-move', 'aria-label': `${move.san}: ${resultWord(move)}${words ? `, ${words}` : ''}`, 'data-known': move.san,
            })),
            make('td', {}, make('span', { class: 'known-result' }, resultWord(move))),
            make('td', {}, words));
    };
    const draw = () => {
        if (!store.state || store.panel !== 'openings') return;
        const { state } = store;
        const here = hasKnownMoves(store) ? store.known : null;
        const text = here ? knownInWords(here, state)
            : state.position.outcome ? `The game is over: ${state.position.outcome}.`
                : store.known?.waits ? 'The certificate of Alquerque is being fetched…' : REACH[state.game];
        if (summary.textContent !== text) summary.textContent = text;
        summary.classList.toggle('quiet', !here);
        if (!here) {
            list.replaceChildren();
            return;
        }
        const { known, unknown, node } = here;
        const table = make('table', { class: 'known-moves' },
            make('thead', {}, make('tr', {}, ...['Move', 'Result', 'The end'].map((head) => make('th', { scope: 'col' }, head)))),
            make('tbody', {}, ...known.map((move) => row(move, node))));
        const others = unknown.length === 0 ? null : make('p', { class: 'known-others' }, 'Not known: ',
            ...unknown.map((move) => button(move.san, () => connection.send({ do: 'move', node, text: move.text }), { class: 'line-move' })));
        list.replaceChildren(table, ...(others ? [others] : []));
    };
    for (const event of ['state', 'panel', 'known']) store.addEventListener(event, draw);
}
