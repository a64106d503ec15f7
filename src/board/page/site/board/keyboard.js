// The board by keyboard: arrow keys lead a cursor, Enter or space takes a piece
// and puts it down, Escape lets it go.
//
// A click brings the focus too, but not the cursor: where the page has a use of its own
// for arrow keys (`leavesArrows`), whoever moves by mouse goes on stepping through the game.

import { neighbour } from './geometry.js';

const DIRECTIONS = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};

/**
 * Follows keys on the board's element. `board` has `description`, `flipped`, `cursor`, perhaps
 * `leavesArrows`, and `pointNamed(name)`, `firstCursor()`, `setCursor(name)`, `mayLetGo()`,
 * `choose(name)` and `cancel()`.
 */
export function followKeys(element, board) {
    let usesPointer = false;
    const lead = (name) => {
        usesPointer = false;
        board.setCursor(name);
    };
    const leave = () => {
        usesPointer = true;
        board.setCursor(null);
    };

    element.addEventListener('pointerdown', leave, true);
    element.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const direction = DIRECTIONS[event.key];
        if (direction && !event.shiftKey && !(usesPointer && board.leavesArrows)) {
            const sign = board.flipped ? -1 : 1;
            const from = board.pointNamed(board.cursor ?? board.firstCursor());
            const next = board.cursor === null
                ? from
                : neighbour(board.description, from, direction[0] * sign, direction[1] * sign);
            lead((next ?? from).name);
        } else if (event.key === 'Enter' || event.key === ' ') {
            if (board.cursor === null) lead(board.firstCursor());
            else board.choose(board.cursor);
        } else if (event.key === 'Escape' && board.mayLetGo()) {
            board.cancel();
        } else if (event.key === 'Escape' && board.leavesArrows && board.cursor !== null) {
            leave();
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    });
    element.addEventListener('blur', () => lead(null));
}
