// An engine in its own worker. While it searches it receives no messages: it is stopped by a flag
// in shared memory, or by ending the worker if the page may not share memory.

import { gameOf } from './board.js';
import { options, platform, shown } from './core.js';
import { addressOf } from './files.js';

/** The bounds of numeric options. */
const RANGES = {
    depth: [1, 127],
    nodes: [1, Number.MAX_SAFE_INTEGER],
    time: [1, 2 ** 32],
    multipv: [1, 500],
    elo: [500, 2550],
    // More does not fit into WebAssembly memory as one block.
    hash: [1, 2047],
};

/** The options of a search. */
const LIMITS = ['depth', 'nodes', 'time', 'multipv', 'elo', 'signal'];

function checkNumbers(numbers) {
    for (const [name, value] of Object.entries(numbers)) {
        const [least, most] = RANGES[name];
        if (value !== undefined && (!Number.isInteger(value) || value < least || value > most)) {
            throw new RangeError(`${name} must be an integer from ${least} to ${most}, not ${shown(value)}`);
        }
    }
    return numbers;
}

export class Engine {
    #hash;
    #worker = null;
    #flag = null;
    #search = null;
    #count = 0;
    #isClosed = false;

    static {
        if (Symbol.dispose) this.prototype[Symbol.dispose] = this.prototype.close;
    }

    constructor(given = {}) {
        const { hash = 16 } = options(given, ['hash']);
        checkNumbers({ hash });
        this.#hash = hash;
    }

    get isThinking() {
        return this.#search !== null;
    }

    analyse(board, limits = {}) {
        return this.#begin(board, limits).lines;
    }

    async play(board, limits = {}) {
        const { depth, nodes, time, elo } = options(limits, LIMITS, 'limits');
        if ([depth, nodes, time, elo].every((limit) => limit === undefined)) {
            throw new TypeError('give a limit: depth, nodes, time or elo');
        }
        return this.#begin(board, limits).answer;
    }

    stop() {
        const search = this.#search;
        if (!search || search.isStopped) return;
        search.isStopped = true;
        if (this.#flag) Atomics.store(this.#flag, 0, 1);
        else this.#cutOff(search);
    }

    /** Ends a search without shared memory: its answer is the best line so far, once there is one. */
    #cutOff(search) {
        const answer = search.lines.answer();
        if (answer === null) return;
        this.#endWorker();
        this.#finish(search, answer);
    }

    newGame() {
        this.#ensureIdle();
        this.#worker?.post({ clear: true });
    }

    close() {
        this.#isClosed = true;
        this.#endWorker();
        if (this.#search) this.#fail(this.#search, new Error('the engine was closed while it was thinking'));
    }

    #ensureIdle() {
        if (this.#isClosed) throw new Error('the engine is closed');
        if (this.#search) throw new Error('the engine is thinking: stop it first, or wait for its answer');
    }

    #begin(board, limits) {
        this.#ensureIdle();
        const { signal, ...numbers } = options(limits, LIMITS, 'limits');
        checkNumbers(numbers);
        if (signal !== undefined && !(signal instanceof AbortSignal)) {
            throw new TypeError(`signal is an AbortSignal, not ${shown(signal)}`);
        }
        signal?.throwIfAborted();
        const game = gameOf(board);
        this.#startWorker();
        const number = this.#count += 1;
        const search = { number, isStopped: false, signal, lines: null };
        search.answer = new Promise((resolve, reject) => Object.assign(search, { resolve, reject }));
        // A reader of lines does not await the answer.
        search.answer.catch(() => {});
        search.lines = new Lines(() => this.#giveUp(search));
        search.abort = () => this.stop();
        signal?.addEventListener('abort', search.abort);
        this.#search = search;
        this.#worker.hold(true);
        if (this.#flag) Atomics.store(this.#flag, 0, 0);
        const files = {
            network: addressOf(`networks/${game.variant}.net`),
            tables: addressOf(`tables/${game.variant}.tables`),
            certificate: game.variant === 'alquerque' ? addressOf('tables/start.alquerque.cert') : null,
        };
        this.#worker.post({ number, request: { ...game, hash: this.#hash, ...numbers }, files });
        return search;
    }

    #startWorker() {
        if (this.#worker) return;
        this.#flag = platform.canShare() ? new Int32Array(new SharedArrayBuffer(4)) : null;
        const worker = platform.startWorker(
            (message) => { if (this.#worker === worker) this.#hear(message); },
            (reason) => {
                if (this.#worker !== worker) return;
                this.#endWorker();
                if (this.#search) this.#fail(this.#search, new Error(`the engine has crashed: ${reason}`));
            },
        );
        this.#worker = worker;
        worker.post({ module: platform.module, flag: this.#flag });
    }

    #endWorker() {
        this.#worker?.end();
        this.#worker = null;
    }

    #hear({ number, line, answer, failed, isBroken }) {
        if (isBroken) this.#endWorker();
        const search = this.#search;
        if (search?.number !== number) return;
        if (answer) this.#finish(search, answer);
        else if (failed) this.#fail(search, new Error(failed));
        else search.lines.push(line);
        if (line && search.isStopped && !this.#flag) this.#cutOff(search);
    }

    #finish(search, answer) {
        if (search.signal?.aborted) this.#fail(search, search.signal.reason);
        else this.#settle(search, () => search.resolve(answer), () => search.lines.end());
    }

    #fail(search, error) {
        this.#settle(search, () => search.reject(error), () => search.lines.fail(error));
    }

    #settle(search, ...tell) {
        search.signal?.removeEventListener('abort', search.abort);
        if (this.#search === search) this.#search = null;
        this.#worker?.hold(false);
        tell.forEach((one) => one());
    }

    /** Ends a search whose lines are no longer read; resolves when it is over. */
    async #giveUp(search) {
        if (this.#search === search) this.stop();
        await search.answer.catch(() => {});
    }
}

/** The lines of a search as they come. */
class Lines {
    #coming = [];
    #waiting = [];
    #best = null;
    #isOver = false;
    #error = null;
    #giveUp;

    constructor(giveUp) {
        this.#giveUp = giveUp;
    }

    push(line) {
        if (line.multipv === 1 && line.bound !== 'upper') this.#best = line;
        const waiting = this.#waiting.shift();
        if (waiting) waiting.resolve({ value: line, done: false });
        else if (!this.#isOver) this.#coming.push(line);
    }

    /** The best move found, as the answer of a search. */
    answer() {
        if (!this.#best) return null;
        const { pv, san, cp, mate, depth, nodes } = this.#best;
        return { lan: pv[0], san: san[0], ponder: pv[1] ?? null, cp, mate, depth, nodes };
    }

    end() {
        this.#isOver = true;
        for (const { resolve } of this.#waiting.splice(0)) resolve({ value: undefined, done: true });
    }

    fail(error) {
        this.#isOver = true;
        const waiting = this.#waiting.splice(0);
        if (waiting.length > 0) waiting.shift().reject(error);
        else this.#error = error;
        for (const { resolve } of waiting) resolve({ value: undefined, done: true });
    }

    async next() {
        if (this.#coming.length > 0) return { value: this.#coming.shift(), done: false };
        if (this.#error !== null) {
            const error = this.#error;
            this.#error = null;
            throw error;
        }
        if (this.#isOver) return { value: undefined, done: true };
        return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
    }

    async return() {
        this.#coming = [];
        this.#error = null;
        await this.#giveUp();
        this.end();
        this.#coming = [];
        return { value: undefined, done: true };
    }

    [Symbol.asyncIterator]() {
        return this;
    }
}
