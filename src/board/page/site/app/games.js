// The list of games that are kept: all of them, piece by piece, to be searched, opened and
// thrown away.

import { BOARDS } from '../board/boards.js';
import { previewOf } from '../board/preview.js';
import { onSecondClick } from './confirmed.js';
import { openDialog } from './dialogs.js';
import { allow, button, counted, isolated, make, message, relabel, saveFile } from './elements.js';
import { endInWords } from './sentence.js';
import { boardLook } from './settings.js';

/** Rows shown at first, and more of them at a time. */
const ROWS = 100;
/** Rows of an imported file that are shown at first, above the games that are kept. */
const FILE_ROWS = 8;

/** Letters without their accents, so that `Müller` is found by `muller`. */
const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const timeOf = ({ time }) => new Date(time * 1000);

const whenOf = (file) => timeOf(file).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A day as `2026-12-31`. */
function dayOf(file) {
    const time = timeOf(file);
    const two = (number) => String(number).padStart(2, '0');
    return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** How a game stands or has ended, in words. */
const standing = (game) => (game.running ? 'Being played' : game.result === '*' ? 'Open' : endInWords(game));

/** All that a game can be found by. */
function wordsOf(game) {
    const { title, players, about, game: kind } = game;
    const day = dayOf(game);
    return plain([
        BOARDS[kind].title, title, ...(players ?? []), ...about, standing(game), game.result, day, day.replaceAll('-', '.'),
        whenOf(game),
    ].join(' '));
}

const whatIsKept = (store) => (store.hasBackground
    ? 'Games are kept in the folder of this board until you delete them.'
    : 'Games are kept in this browser, for this address, until you delete them or the browser’s data.');

/** Shows the games that are kept. */
export function showGames(store, connection) {
    const games = new Map();
    const unreadable = new Map();
    let unlisted = null;
    let most = ROWS;
    let mostOfFile = FILE_ROWS;
    const search = make('input', {
        type: 'search', id: 'games-search', autocomplete: 'off', spellcheck: false, autofocus: true, maxLength: 100,
        placeholder: 'Player, date, game or result', 'aria-label': 'Search the games',
        oninput: () => {
            most = ROWS;
            draw();
        },
    });
    const told = make('p', { class: 'quiet', role: 'status' }, 'Looking…');
    const list = make('ul', { class: 'game-list', 'aria-label': 'Games' });
    const more = button('', () => {
        const next = list.children.length;
        most += ROWS;
        draw();
        list.children[next]?.querySelector('button')?.focus();
    }, { id: 'more-games' });
    const saveAll = button('Save these as PGN', () => writeNext(fitting(games).map(({ id }) => id)), {
        id: 'save-all', icon: 'save', title: 'All games that are listed, as one file',
    });
    /**
     * The ids of games still to be written into the file, and the PGN of those done; null while no
     * file is made.
     */
    let writing = null;
    const writeNext = (unwritten, done = []) => {
        writing = { unwritten, done };
        allow(saveAll, unwritten.length > 0 ? `${done.length.toLocaleString()} of ${counted(done.length + unwritten.length, 'game')} written.` : '');
        if (unwritten.length > 0) {
            connection.send({ do: 'export-kept', id: unwritten[0] });
            return;
        }
        writing = null;
        saveFile('games.pgn', done.join('\n'));
        message(`${counted(done.length, 'game')} in the file.`);
    };
    const importedSection = make('section', { class: 'imported', 'aria-label': 'The imported file' });
    const fileRows = new Map();
    /** The games of the file that was read last: they can be chosen as long as the page is open. */
    const drawFile = () => {
        const wanted = wantedWords();
        const all = store.imported ?? [];
        const found = all.map((title, index) => ({ title, index })).filter(({ title }) => wanted.every((word) => plain(title).includes(word)));
        importedSection.hidden = found.length === 0;
        if (importedSection.hidden) return;
        const head = make('h3', {}, wanted.length > 0 ? `${found.length.toLocaleString()} of ${counted(all.length, 'game')} of the imported file` : `${counted(all.length, 'game')} of the imported file`);
        const rows = found.slice(0, mostOfFile).map((game) => {
            if (!fileRows.has(game.index)) fileRows.set(game.index, fileRow(game));
            return fileRows.get(game.index);
        });
        const rest = found.length - rows.length;
        const more = rest === 0 ? [] : [button(`Show more (${rest.toLocaleString()})`, () => {
            mostOfFile += ROWS;
            drawFile();
            fileRows.get(found[rows.length].index).querySelector('button').focus();
        }, { id: 'more-of-file' })];
        importedSection.replaceChildren(head, make('ul', { class: 'game-list' }, ...rows), ...more);
    };
    const fileRow = ({ title, index }) => make('li', { class: 'game-row' }, make('button', {
        type: 'button', class: 'game',
        onclick: () => {
            connection.send({ do: 'open-imported', index });
            close();
        },
    }, make('span', {}, `${index + 1}. `, title)));
    const faults = make('section', { class: 'unreadable', 'aria-label': 'Files that cannot be read' });

    const removal = (file, title) => {
        const remove = button('Delete', () => onSecondClick(remove, () => connection.send({ do: 'forget', id: file.id })), {
            class: 'delete', icon: 'bin', title,
        });
        allow(remove, file.id === store.state?.id ? 'This game is open: open another one to delete it.' : '');
        return remove;
    };
    /** The game of each preview. */
    const pictures = new WeakMap();
    /** Draws the board of a row once it is nearly seen: a picture has hundreds of parts. */
    const observer = new IntersectionObserver((entries) => {
        for (const { isIntersecting, target } of entries) {
            if (!isIntersecting) continue;
            observer.unobserve(target);
            const { game, board, flipped } = pictures.get(target);
            target.append(previewOf(BOARDS[game], board, { flipped }));
        }
    }, { rootMargin: '300px' });
    const gameRow = (game) => {
        const { players } = game;
        const preview = make('span', { class: 'board game-preview', 'data-board': boardLook(store.preferences) });
        pictures.set(preview, game);
        observer.observe(preview);
        const who = players ? [isolated(players[0]), ' and ', isolated(players[1])] : [game.title];
        const open = make('button', {
            type: 'button', class: 'game',
            onclick: () => {
                connection.send({ do: 'open', id: game.id });
                close();
            },
        },
            preview, make('strong', {}, BOARDS[game.game].title), make('span', {}, ...who),
            players && game.about.length > 0 ? make('span', { class: 'quiet' }, isolated(game.about.join(' · '))) : null,
            make('span', {}, isolated(standing(game))),
            make('small', {}, `${counted(Math.ceil(game.moves / 2), 'move')} · `, make('time', { datetime: timeOf(game).toISOString() }, whenOf(game))));
        return make('li', { class: 'game-row' }, open, removal(game, `Delete this game of ${BOARDS[game.game].title}`));
    };
    const faultRow = (file) => make('li', { class: 'fault-row' },
        make('p', { class: 'fault' }, make('strong', {}, isolated(file.file)), ` ${file.reason}`),
        file.id ? removal(file, `Delete the file ${file.file}`) : null);

    /** Rows by their games: those that stay are not made anew, so that no focus is lost. */
    const rows = new Map();
    const rowOf = (file, build) => {
        if (!rows.has(file)) rows.set(file, build(file));
        return rows.get(file);
    };
    const wantedWords = () => plain(search.value).split(/\s+/).filter(Boolean);
    const fitting = (files) => {
        const wanted = wantedWords();
        return [...files.values()].filter(({ words }) => wanted.every((word) => words.includes(word)));
    };
    const draw = () => {
        drawFile();
        const wanted = wantedWords();
        const found = fitting(games);
        const bad = fitting(unreadable);
        saveAll.hidden = found.length === 0;
        const shown = found.slice(0, most).map((game) => rowOf(game, gameRow));
        // Rows that stand where they belong are not laid out anew.
        const same = shown.findIndex((row, at) => list.children[at] !== row);
        const kept = same < 0 ? shown.length : same;
        for (const row of [...list.children].slice(kept)) row.remove();
        list.append(...shown.slice(kept));
        list.hidden = found.length === 0;
        more.hidden = found.length <= most;
        relabel(more, `Show more (${(found.length - most).toLocaleString()})`);
        faults.hidden = bad.length === 0;
        faults.replaceChildren(
            make('h3', {}, `${counted(bad.length, 'file')} cannot be read`),
            make('ul', { class: 'game-list' }, ...bad.map((file) => rowOf(file, faultRow))));
        const all = games.size;
        const parts = [wanted.length > 0 ? `${found.length.toLocaleString()} of ${counted(all, 'game')}` : counted(all, 'game')];
        if (unreadable.size > 0) parts.push(`${counted(unreadable.size, 'file')} cannot be read`);
        if (unlisted > 0) parts.push(`looking at ${unlisted.toLocaleString()} more…`);
        const text = all + unreadable.size + unlisted > 0 ? parts.join(' · ')
            : unlisted === null ? 'Looking…' : 'No game has been kept yet.';
        if (told.textContent !== text) told.textContent = text;
    };
    const hear = ({ detail: said }) => {
        if (said.say === 'games') {
            for (const game of said.games) games.set(game.id, { ...game, words: wordsOf(game) });
            for (const file of said.unreadable) {
                unreadable.set(file.file, { ...file, words: plain(`${file.file} ${file.reason} ${dayOf(file)}`) });
            }
            unlisted = said.left;
            if (unlisted > 0) connection.send({ do: 'list-more' });
            draw();
        } else if (said.say === 'kept-exported' && writing) {
            const { unwritten, done } = writing;
            writeNext(unwritten.slice(1), said.pgn ? [...done, said.pgn] : done);
        } else if (said.say === 'forgotten') {
            // The next one comes to the same place.
            const buttons = () => [...dialog.querySelectorAll('.delete')];
            const isIt = ({ id }) => id === said.id;
            const gone = games.get(said.id) ?? [...unreadable.values()].find(isIt);
            const at = buttons().indexOf(rows.get(gone)?.querySelector('.delete'));
            games.delete(said.id);
            for (const file of unreadable.values()) if (file.id === said.id) unreadable.delete(file.file);
            draw();
            const left = buttons();
            (left[Math.min(at, left.length - 1)] ?? search).focus({ preventScroll: true });
        }
    };
    const ask = () => {
        connection.send({ do: 'list' });
        if (writing) writeNext(writing.unwritten, writing.done);
    };
    connection.addEventListener('say', hear);
    // A server that was away has to be asked again.
    store.addEventListener('hello', ask);
    const { dialog, close } = openDialog('Games', [search, importedSection, told, list, more, faults, make('div', { class: 'actions' }, saveAll), make('p', { class: 'quiet kept' }, whatIsKept(store))], {
        wide: true,
        onclose: () => {
            connection.removeEventListener('say', hear);
            store.removeEventListener('hello', ask);
            observer.disconnect();
        },
    });
    more.hidden = true;
    saveAll.hidden = true;
    faults.hidden = true;
    drawFile();
    ask();
}
