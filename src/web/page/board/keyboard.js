// The board by keyboard: arrow keys lead a cursor, Enter or space takes a piece
// and puts it down, Escape lets it go.

import { neighbour } from './geometry.js';

const DIRECTIONS = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};

/**
 * Follows keys on the board's element. `board` has `description`, `flipped`,
 * `cursor` and `setCursor(name)`, `choose(name)` and `cancel()`.
 */
export function followKeys(element, board) {
    element.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const direction = DIRECTIONS[event.key];
        if (direction && !event.shiftKey) {
            const sign = board.flipped ? -1 : 1;
            const from = board.pointNamed(board.cursor ?? board.firstCursor());
            const next = board.cursor === null
                ? from
                : neighbour(board.description, from, direction[0] * sign, direction[1] * sign);
            board.setCursor((next ?? from).name);
        } else if ((event.key === 'Enter' || event.key === ' ') && board.cursor !== null) {
            board.choose(board.cursor);
        } else if (event.key === 'Escape' && board.hasSelection()) {
            board.cancel();
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    });
    element.addEventListener('blur', () => board.setCursor(null));
}
