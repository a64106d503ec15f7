// The worker of an engine: runs one search after another.

import { Core, variantNumber } from './core.js';

/** Answers messages through `post`; `load` fetches a file by URL. */
export function serve(post, load) {
    let core = null;
    let flag = null;
    let current = 0;
    const known = new Set();

    const hosts = {
        report: (line) => post({ number: current, line: JSON.parse(line) }),
        isStopped: () => flag !== null && Atomics.load(flag, 0) === 1,
    };

    async function search({ number, order, network }) {
        try {
            if (!known.has(order.variant)) {
                core.ask('take_network', await load(network), variantNumber(order.variant));
                known.add(order.variant);
            }
            current = number;
            post({ number, answer: core.ask('search', JSON.stringify(order)) });
        } catch (error) {
            post({ number, failed: error.message, isBroken: core.broken !== null });
        }
    }

    return (message) => {
        if (message.module) {
            core = new Core(message.module, hosts);
            flag = message.flag;
        } else if (message.forget) {
            core.tell('forget');
        } else {
            search(message);
        }
    };
}
