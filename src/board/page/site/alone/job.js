// A worker that searches or reviews. It hears nothing while it does a job: to stop it, it is
// ended.

import { WasmInstance } from './wasm_instance.js';

let instance = null;
let reason = '';

onmessage = ({ data }) => {
    try {
        if (data.module) {
            instance = new WasmInstance(data.module, {
                report: (text) => postMessage({ report: text }),
                crashed: (text) => { reason = text; },
            });
        } else if (data.certificate) {
            instance.send('hold_certificate', data.certificate);
        } else if (!instance.send('run_job', data.job)) {
            postMessage({ failed: reason });
        }
    } catch (error) {
        postMessage({ failed: reason || String(error) });
    }
};
