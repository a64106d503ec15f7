// The package in a browser, ready after `init`.

import { fetchFile, options, shown, usePlatform } from './core.js';
import { addressOf, located, locateFiles } from './files.js';
import { fetchModule } from './wasm_instance.js';

/** The address of a script of this host that imports the worker from another. */
let importingScript = null;

function startWorker() {
    const module = new URL(addressOf('qirkat.wasm'));
    const beside = module.origin === location.origin ? undefined : new URL('worker_browser.js', module);
    const address = located('worker_browser.js') ?? beside;
    // Bundlers recognise this expression.
    if (!address) return new Worker(new URL('./worker_browser.js', import.meta.url), { type: 'module' });
    if (address.origin === location.origin) return new Worker(address, { type: 'module' });
    const script = `import ${JSON.stringify(address.href)};`;
    importingScript ??= URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    return new Worker(importingScript, { type: 'module' });
}

async function load() {
    usePlatform({
        module: await fetchModule(addressOf('qirkat.wasm')),
        load: fetchFile,
        canShare: () => globalThis.crossOriginIsolated === true,
        startWorker(hear, fail) {
            const worker = startWorker();
            worker.onmessage = ({ data }) => hear(data);
            worker.onerror = (event) => {
                event.preventDefault();
                fail(event.message || 'its worker cannot be loaded');
            };
            return {
                post: (message) => worker.postMessage(message),
                end: () => worker.terminate(),
                hold: () => {},
            };
        },
    });
}

let loading = null;

export async function init(given = {}) {
    const { locateFile } = options(given, ['locateFile']);
    if (locateFile !== undefined) {
        if (typeof locateFile !== 'function') throw new TypeError(`locateFile must be a function, not ${shown(locateFile)}`);
        if (loading !== null) throw new Error('locateFile comes too late: the module is being fetched already');
        locateFiles(locateFile);
    }
    loading ??= load().catch((error) => {
        loading = null;
        throw error;
    });
    return loading;
}

export * from './index.js';
