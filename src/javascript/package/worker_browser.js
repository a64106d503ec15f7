// The worker of an engine in a browser.

import { serve } from './worker.js';

async function load(address) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
}

const answer = serve((message) => postMessage(message), load);
onmessage = ({ data }) => answer(data);
