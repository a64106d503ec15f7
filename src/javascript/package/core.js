// The WebAssembly module: one instance holds all boards of this thread. Text and numbers go in,
// JSON comes out (`src/javascript/calls.rs`). `scripts/build-npm` copies `wasm_instance.js` from
// Qirkat's own page (`src/board/page/site/alone`).

import { WasmInstance } from './wasm_instance.js';

/** The variants, in the order of their numbers. */
export const VARIANTS = Object.freeze(['chesquerque', 'masonic', 'alquerque']);

/** Longest text: a longer one would not fit into memory beside its result. */
const LONGEST_TEXT = 1 << 28;

/**
 * What differs between Node and browsers, from `node.js` or `init.js`: the compiled `module`,
 * `load(address)`, which fetches a file, `canShare()`, whether memory may be shared, and
 * `startWorker(hear, fail)`, which returns `{ post, end, hold }`: `hold(true)` keeps the program
 * running. Null until it is ready.
 */
export let platform = null;

export function usePlatform(chosen) {
    platform = chosen;
}

export class Core {
    #instance;
    #reply = '';
    #reason = '';
    #tables = new Map();
    /** The error after which it is unusable, if any. */
    broken = null;

    constructor(module, callbacks = {}) {
        this.#instance = new WasmInstance(module, {
            ...callbacks,
            reply: (text) => { this.#reply = text; },
            crashed: (text) => { this.#reason = text; },
        });
        this.#instance.call('start');
    }

    /**
     * Calls a function with a message and numbers; returns its answer or throws its error. If it
     * breaks down, the instance and everything in it becomes unusable.
     */
    ask(name, message, ...numbers) {
        if (this.broken) throw new Error(`Qirkat has crashed, and what it held is lost: ${this.broken}`);
        if (message.length > LONGEST_TEXT) throw new RangeError(`a text of ${message.length} letters is too long`);
        let isAnswered;
        try {
            isAnswered = this.#instance.send(name, message, ...numbers);
        } catch (error) {
            this.broken = (this.#reason || String(error)).replace(/\s+/g, ' ');
            throw new Error(`Qirkat has crashed: ${this.broken}`, { cause: error });
        }
        const reply = this.#reply;
        this.#reply = '';
        if (!isAnswered) throw new Error(reply);
        return JSON.parse(reply);
    }

    /** Takes the tables of a variant from their file, once; `load` fetches it. */
    async fetchTables(variant, address, load) {
        if (!this.#tables.has(variant)) {
            const fetched = load(address).then((file) => this.ask('take_tables', file, variantNumber(variant)));
            this.#tables.set(variant, fetched);
            fetched.catch(() => this.#tables.delete(variant));
        }
        return this.#tables.get(variant);
    }

    /** Calls a function without an answer. */
    tell(name, ...numbers) {
        if (!this.broken) this.#instance.call(name, ...numbers);
    }
}

/** Fetches a file in a browser. */
export async function fetchFile(address) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
}

let core = null;

/** The instance for new objects: a new one if the last has crashed. */
export function currentCore() {
    if (platform === null) throw new Error('Qirkat is not ready: await init() first');
    if (core === null || core.broken) core = new Core(platform.module);
    return core;
}

const registry = new FinalizationRegistry(({ core: of, close, number }) => of.tell(close, number));

/** An object in the module by its number, freed with the object that owns it. */
export class Held {
    #close;

    constructor(owner, of, number, close) {
        this.core = of;
        this.number = number;
        this.#close = close;
        registry.register(owner, { core: of, close, number }, this);
    }

    free() {
        registry.unregister(this);
        this.core.tell(this.#close, this.number);
    }
}

/** The number of a variant. */
export function variantNumber(variant) {
    const number = VARIANTS.indexOf(variant);
    if (number < 0) throw new TypeError(`variant ${shown(variant)}: it must be one of ${VARIANTS.map(shown).join(', ')}`);
    return number;
}

/** A string, or an error that names the value. */
export function text(value, what) {
    if (typeof value !== 'string') throw new TypeError(`${what} must be a string, not ${shown(value)}`);
    return value;
}

/** An object, or an error that names the value, as in `tags must be`. */
export function object(value, what) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
        throw new TypeError(`${what} an object, not ${shown(value)}`);
    }
    return value;
}

/** An array, or an error that names the value. Holes in it are undefined. */
export function list(value, what) {
    if (!Array.isArray(value)) throw new TypeError(`${what} a list, not ${shown(value)}`);
    return Array.from(value);
}

/** JSON for the module, which rejects unpaired surrogates. */
export const json = (value) => JSON.stringify(value, (name, part) => (typeof part === 'string' ? part.toWellFormed?.() ?? part : part));

/** Options: an object with no other keys than these. */
export function options(value, known, what = 'options') {
    const other = Object.keys(object(value, `${what} must be`)).find((name) => !known.includes(name));
    if (other !== undefined) throw new TypeError(`${what}: there is no ${shown(other)}, only ${known.join(', ')}`);
    return value;
}

/** A value as text in an error. */
export function shown(value) {
    if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);
    if (typeof value === 'bigint') return `${value}n`;
    if (Array.isArray(value)) return 'a list';
    return value !== null && ['object', 'function'].includes(typeof value) ? typeof value : String(value);
}
