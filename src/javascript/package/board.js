// A game in progress.

import { currentCore, Held, json, object, options, shown, text, variantNumber } from './core.js';

/** The game of a board in the form that the engine takes; internal. */
export let gameOf;

const SIDES = ['w', 'b'];

export class Board {
    #held;
    #state = null;
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
        this.#tags = { ...object(tags, 'tags are') };
    }

    load(fen, given = {}) {
        const { variant = this.variant } = options(given, ['variant']);
        this.#change('board_load', fenText(fen), variantNumber(variant));
        this.#tags = {};
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
        const { verbose = false, from } = options(given, ['verbose', 'from']);
        if (from === undefined) return this.#ask('board_moves', '', Number(Boolean(verbose)));
        this.get(from);
        const moves = this.#ask('board_moves', '', 1).filter((move) => move.from === from);
        return verbose ? moves : moves.map(({ san }) => san);
    }

    move(move) {
        return this.#change('board_move', moveText(move));
    }

    undo() {
        return this.#change('board_undo');
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
        return this.#ask('board_history', '', Number(Boolean(verbose)));
    }

    isCheck() {
        return this.#now().check !== null;
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

    isDraw() {
        return this.outcome()?.result === '1/2-1/2';
    }

    outcome() {
        return this.#now().outcome;
    }

    get(point) {
        const letter = this.#ask('board_piece', text(point, 'a point'));
        if (letter === null) return undefined;
        const type = letter.toLowerCase();
        return { type, color: letter === type ? 'b' : 'w' };
    }

    attackers(point, color) {
        if (color !== undefined && !SIDES.includes(color)) throw new TypeError(`color ${shown(color)}: it is "w" or "b"`);
        return this.#ask('board_attackers', text(point, 'a point'), color === undefined ? SIDES.length : SIDES.indexOf(color));
    }

    ascii() {
        return this.#ask('board_picture');
    }

    toString() {
        return this.ascii();
    }

    probe() {
        return this.#ask('board_probe');
    }

    pgn(given = {}) {
        const { tags = this.#tags, comment, result } = options(given, ['tags', 'comment', 'result']);
        return this.#ask('board_pgn', json(header({ tags, comment, result })));
    }

    loadPgn(pgn) {
        const game = gameOfRecord(this.#change('board_load_pgn', text(pgn, 'a PGN')));
        this.#tags = { ...game.tags };
        return game;
    }

    copy() {
        this.#now();
        const copy = new Board(this.#held);
        copy.tags = this.#tags;
        return copy;
    }

    free() {
        this.#held?.free();
        this.#held = null;
        this.#state = null;
    }
}

/** Tags, comment and result in the form that the module takes. */
export function header({ tags = {}, comment = null, result = null }) {
    return {
        tags: Object.entries(object(tags, 'tags are')).map(([name, value]) => [name, text(value, `tag ${name}`)]),
        comment: comment === null ? null : text(comment, 'a comment'),
        result: result === null ? null : text(result, 'a result'),
    };
}

/** A record with its tags as an object. */
export const gameOfRecord = (record) => ({ ...record, tags: Object.fromEntries(record.tags) });

function fenText(fen) {
    return fen === undefined || fen === null ? '' : text(fen, 'a FEN');
}

/** The text of a move given as text, as a move object, or by its points. */
export function moveText(move) {
    if (typeof move === 'string') return move;
    if (move === null || typeof move !== 'object') throw new TypeError(`a move is a text or an object, not ${shown(move)}`);
    if (typeof move.lan === 'string') return move.lan;
    if (typeof move.san === 'string') return move.san;
    const points = move.points ?? [move.from, move.to];
    if (!Array.isArray(points) || !points.every((point) => typeof point === 'string')) {
        throw new TypeError('a move has from and to, or points');
    }
    return points.join('') + (move.promotion === undefined || move.promotion === null ? '' : text(move.promotion, 'a promotion'));
}
