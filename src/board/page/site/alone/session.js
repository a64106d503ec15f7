// The worker of a page without a server: its session answers the page, and further workers
// search for it.

import { WasmInstance, fetchModule } from './wasm_instance.js';

let module = null;
let instance = null;
let reason = '';
let timer = 0;
let certificate = null;
/** Files that other tabs have kept or removed while the module is being loaded. */
const early = [];
const workers = new Map();

const callbacks = {
    reply: (text) => postMessage({ reply: text }),
    keep: (text) => postMessage({ keep: text }),
    crashed: (text) => { reason = text; },
    startWorker,
    endWorker: (nothing, number) => endWorker(number),
    fetchFile,
};

/** Does something with the session, and then what is due. */
function act(something) {
    try {
        something();
        clearTimeout(timer);
        const wait = instance.call('poll');
        if (wait >= 0) timer = setTimeout(() => act(() => {}), wait);
    } catch (error) {
        for (const worker of workers.keys()) endWorker(worker);
        postMessage({ failed: reason || String(error) });
        close();
    }
}

function startWorker(job, number) {
    let worker = workers.get(number);
    if (!worker) {
        worker = new Worker(new URL('job.js', import.meta.url), { type: 'module' });
        worker.onmessage = ({ data }) => {
            // A worker that was ended may have said something before.
            if (workers.get(number) !== worker) return;
            if (data.report) act(() => instance.send('receive_from_worker', data.report));
            else workerCrashed(number, data.failed);
        };
        worker.onerror = (event) => {
            event.preventDefault();
            if (workers.get(number) === worker) workerCrashed(number, event.message);
        };
        worker.postMessage({ module });
        if (certificate) worker.postMessage({ certificate });
        workers.set(number, worker);
    }
    worker.postMessage({ job });
}

function endWorker(number) {
    workers.get(number)?.terminate();
    workers.delete(number);
}

function workerCrashed(number, why) {
    console.info(`a worker has crashed: ${why}`);
    endWorker(number);
    act(() => instance.call('worker_crashed', number));
}

/**
 * Fetches a file beside the page for the session, such as the certificate of Alquerque. If that
 * fails, the session gets an empty one.
 */
async function fetchFile(name, number) {
    let fetched = new Uint8Array();
    try {
        const response = await fetch(new URL(`../${name}`, import.meta.url));
        if (response.ok) fetched = new Uint8Array(await response.arrayBuffer());
    } catch (error) {
        console.info(`${name} cannot be fetched: ${error}`);
    }
    act(() => {
        // The session checks the certificate for all workers, which takes a second.
        if (!instance.send('receive_fetched', fetched, number)) return;
        certificate = fetched;
        for (const worker of workers.values()) worker.postMessage({ certificate });
    });
}

async function open(files) {
    try {
        module = await fetchModule(new URL('../engine.wasm', import.meta.url));
        instance = new WasmInstance(module, callbacks);
    } catch (error) {
        postMessage({ failed: String(error) });
        return;
    }
    postMessage({ open: true });
    act(() => instance.send('open_session', JSON.stringify([...files, ...early])));
}

onmessage = ({ data }) => {
    if (data.files) open(data.files);
    else if (data.file && !instance) early.push(data.file);
    else if (data.file) act(() => instance.send('receive_file', JSON.stringify(data.file)));
    else if (instance) act(() => instance.send('receive_from_page', data.request));
};
