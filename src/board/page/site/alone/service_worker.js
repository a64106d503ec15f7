// Keeps the page and its engine in the browser, so that it opens without a network too. A new
// version is fetched whole and waits until the page asks for it or all its tabs are closed:
// no page gets files of two versions. What is large and seldom used is kept once it was asked for.
// `scripts/build-web` writes in what is marked `{{…}}`.

const VERSION = '{{version}}';
const FILES = '{{files}}'.split(' ');
/** Those that are fetched when they are of use. */
const LATER = '{{later}}'.split(' ').map((file) => new URL(file, self.registration.scope).href);

/** Another page of the same host may be a Qirkat too. */
const OURS = `qirkat ${self.registration.scope} `;
const NAME = OURS + VERSION;

self.addEventListener('install', (event) => {
    const requests = ['./', ...FILES].map((file) => new Request(file, { cache: 'no-cache' }));
    event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)));
});

self.addEventListener('activate', (event) => {
    const clear = async () => {
        const names = await caches.keys();
        await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== NAME).map((name) => caches.delete(name)));
        await self.clients.claim();
    };
    event.waitUntil(clear());
});

self.addEventListener('fetch', (event) => {
    const { request } = event;
    if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
    const find = async () => {
        const cache = await caches.open(NAME);
        const kept = await cache.match(request, { ignoreSearch: true });
        if (kept) return kept;
        const answer = await fetch(request);
        if (answer.ok && LATER.includes(request.url)) await cache.put(request, answer.clone());
        return answer;
    };
    event.respondWith(find());
});

self.addEventListener('message', ({ data }) => {
    if (data === 'take over') self.skipWaiting();
});
