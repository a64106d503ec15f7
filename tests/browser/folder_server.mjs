// A host of static files on a free port of this machine.

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
    '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.png': 'image/png', '.svg': 'image/svg+xml',
    '.wasm': 'application/wasm',
    '.webmanifest': 'application/manifest+json',
};

/**
 * Serves the files of a folder; resolves when they can be had. Scripts in `replaced`, by
 * their paths, come in place of those of the folder, and `headers` come with each file.
 */
export function serveFolder(folder, replaced = new Map(), headers = {}) {
    const host = createServer((request, response) => {
        const { pathname } = new URL(request.url, 'http://localhost');
        const file = join(folder, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
        if (replaced.has(pathname)) {
            response.writeHead(200, { 'Content-Type': TYPES['.js'] }).end(replaced.get(pathname));
            return;
        }
        if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
            response.writeHead(404).end();
            return;
        }
        response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain', ...headers });
        createReadStream(file).pipe(response);
    });
    return new Promise((resolve) => {
        host.listen(0, '127.0.0.1', () => resolve({
            address: `http://127.0.0.1:${host.address().port}/`,
            stop: () => new Promise((ended) => {
                host.close(() => ended({ code: 130 }));
                host.closeAllConnections();
            }),
            remove: () => {},
        }));
    });
}
