// The package in Node.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

import { usePlatform } from './core.js';
import { addressOf } from './files.js';

usePlatform({
    module: new WebAssembly.Module(readFileSync(new URL(addressOf('qirkat.wasm')))),
    load: (address) => readFile(new URL(address)),
    canShare: () => true,
    startWorker(hear, fail) {
        const worker = new Worker(new URL('./worker_node.js', import.meta.url));
        worker.on('message', hear);
        worker.on('error', (error) => fail(error.message));
        worker.on('exit', () => fail('its worker has ended'));
        // An idle engine does not keep the program running.
        worker.unref();
        return {
            post: (message) => worker.postMessage(message),
            end: () => worker.terminate(),
            hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
        };
    },
});

/** What `qirkat/init` has in a browser: here everything is ready. */
export async function init() {}

export * from './index.js';
