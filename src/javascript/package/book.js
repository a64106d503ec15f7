// An opening book.

import { gameOf } from './board.js';
import { currentCore, Held, platform, shown, variantNumber } from './core.js';
import { addressOf } from './files.js';

export class Book {
    #held;
    #about;

    static {
        if (Symbol.dispose) this.prototype[Symbol.dispose] = this.prototype.free;
    }

    constructor(file) {
        const bytes = file instanceof ArrayBuffer ? new Uint8Array(file) : file;
        if (!(bytes instanceof Uint8Array)) throw new TypeError(`a book is made of bytes, not of ${shown(file)}`);
        const core = currentCore();
        this.#held = new Held(this, core, core.ask('book_open', bytes), 'book_close');
        this.#about = core.ask('book_about', '', this.#held.number);
    }

    static async load(variant = 'chesquerque') {
        variantNumber(variant);
        currentCore();
        return new Book(await platform.load(addressOf(`books/${variant}.book`)));
    }

    get variant() {
        return this.#about.variant;
    }

    get origin() {
        return this.#about.origin;
    }

    get size() {
        return this.#about.size;
    }

    probe(board) {
        if (this.#held === null) throw new Error('the book has been freed');
        // Throws unless it is a board with a legal position.
        if (gameOf(board).variant !== this.variant) return null;
        return this.#held.core.ask('book_probe', board.fen(), this.#held.number);
    }

    free() {
        this.#held?.free();
        this.#held = null;
    }
}
