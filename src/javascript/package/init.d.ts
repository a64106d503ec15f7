export * from './index.js';

/**
 * Fetches the WebAssembly module; everything else can be used once it resolves. In Node it does
 * nothing.
 *
 * `locateFile` gives the address, absolute or relative to the page, of each file that is not beside
 * the code: `qirkat.wasm`, `worker_browser.js` (which imports others beside it), and for each variant
 * such as `networks/chesquerque.net`, `tables/chesquerque.tables` and `books/chesquerque.book`, besides
 * `tables/start.alquerque.cert`. Undefined means beside the code. Only the first call can set it.
 *
 * @throws when the module cannot be fetched or compiled; the next call tries again
 */
export function init(options?: { locateFile?: (file: string) => string | URL | undefined }): Promise<void>;
