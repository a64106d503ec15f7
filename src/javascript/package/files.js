// Finds the package's files that are not scripts.

import { shown } from './core.js';

/** The files beside this one. Bundlers recognise these expressions, and take the files along. */
const FILES = {
    'qirkat.wasm': () => new URL('./qirkat.wasm', import.meta.url),
    'books/chesquerque.book': () => new URL('./books/chesquerque.book', import.meta.url),
    'books/masonic.book': () => new URL('./books/masonic.book', import.meta.url),
    'books/alquerque.book': () => new URL('./books/alquerque.book', import.meta.url),
    'networks/chesquerque.net': () => new URL('./networks/chesquerque.net', import.meta.url),
    'networks/masonic.net': () => new URL('./networks/masonic.net', import.meta.url),
    'networks/alquerque.net': () => new URL('./networks/alquerque.net', import.meta.url),
    'tables/chesquerque.tables': () => new URL('./tables/chesquerque.tables', import.meta.url),
    'tables/masonic.tables': () => new URL('./tables/masonic.tables', import.meta.url),
    'tables/alquerque.tables': () => new URL('./tables/alquerque.tables', import.meta.url),
    'tables/start.alquerque.cert': () => new URL('./tables/start.alquerque.cert', import.meta.url),
};

let locateFile = () => undefined;

/** Sets where files are: a function from their names to addresses. */
export function locateFiles(locate) {
    locateFile = locate;
}

/** The address that was set for a file; undefined where none was. */
export function located(file) {
    const address = locateFile(file);
    if (address === undefined) return undefined;
    try {
        return new URL(address, globalThis.document?.baseURI ?? location.href);
    } catch {
        throw new TypeError(`locateFile: the address of ${file} cannot be ${shown(address)}`);
    }
}

export function addressOf(file) {
    return String(located(file) ?? FILES[file]());
}
