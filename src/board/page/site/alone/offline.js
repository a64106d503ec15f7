// The page kept in the browser (`service_worker.js`), and new versions of it.

import { showStaying } from '../app/elements.js';

/** Milliseconds after which a page that was left open looks for a new version, when it is looked at again. */
const LOOK_AGAIN = 3_600_000;

/** Lets the browser keep the page, where it can, and offers a new version when there is one. */
export async function keepOffline() {
    const { serviceWorker } = navigator;
    const kept = await serviceWorker?.register('service-worker.js', { updateViaCache: 'none' }).catch(() => null);
    if (!kept) return;
    const offer = () => {
        // Without a controller it is the first version, which this page is already.
        if (!kept.waiting || !serviceWorker.controller) return;
        showStaying('There is a new version of this page.', 'Take it', () => kept.waiting?.postMessage('take over'), 'note');
    };
    kept.addEventListener('updatefound', () => kept.installing?.addEventListener('statechange', offer));
    offer();
    let isKept = Boolean(serviceWorker.controller);
    serviceWorker.addEventListener('controllerchange', () => {
        if (isKept) location.reload();
        isKept = true;
    });
    let looked = performance.now();
    document.addEventListener('visibilitychange', () => {
        if (document.hidden || performance.now() - looked < LOOK_AGAIN) return;
        looked = performance.now();
        kept.update().catch(() => {});
    });
}
