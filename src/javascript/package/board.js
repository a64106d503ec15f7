// A game in progress.

import { currentCore, Held, json, object, options, platform, shown, text, variantNumber } from './core.js';
import { addressOf } from './files.js';

/** The game of a board in the form that the engine takes; internal. */
export let gameOf;

const SIDES = ['w', 'b'];
/** The letters of the pieces of each variant. */
const KIND_LETTERS = { chesquerque: 'kqrabnp', masonic: 'kqrbnp', alquerque: 'm' };

export class Board {
    #held;
    #state = null;
    /** What is wrong with the position, which `put` and `remove` may have made illegal. */
    #fault = null;
    #tags = {};

    static {
        gameOf = (board) => {
            if (!(board instanceof Board)) throw new TypeError(`this takes a Board, not ${shown(board)}`);
            const [fen, moves] = board.#ask('board_game');
            return { variant: board.variant, fen, moves };
        };
        if (Symbol.dispose) this.prototype[Symbol.dispose] = this.prototype.free;
    }

    constructor(fen, given = {}) {
        const { variant = 'chesquerque' } = options(given, ['variant']);
        const core = currentCore();
        const number = fen instanceof Held
            ? core.ask('board_copy', '', fen.number)
            : core.ask('board_open', fenText(fen), variantNumber(variant));
        this.#held = new Held(this, core, number, 'board_close');
    }

    #ask(name, message = '', ...numbers) {
        if (this.#fault !== null) throw new Error(`the position is not legal: ${this.#fault}`);
        return this.#askRules(name, message, ...numbers);
    }

    /** Asks also while the position is illegal; the module then has the last legal one. */
    #askRules(name, message = '', ...numbers) {
        if (this.#held === null) throw new Error('the board has been freed');
        return this.#held.core.ask(name, message, this.#held.number, ...numbers);
    }

    #change(name, message, ...numbers) {
        const answer = this.#ask(name, message, ...numbers);
        this.#state = null;
        return answer;
    }

    #now() {
        this.#state ??= this.#ask('board_state');
        return this.#state;
    }

    get variant() {
        return this.#now().variant;
    }

    get notice() {
        return this.#now().notice;
    }

    get tags() {
        return this.#tags;
    }

    set tags(tags) {
        this.#tags = { ...object(tags, 'tags must be') };
    }

    load(fen, given = {}) {
        const { variant = this.variant } = options(given, ['variant']);
        this.#set(fenText(fen), variant);
        this.#tags = {};
    }

    #set(fen, variant) {
        this.#askRules('board_load', fen, variantNumber(variant));
        this.#fault = null;
        this.#state = null;
    }

    clear() {
        const rows = this.#rows();
        this.#edit(rows.map((row) => '.'.repeat(row.length)), 'w - - 0 1');
        this.#tags = {};
    }

    put(piece, point) {
        const { type, color } = object(piece, 'a piece must be');
        const kind = String(type).toLowerCase();
        if (kind.length !== 1 || !KIND_LETTERS[this.variant].includes(kind) || !SIDES.includes(color)) return false;
        const letter = color === 'w' ? kind.toUpperCase() : kind;
        try {
            this.get(point);
            const rows = this.#with(letter, point);
            if (kind === 'k' && rows.join('').split(letter).length > 2) return false;
            this.#edit(rows);
        } catch (error) {
            if (this.#held === null || this.#held.core.broken) throw error;
            return false;
        }
        return true;
    }

    remove(point) {
        const piece = this.get(point);
        if (piece !== undefined) this.#edit(this.#with('.', point));
        return piece;
    }

    /** The rows of the board, the last rank first: a letter for each point, `.` where it is empty. */
    #rows() {
        return this.fen().split(' ')[0].split('/').map((row) => row.replace(/\d/g, (run) => '.'.repeat(run)));
    }

    /** The row and the column of a point of the board. */
    #indicesOf(point) {
        return [this.#rows().length - Number(point[1]), point.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0)];
    }

    /** The rows with this letter on a point. */
    #with(letter, point) {
        const rows = this.#rows();
        const [row, column] = this.#indicesOf(point);
        rows[row] = rows[row].slice(0, column) + letter + rows[row].slice(column + 1);
        return rows;
    }

    /** Sets a position up, legal or not. */
    #edit(rows, rest = this.fen().split(' ').slice(1).join(' ')) {
        const { variant } = this;
        const placement = rows.map((row) => row.replace(/\.+/g, (run) => run.length)).join('/');
        const [turn, castling, enPassant, ...clocks] = rest.split(' ');
        let fen;
        // The pawn that could be captured en passant may be gone.
        for (const target of new Set([enPassant, '-'])) {
            fen = [placement, turn, castling, target, ...clocks].join(' ');
            try {
                this.#set(fen, variant);
                return;
            } catch (error) {
                if (this.#held === null || this.#held.core.broken) throw error;
                this.#fault = error.message;
            }
        }
        this.#state = { variant, fen, turn, check: null, outcome: null, draws: [], notice: this.#fault };
    }

    reset() {
        this.load();
    }

    fen() {
        return this.#now().fen;
    }

    turn() {
        return this.#now().turn;
    }

    moves(given = {}) {
        const { verbose = false, square } = options(given, ['verbose', 'square']);
        if (square !== undefined) this.get(square);
        if (this.#fault !== null) return [];
        if (square === undefined) return this.#ask('board_moves', '', Number(Boolean(verbose)));
        const moves = this.#ask('board_moves', '', 1).filter((move) => move.from === square.toLowerCase());
        return verbose ? moves : moves.map(({ san }) => san);
    }

    move(move) {
        return this.#change('board_move', moveText(move));
    }

    undo() {
        return this.#fault === null ? this.#change('board_undo') : null;
    }

    san(move) {
        return this.#ask('board_read_move', moveText(move)).san;
    }

    lan(move) {
        return this.#ask('board_read_move', moveText(move)).lan;
    }

    whyIllegal(move) {
        const written = moveText(move);
        this.#now();
        try {
            this.#ask('board_read_move', written);
            return null;
        } catch (error) {
            if (this.#held.core.broken) throw error;
            return error.message;
        }
    }

    isLegal(move) {
        return this.whyIllegal(move) === null;
    }

    history(given = {}) {
        const { verbose = false } = options(given, ['verbose']);
        return this.#fault === null ? this.#ask('board_history', '', Number(Boolean(verbose))) : [];
    }

    isCheck() {
        return this.#now().check !== null;
    }

    inCheck() {
        return this.isCheck();
    }

    checkedKing() {
        return this.#now().check;
    }

    isGameOver() {
        return this.outcome() !== null;
    }

    isCheckmate() {
        return this.outcome()?.reason === 'checkmate';
    }

    isStalemate() {
        return this.#isDrawnBy('stalemate');
    }

    isInsufficientMaterial() {
        return this.#isDrawnBy('insufficient-material');
    }

    isThreefoldRepetition() {
        return this.#isDrawnBy('repetition');
    }

    isDrawByFiftyMoves() {
        return this.#isDrawnBy('hundred-plies');
    }

    #isDrawnBy(reason) {
        return this.#now().draws.includes(reason);
    }

    isDraw() {
        return this.outcome()?.result === '1/2-1/2';
    }

    outcome() {
        return this.#now().outcome;
    }

    get(point) {
        const letter = this.#askRules('board_piece', text(point, 'a point'));
        if (this.#fault === null) return pieceOf(letter ?? '.');
        const [row, column] = this.#indicesOf(point);
        return pieceOf(this.#rows()[row][column]);
    }

    board() {
        const rows = this.#rows();
        return rows.map((row, down) => Array.from(row, (letter, column) => {
            const piece = pieceOf(letter);
            return piece ? { square: `${String.fromCharCode('a'.charCodeAt(0) + column)}${rows.length - down}`, ...piece } : null;
        }));
    }

    attackers(point, color) {
        if (color !== undefined && !SIDES.includes(color)) throw new TypeError(`color ${shown(color)}: it is "w" or "b"`);
        return this.#ask('board_attackers', text(point, 'a point'), color === undefined ? SIDES.length : SIDES.indexOf(color));
    }

    isAttacked(point, color) {
        if (color === undefined) throw new TypeError('say which side attacks: "w" or "b"');
        return this.attackers(point, color).length > 0;
    }

    hash() {
        return this.#ask('board_state').hash;
    }

    ascii() {
        return this.#fault === null ? this.#ask('board_picture') : this.#rows().map((row) => [...row].join(' ')).join('\n');
    }

    toString() {
        return this.ascii();
    }

    async probe() {
        const copy = this.copy();
        try {
            await copy.#held.core.fetchTables(copy.variant, addressOf(`tables/${copy.variant}.tables`), platform.load);
            return copy.#ask('board_probe');
        } finally {
            copy.free();
        }
    }

    pgn(given = {}) {
        const { tags = this.#tags, comment, result } = options(given, ['tags', 'comment', 'result']);
        return this.#ask('board_pgn', json(header({ tags, comment, result })));
    }

    loadPgn(pgn) {
        const game = gameOfRecord(this.#askRules('board_load_pgn', text(pgn, 'a PGN')));
        this.#fault = null;
        this.#state = null;
        this.#tags = { ...game.tags };
        return game;
    }

    copy() {
        this.#now();
        const copy = new Board(this.#held);
        if (this.#fault !== null) copy.#edit(this.#rows(), this.fen().split(' ').slice(1).join(' '));
        copy.tags = this.#tags;
        return copy;
    }

    free() {
        this.#held?.free();
        this.#held = null;
        this.#state = null;
        this.#fault = null;
    }
}

/** Tags, comment and result in the form that the module takes. */
export function header({ tags = {}, comment = null, result = null }) {
    return {
        tags: Object.entries(object(tags, 'tags must be')).map(([name, value]) => [name, text(value, `tag ${name}`)]),
        comment: comment === null ? null : text(comment, 'a comment'),
        result: result === null ? null : text(result, 'a result'),
    };
}

/** A record with its tags as an object. */
export const gameOfRecord = (record) => ({ ...record, tags: Object.fromEntries(record.tags) });

/** The piece of a letter of FEN; undefined for an empty point. */
function pieceOf(letter) {
    const type = letter.toLowerCase();
    return letter === '.' ? undefined : { type, color: letter === type ? 'b' : 'w' };
}

function fenText(fen) {
    return fen === undefined || fen === null ? '' : text(fen, 'a FEN');
}

/** The text of a move given as text, as a move object, or by its points. */
export function moveText(move) {
    if (typeof move === 'string') return move;
    if (move === null || typeof move !== 'object') throw new TypeError(`a move must be a string or an object, not ${shown(move)}`);
    if (typeof move.lan === 'string') return move.lan;
    if (typeof move.san === 'string') return move.san;
    const points = move.points ?? [move.from, move.to];
    if (!Array.isArray(points) || !points.every((point) => typeof point === 'string')) {
        throw new TypeError('a move has from and to, or points');
    }
    return points.join('') + (move.promotion === undefined || move.promotion === null ? '' : text(move.promotion, 'a promotion'));
}
