// What was played in a file of games, for the position that is looked at. The file goes
// to the server piece by piece, as that asks for it: it may be as large as it likes.

import { button, byId, fileButton, isolated, isolatedText, make, message } from '../app/elements.js';

/** Bytes of a piece. */
const PIECE = 512 * 1024;

export function showOpenings(store, connection) {
    const box = byId('openings');
    let here = null;
    let load = null;

    const file = fileButton('Choose a file', (chosen) => begin(chosen), {
        accept: '.pgn,.txt', id: 'openings-file', 'aria-label': 'A file of games to count',
    });
    const progress = make('progress', { max: 1, value: 0, 'aria-label': 'How much of the file is counted' });
    const counting = make('p', { class: 'quiet' });
    const told = make('div');
    const leave = button('Close the file', () => connection.send({ do: 'forget-openings' }), { id: 'openings-close', icon: 'close' });
    box.append(make('h2', { class: 'panel-head' }, 'Openings'), progress, counting, told, make('div', { class: 'actions' }, file, leave));

    const begin = (chosen) => {
        load = { file: chosen, at: 0, ended: false, decoder: new TextDecoder() };
        here = null;
        counting.textContent = `${isolatedText(chosen.name)}: 0 games`;
        connection.send({ do: 'load-openings', name: chosen.name });
        draw();
    };
    const sendPiece = async (games) => {
        const now = load;
        if (!now || now.ended) return;
        counting.textContent = `${isolatedText(now.file.name)}: ${games.toLocaleString()} games`;
        progress.value = now.file.size > 0 ? now.at / now.file.size : 0;
        try {
            const bytes = await now.file.slice(now.at, now.at + PIECE).arrayBuffer();
            if (now !== load) return;
            now.at += PIECE;
            now.ended = now.at >= now.file.size;
            const text = now.decoder.decode(bytes, { stream: !now.ended });
            connection.send({ do: 'openings-piece', text, last: now.ended });
        } catch {
            load = null;
            message('The browser cannot read this file any more.', 'error');
            draw();
        }
    };
    connection.addEventListener('say', ({ detail }) => {
        if (detail.say === 'openings-wanted') sendPiece(detail.games);
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
    store.addEventListener('state', draw);
}

const counted = (number) => `${number.toLocaleString()} game${number === 1 ? '' : 's'}`;

function tableOf(here, connection) {
    const { file, games, faults, plies, moves, node } = here;
    const parts = [`: ${counted(games)}`, `the first ${plies} plies of each`];
    if (here.is_full) parts.push('some positions left out');
    if (faults > 0) parts.push(`${counted(faults)} could not be read`);
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

/** Wins of White, draws and wins of Black as a bar. */
function results([white, draws, black]) {
    const all = white + draws + black;
    if (all === 0) return make('span', { class: 'quiet' }, 'no results');
    const words = `White wins ${white}, draws ${draws}, Black wins ${black}`;
    const bar = make('div', { class: 'chances', role: 'img', 'aria-label': words, title: words });
    for (const [kind, count] of [['white', white], ['draw', draws], ['black', black]]) {
        const percent = 100 * count / all;
        const part = make('div', { class: kind }, percent >= 18 ? `${Math.round(percent)} %` : '');
        part.style.width = `${percent}%`;
        bar.append(part);
    }
    return bar;
}
