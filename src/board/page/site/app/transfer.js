// Games and positions in and out: PGN and FEN.

import { choice, field, openDialog } from './dialogs.js';
import { boardAsPng, boardAsSvg } from './picture.js';
import { button, copyText, fileButton, make, message, saveFile } from './elements.js';
import { BOARDS, GAME_CHOICES, boardFor } from '../board/boards.js';
import { sentence } from './sentence.js';

/** Bytes of a request that the server takes. */
const MAX_REQUEST = 4 << 20;
/** Characters or bytes of games that are read at once: in a request they mostly take a little more. */
const MAX_LENGTH = 3_500_000;

/** What stands before a position in the address. */
export const SET_UP = 'set-up/';

/** What follows `#` in the address of a page that opens this position. */
export const setUpHash = (game, fen) => `#${SET_UP}${game}/${encodeURIComponent(fen)}`;

/** Whether this is too much to be read at once; if so, says it. */
function isTooLarge(size, most = MAX_LENGTH) {
    if (size > most) message('This is too much at once: the limit is about 3.5 MB.', 'error');
    return size > most;
}

/** The content of a file, unpacked if it is compressed with gzip. `onRead` hears how many bytes of the file are read. */
export async function contentOf(file, onRead = () => {}) {
    const [first, second, third, fourth] = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    if (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd) {
        throw new Error('The page cannot read zstd: unpack the file first, or compress it with gzip.');
    }
    const content = file.stream().pipeThrough(new TransformStream({
        transform(bytes, next) {
            onRead(bytes.length);
            next.enqueue(bytes);
        },
    }));
    return first === 0x1f && second === 0x8b ? content.pipeThrough(new DecompressionStream('gzip')) : content;
}

/** Why the content of a file cannot be read. */
export function readFault(error) {
    if (error instanceof DOMException) return 'The browser cannot read this file any more.';
    return error instanceof TypeError ? 'This file is damaged, cut off or packed in several parts.' : error.message;
}

/** The text of a file; null if it is too large, where it is read no further. */
async function textOf(file) {
    const parts = [];
    let size = 0;
    const content = (await contentOf(file)).getReader();
    for (let read = await content.read(); !read.done; read = await content.read()) {
        parts.push(read.value);
        size += read.value.length;
        if (isTooLarge(size)) return null;
    }
    return new Blob(parts).text();
}

export function showTransfer(store, connection, board) {
    if (!store.state) return;
    const pgn = make('textarea', {
        id: 'pgn', 'aria-label': 'Game in PGN', rows: 9, spellcheck: false, placeholder: 'Paste a game in PGN here, or choose a file.',
    });
    // A field that holds so much would keep the page busy for a minute.
    pgn.addEventListener('paste', (event) => {
        if (isTooLarge(event.clipboardData.getData('text').length)) event.preventDefault();
    });
    const fen = make('input', { id: 'fen', spellcheck: false, autocomplete: 'off' });
    const game = choice('fen-game', GAME_CHOICES, store.state.game);
    const found = make('div', { class: 'found', 'aria-live': 'polite' });
    const file = fileButton('Choose a file', async (chosen) => {
        if (isTooLarge(chosen.size)) return;
        try {
            const text = await textOf(chosen);
            if (text === null) return;
            pgn.value = text;
            read();
        } catch (error) {
            message(readFault(error), 'error');
        }
    }, { accept: '.pgn,.txt,.gz,.zst', id: 'pgn-file', 'aria-label': 'A file of games' });
    const read = () => {
        found.replaceChildren();
        const request = { do: 'import', pgn: pgn.value };
        if (isTooLarge(new Blob([JSON.stringify(request)]).size, MAX_REQUEST)) return;
        if (pgn.value.trim()) connection.send(request);
        else found.replaceChildren(make('p', { class: 'fault' }, 'There is no game in this text.'));
    };
    const linkOf = () => `${connection.link}${setUpHash(game.value, fen.value.trim())}`;
    const share = async (text, url) => {
        try {
            await navigator.share({ title: BOARDS[game.value].title, text, url });
        } catch (error) {
            // Whoever shares nothing after all knows it.
            if (error.name !== 'AbortError') message('The browser cannot share this: copy it instead.', 'error');
        }
    };
    const save = () => saveFile(`${store.state.game}.pgn`, pgn.value);
    const savePng = async () => {
        try {
            saveFile(`${store.state.game}.png`, await boardAsPng(board));
        } catch {
            message('The browser cannot make this picture.', 'error');
        }
    };
    const load = () => {
        connection.send({ do: 'new', game: game.value, fen: fen.value.trim() });
    };
    fen.addEventListener('input', () => {
        const fitting = boardFor(fen.value.trim().split(/\s/)[0]);
        if (!fitting || fitting.name === game.value) return;
        game.value = fitting.name;
        message(`This is a position of ${fitting.title}${fitting.name === 'masonic' ? ', not of orthodox chess' : ''}.`);
    });
    /** Fills in a text, unless somebody was faster or is about to write there. */
    const offer = (input, text) => {
        if (document.activeElement !== input) input.value ||= text;
    };
    const shown = store.state.id;
    const hear = (event) => {
        const said = event.detail;
        if (said.say === 'exported') {
            offer(pgn, said.pgn);
            offer(fen, said.fen);
        } else if (said.say === 'imported') {
            store.imported = said.games;
            const rows = said.games.map((title, index) => button(make('span', {}, title), () => {
                connection.send({ do: 'open-imported', index });
                if (said.games.length > 1) message('The other games of the file stand under “Games”.');
                close();
            }, { class: 'game' }));
            const faults = said.faults.map((fault) => make('p', { class: 'fault' }, sentence(fault)));
            found.replaceChildren(...faults, ...rows);
        } else if (said.say === 'state' && said.id !== shown) {
            // A game was read, or a position set up.
            close();
        }
    };
    connection.addEventListener('say', hear);
    const { close } = openDialog('Import & export', [
        make('section', {}, make('h3', {}, 'Game (PGN)'), pgn,
            make('div', { class: 'actions' },
                button('Open this text', read, { id: 'read-pgn', class: 'primary', icon: 'on' }), file,
                button('Copy', () => copyText(pgn.value), { icon: 'copy' }), button('Save as file', save, { icon: 'save' }),
                navigator.share ? button('Share', () => share(pgn.value), { id: 'share-pgn', icon: 'share' }) : null),
            found),
        make('section', {}, make('h3', {}, 'Position (FEN)'), field('Game', game), field('FEN', fen),
            make('div', { class: 'actions' },
                button('Open this position', load, { id: 'read-fen', icon: 'on' }), button('Copy', () => copyText(fen.value), { icon: 'copy' }),
                navigator.share ? button('Share', () => share(fen.value.trim(), connection.link ? linkOf() : undefined), { id: 'share', icon: 'share' }) : null,
                connection.link ? button('Copy link', () => copyText(linkOf()), { id: 'copy-link', icon: 'copy' }) : null,
                button('Picture (SVG)', () => saveFile(`${store.state.game}.svg`, boardAsSvg(board)), { id: 'save-svg', icon: 'board' }),
                button('Picture (PNG)', savePng, { id: 'save-png', icon: 'board' }))),
    ], { wide: true, onclose: () => connection.removeEventListener('say', hear) });
    connection.send({ do: 'export' });
}
