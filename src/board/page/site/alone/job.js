// A worker that searches or reviews. It hears nothing while it does a job: to stop it, it is
// ended.

import { Engine } from './engine.js';

let engine = null;
let reason = '';

onmessage = ({ data }) => {
    try {
        if (data.module) {
            engine = new Engine(data.module, {
                report: (text) => postMessage({ report: text }),
                brokeDown: (text) => { reason = text; },
            });
        } else if (data.certificate) {
            engine.send('hold_certificate', data.certificate);
        } else if (!engine.send('run_job', data.job)) {
            postMessage({ failed: reason });
        }
    } catch (error) {
        postMessage({ failed: reason || String(error) });
    }
};
