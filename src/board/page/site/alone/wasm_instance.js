// A WebAssembly module of Qirkat: fetched, instantiated and called. What goes in is text or bytes,
// what comes out text and numbers (`src/system/host.rs`); in the module,
// `src/board/page/worker/exports.rs` takes the calls, or in the package for JavaScript
// `src/javascript/calls.rs`.

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** Fetches the module. */
export async function fetchModule(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

/** An instance of the module. After an exception of a call it is of no use any more. */
export class WasmInstance {
    #exports;

    /**
     * `callbacks` hears what the module says, each with a text and a number: `reply`, `keep`, `report`,
     * `crashed`, `startWorker`, `endWorker` and `fetchFile`; `isStopped` is asked while it
     * searches.
     */
    constructor(module, callbacks = {}) {
        const text = (at, length) => DECODER.decode(new Uint8Array(this.#exports.memory.buffer, at, length));
        const host = {
            now: () => performance.timeOrigin + performance.now(),
            date,
            random_bits: () => Math.floor(Math.random() * 2 ** 32),
            should_stop: () => Number(callbacks.isStopped?.() ?? false),
            call_js: (name, nameLength, at, length, number) => callbacks[text(name, nameLength)]?.(text(at, length), number),
        };
        this.#exports = new WebAssembly.Instance(module, { host }).exports;
    }

    /** Calls a function that takes a message, a text or bytes, and perhaps numbers. */
    send(name, message, ...numbers) {
        this.#write(0, name);
        this.#write(1, message);
        return this.#exports.call(...numbers);
    }

    /** Calls a function that takes numbers. */
    call(name, ...numbers) {
        return this.send(name, '', ...numbers);
    }

    #write(buffer, text) {
        const bytes = text instanceof Uint8Array ? text : ENCODER.encode(text);
        const at = this.#exports.buffer(buffer, bytes.length);
        new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
    }
}

/** Today as a number: 20261231. */
function date() {
    const today = new Date();
    return today.getFullYear() * 10_000 + (today.getMonth() + 1) * 100 + today.getDate();
}
