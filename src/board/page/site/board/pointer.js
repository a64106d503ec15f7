// Mouse, pen and finger: drag, click and click, and drawing with the right
// button or a colour that was chosen.

import { brushOf } from './arrow_layer.js';

/** Pixels that a pointer moves before it drags. */
const DRAG_THRESHOLD = 5;

/**
 * Follows pointers on the board's SVG element.
 *
 * `board` answers what lies where, may have a `pen`, and is told what is done:
 * `pointAt(event)`, `placeAt(event)`, `press(name)`, `canDrag(name)`, `dragTo(place)`,
 * `drop(name)`, `release(name, wasSelected)`, `cancel()`, `draw(shape, done)`, whose shape is null
 * where an unfinished one is given up.
 */
export function followPointer(element, board) {
    let held = null;
    const giveUp = () => {
        if (held?.dragging) board.cancel();
        if (held?.drawing) board.draw(null, false);
        held = null;
    };

    element.addEventListener('pointerdown', (event) => {
        if (held) {
            // A second finger or button ends what was begun.
            giveUp();
            return;
        }
        const name = board.pointAt(event);
        const brush = event.button === 2 ? brushOf(event) : event.button === 0 ? board.pen : null;
        if (brush) {
            held = { id: event.pointerId, drawing: name, brush };
        } else if (event.button === 0) {
            const again = board.press(name);
            held = { id: event.pointerId, from: name, again, x: event.clientX, y: event.clientY, dragging: false };
        } else {
            return;
        }
        element.setPointerCapture(event.pointerId);
        event.preventDefault();
        element.focus({ preventScroll: true });
    });

    element.addEventListener('pointermove', (event) => {
        if (!held || held.id !== event.pointerId) return;
        const name = board.pointAt(event);
        if (held.drawing !== undefined) {
            if (held.drawing) board.draw({ from: held.drawing, to: name ?? held.drawing, brush: held.brush }, false);
            return;
        }
        const distance = Math.hypot(event.clientX - held.x, event.clientY - held.y);
        held.dragging ||= distance > DRAG_THRESHOLD && board.canDrag(held.from);
        if (held.dragging) board.dragTo(board.placeAt(event));
    });

    element.addEventListener('pointerup', (event) => {
        if (!held || held.id !== event.pointerId) return;
        const name = board.pointAt(event);
        const done = held;
        held = null;
        if (done.drawing !== undefined) {
            if (done.drawing) board.draw({ from: done.drawing, to: name ?? done.drawing, brush: done.brush }, true);
        } else if (done.dragging) {
            board.drop(name);
        } else {
            board.release(name, done.again);
        }
    });

    element.addEventListener('pointercancel', giveUp);
    element.addEventListener('contextmenu', (event) => event.preventDefault());
}
