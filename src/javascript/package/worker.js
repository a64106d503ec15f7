// The worker of an engine: runs one search after another.

import { Core, variantNumber } from './core.js';

/** The bytes of a network, unpacked if it is compressed. */
export async function unpacked(bytes) {
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
    const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const whole = await new Response(unzipped).arrayBuffer().catch((cause) => {
        throw new Error('the network is damaged', { cause });
    });
    return new Uint8Array(whole);
}

/** Answers messages through `post`; `load` fetches a file by URL. */
export function serve(post, load) {
    let core = null;
    let flag = null;
    let current = 0;
    const known = new Set();

    const callbacks = {
        report: (line) => post({ number: current, line: JSON.parse(line) }),
        isStopped: () => flag !== null && Atomics.load(flag, 0) === 1,
    };

    async function search({ number, request, files }) {
        try {
            const { variant } = request;
            if (!known.has(variant)) {
                const [network, certificate] = await Promise.all([
                    load(files.network), files.certificate && load(files.certificate), core.fetchTables(variant, files.tables, load),
                ]);
                core.ask('take_network', await unpacked(network), variantNumber(variant));
                if (certificate) core.ask('take_certificate', certificate);
                known.add(variant);
            }
            current = number;
            post({ number, answer: core.ask('search', JSON.stringify(request)) });
        } catch (error) {
            post({ number, failed: error.message, isBroken: core.broken !== null });
        }
    }

    return (message) => {
        if (message.module) {
            core = new Core(message.module, callbacks);
            flag = message.flag;
        } else if (message.clear) {
            core.tell('clear');
        } else {
            search(message);
        }
    };
}
