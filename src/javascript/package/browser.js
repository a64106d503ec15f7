// The package in a browser. It is ready when its module has been fetched.

import { usePlatform } from './core.js';
import { fetchModule } from './instance.js';

/** The start of a worker from another host: a script of this host that imports it. */
let foreignPlace = null;

function startWorker() {
    const here = new URL(import.meta.url);
    if (here.origin === location.origin) {
        // Bundlers recognise this expression.
        return new Worker(new URL('./worker_browser.js', import.meta.url), { type: 'module' });
    }
    const script = `import ${JSON.stringify(new URL('worker_browser.js', here).href)};`;
    foreignPlace ??= URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    return new Worker(foreignPlace, { type: 'module' });
}

usePlatform({
    module: await fetchModule(new URL('./qirkat.wasm', import.meta.url)),
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

export * from './index.js';
