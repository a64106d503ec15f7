// A WebAssembly module of Qirkat: fetched, instantiated and called. What goes in and out is text
// (`src/board/page/worker/exports.rs`; in the package for JavaScript `src/javascript/calls.rs`).

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** Fetches the module. */
export async function fetchModule(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

/** An instance of the module. After an exception of a call it is of no use any more. */
export class Engine {
    #exports;

    /**
     * `hosts` hears what the module says: `reply`, `keep`, `report` and `brokeDown` with a
     * text, `startWorker` with a number and a text, `endWorker` with a number, `fetchCertificate`
     * with nothing; `isStopped` is asked while it searches.
     */
    constructor(module, hosts = {}) {
        const text = (at, length) => DECODER.decode(new Uint8Array(this.#exports.memory.buffer, at, length));
        const host = {
            now: () => performance.timeOrigin + performance.now(),
            date,
            chance: () => Math.floor(Math.random() * 2 ** 32),
            reply: (at, length) => hosts.reply?.(text(at, length)),
            keep: (at, length) => hosts.keep?.(text(at, length)),
            report: (at, length) => hosts.report?.(text(at, length)),
            broke_down: (at, length) => hosts.brokeDown?.(text(at, length)),
            start_worker: (worker, at, length) => hosts.startWorker?.(worker, text(at, length)),
            fetch_certificate: () => hosts.fetchCertificate?.(),
            end_worker: (worker) => hosts.endWorker?.(worker),
            is_stopped: () => Number(hosts.isStopped?.() ?? false),
        };
        this.#exports = new WebAssembly.Instance(module, { host }).exports;
    }

    /** Calls a function that takes a message, a text or bytes, and perhaps numbers. */
    send(name, message, ...numbers) {
        const bytes = message instanceof Uint8Array ? message : ENCODER.encode(message);
        const at = this.#exports.message_buffer(bytes.length);
        new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
        return this.#exports[name](...numbers);
    }

    /** Calls a function that takes numbers. */
    call(name, ...numbers) {
        return this.#exports[name](...numbers);
    }
}

/** Today as a number: 20261231. */
function date() {
    const today = new Date();
    return today.getFullYear() * 10_000 + (today.getMonth() + 1) * 100 + today.getDate();
}
