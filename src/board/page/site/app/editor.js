// The position editor. It knows the form of a FEN; the server says whether the position is valid,
// and what is wrong with it.

import { Board } from '../board/board.js';
import { BOARDS, GAME_CHOICES, boardFor } from '../board/boards.js';
import { piecesOf, placementOf } from '../board/geometry.js';
import { pieceIcon } from '../board/pieces.js';
import { choice, field, openDialog } from './dialogs.js';
import { button, make } from './elements.js';
import { icon } from './icons.js';
import { sentence } from './sentence.js';
import { boardLook } from './settings.js';

const CASTLING = { K: 'White short', Q: 'White long', k: 'Black short', q: 'Black long' };

export function openEditor(store, connection, play) {
    const { state, preferences } = store;
    if (!state) return;
    let game = state.game;
    let fields = state.position.fen.split(' ');
    let pieces = piecesOf(BOARDS[game], fields[0]);
    let brush = null;
    let checked = null;
    // What was asked for before the server had checked the position.
    let wanted = null;
    // A typed text that the server has not accepted as a FEN, and what it corrected in the last.
    let typed = null;
    let notice = null;

    const host = make('div', { class: 'editor-board' });
    host.dataset.board = boardLook(preferences);
    const palette = make('div', { class: 'palette', role: 'radiogroup', 'aria-label': 'Piece to put down' });
    const kind = choice('editor-game', GAME_CHOICES, game);
    const turn = choice('turn', [['w', 'White'], ['b', 'Black']], fields[1]);
    const castling = make('div', { class: 'castling' });
    const enPassant = make('input', { name: 'en-passant', size: 4, maxLength: 2, value: fields[3] === '-' ? '' : fields[3] });
    const enPassantField = field('En passant', enPassant);
    const verdict = make('p', { class: 'verdict', 'aria-live': 'polite' });
    const fenText = make('input', { class: 'fen', spellcheck: false, 'aria-label': 'FEN' });
    const board = new Board(host, BOARDS[game], { flipped: store.flipped, animation: 0 });
    board.editing = true;

    const isChess = () => game !== 'alquerque';
    const fen = () => {
        const rights = [...castling.querySelectorAll('input:checked')].map((box) => box.value).join('') || '-';
        const middle = isChess() ? `${rights} ${enPassant.value.trim() || '-'}` : '- -';
        return `${placementOf(BOARDS[game], pieces)} ${turn.value} ${middle} ${fields[4] ?? 0} ${fields[5] ?? 1}`;
    };
    const check = () => connection.send({ do: 'check-fen', game: typed?.game ?? game, fen: typed?.text ?? fen() });
    const ask = () => {
        checked = typed = notice = null;
        fenText.value = fen();
        check();
    };
    const show = () => {
        board.set({ pieces, legal: [], last: [], check: null });
        ask();
    };
    const take = (letter) => {
        brush = letter;
        for (const item of palette.children) item.setAttribute('aria-checked', String(item.dataset.piece === letter));
    };
    const fillPalette = () => {
        const letters = Object.keys(BOARDS[game].pieces);
        const item = (letter) => make('button', {
            type: 'button', role: 'radio', 'data-piece': letter, 'aria-checked': 'false',
            'aria-label': letter ? `${letter === letter.toUpperCase() ? 'White' : 'Black'} ${BOARDS[game].pieces[letter.toLowerCase()]}` : 'Remove pieces',
            onclick: () => take(letter),
        }, letter ? pieceIcon(letter) : icon('close'));
        // A row for each colour.
        palette.style.setProperty('--kinds', letters.length);
        palette.replaceChildren(...letters.map((letter) => item(letter.toUpperCase())), ...letters.map(item), item(''));
        take(letters[letters.length - 1].toUpperCase());
    };
    const fillCastling = () => {
        castling.replaceChildren(...Object.entries(CASTLING).map(([letter, label]) => make('label', { class: 'check' },
            make('input', { type: 'checkbox', value: letter, checked: (fields[2] ?? '').includes(letter), onchange: ask }), label)));
        castling.hidden = enPassantField.hidden = !isChess();
    };
    board.addEventListener('point', (event) => {
        const { name } = event.detail;
        if (brush === '' || pieces.get(name) === brush) pieces.delete(name);
        else pieces.set(name, brush);
        pieces = new Map(pieces);
        show();
    });
    const setUp = (placement, rights) => {
        pieces = piecesOf(BOARDS[game], placement);
        fields = [placement, 'w', rights, '-', '0', '1'];
        turn.value = 'w';
        enPassant.value = '';
        fillCastling();
        show();
    };
    const change = (other) => {
        game = other;
        kind.value = other;
        board.setGame(BOARDS[game]);
        fillPalette();
    };
    kind.addEventListener('change', () => {
        change(kind.value);
        setUp(BOARDS[game].start, isChess() ? 'KQkq' : '-');
    });
    turn.addEventListener('change', ask);
    enPassant.addEventListener('input', ask);
    // The board shows a typed FEN once the server has read it; a text that is not a FEN stays as typed.
    fenText.addEventListener('change', () => {
        const given = fenText.value.trim();
        // A board alone is taken as that of White to move.
        const text = /^\S+$/.test(given) ? `${given} w - - 0 1` : given;
        checked = null;
        typed = { text, game: boardFor(text.split(/\s/)[0])?.name ?? game };
        check();
    });
    const takeTyped = (from, said) => {
        if (from.game !== game) change(from.game);
        fields = said.fen.split(' ');
        pieces = piecesOf(BOARDS[game], fields[0]);
        turn.value = fields[1];
        enPassant.value = fields[3] && fields[3] !== '-' ? fields[3] : '';
        fillCastling();
        show();
        notice = said.text;
    };
    const hear = (event) => {
        const said = event.detail;
        // The connection was lost, and with it what was asked.
        if (said.say === 'hello' && !checked) check();
        if (said.say !== 'fen-checked') return;
        if (said.fen && typed?.text === said.asked) {
            takeTyped(typed, said);
            return;
        }
        if (said.asked !== (typed?.text ?? fen())) return;
        checked = said.fen;
        const text = said.text ?? notice;
        verdict.textContent = text ? sentence(text.replace(/^(board: |side to move: (?=White|Black))/, '')) : `This position of ${BOARDS[game].title} is good.`;
        verdict.classList.toggle('wrong', !said.fen);
        for (const item of [playButton, analyseButton]) item.disabled = !said.fen;
        if (checked) wanted?.();
        wanted = null;
    };
    const onceChecked = (action) => () => {
        if (checked) action();
        else wanted = action;
    };
    const playButton = button('Play from here', onceChecked(() => {
        const from = { game, fen: checked };
        close();
        play(from);
    }), { class: 'primary', id: 'editor-play', icon: 'on' });
    const analyseButton = button('Analyse', onceChecked(() => {
        connection.send({ do: 'new', game, fen: checked });
        connection.send({ do: 'analyse', on: true });
        close();
    }), { id: 'editor-analyse', icon: 'analyse' });
    connection.addEventListener('say', hear);
    const { close } = openDialog('Set up a position', [
        make('div', { class: 'editor' }, host,
            make('div', { class: 'editor-side' }, palette, field('Game', kind), field('To move', turn), castling, enPassantField,
                make('div', { class: 'actions' },
                    button('Start position', () => setUp(BOARDS[game].start, isChess() ? 'KQkq' : '-')),
                    button('Clear', () => setUp(placementOf(BOARDS[game], new Map()), '-')),
                    button('Turn round', () => board.flip(), { icon: 'flip' })))),
        fenText, verdict,
        make('div', { class: 'dialog-actions' }, analyseButton, playButton),
    ], { wide: true, onclose: () => connection.removeEventListener('say', hear) });
    fillPalette();
    fillCastling();
    show();
}
