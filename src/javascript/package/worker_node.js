// The worker of an engine in Node.

import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';

import { serve } from './worker.js';

parentPort.on('message', serve(
    (message) => parentPort.postMessage(message),
    (address) => readFile(new URL(address)),
));
