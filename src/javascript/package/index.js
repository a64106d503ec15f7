// The exports common to `node.js` and `browser.js`.

export { Board } from './board.js';
export { Book } from './book.js';
export { VARIANTS } from './core.js';
export { Engine } from './engine.js';
export { readPgn, writePgn } from './pgn.js';
