// The pieces on the board, and their way from place to place.

import { sideOf } from './geometry.js';
import { pieceSymbols } from './pieces.js';
import { svg, UNIT } from './svg.js';

/** Size of a piece, in SVG units. */
const SIZE = 1.08 * UNIT;

export class PieceLayer {
    constructor() {
        const { defs, idOf } = pieceSymbols();
        this.idOf = idOf;
        this.group = svg('g', { class: 'pieces', 'aria-hidden': 'true' });
        this.defs = defs;
        /** Name of a point to {letter, element}. */
        this.standing = new Map();
    }

    /** Shows these pieces; those that moved slide for this many milliseconds. */
    show(pieces, placeOf, milliseconds) {
        const moved = milliseconds > 0 ? this.#journeys(pieces) : new Map();
        const before = this.standing;
        this.standing = new Map();
        this.group.replaceChildren();
        for (const [name, letter] of pieces) {
            const element = this.drawn(letter);
            this.#put(element, placeOf(name));
            this.group.append(element);
            this.standing.set(name, { letter, element });
            const from = moved.get(name);
            if (from !== undefined && before.has(from)) {
                slide(element, placeOf(from), placeOf(name), milliseconds);
            }
        }
    }

    /** Where the pieces that are new on their points have come from. */
    #journeys(pieces) {
        const gone = [...this.standing].filter(([name, { letter }]) => pieces.get(name) !== letter);
        const come = [...pieces].filter(([name, letter]) => this.standing.get(name)?.letter !== letter);
        const from = new Map();
        for (const [name, letter] of come) {
            const same = gone.findIndex(([, old]) => old.letter === letter);
            // A pawn that has become something else comes from where a pawn is gone.
            const pawn = gone.findIndex(([, old]) => old.letter.toLowerCase() === 'p'
                && sideOf(old.letter) === sideOf(letter));
            const at = same >= 0 ? same : pawn;
            if (at >= 0) from.set(name, gone.splice(at, 1)[0][0]);
        }
        // Another position altogether: nothing has moved, it is just different.
        return come.length > 4 ? new Map() : from;
    }

    /** A piece by itself. */
    drawn(letter) {
        const use = svg('use', {
            href: `#${this.idOf(letter)}`, x: -SIZE / 2, y: -SIZE / 2 - 3, width: SIZE, height: SIZE,
        });
        return svg('g', { class: `piece ${sideOf(letter)}` }, use);
    }

    #put(element, { x, y }) {
        element.setAttribute('transform', `translate(${x} ${y})`);
    }

    /** Lifts a piece under the pointer, above all others. */
    lift(name, place) {
        const piece = this.standing.get(name);
        if (!piece) return;
        piece.element.classList.add('lifted');
        piece.element.getAnimations().forEach((animation) => animation.cancel());
        this.group.append(piece.element);
        this.#put(piece.element, place);
    }

    /** Puts a lifted piece back, or where a move in progress has led it. */
    settle(name, place) {
        const piece = this.standing.get(name);
        if (!piece) return;
        piece.element.classList.remove('lifted');
        this.#put(piece.element, place);
    }
}

function slide(element, from, to, duration) {
    const at = ({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` });
    element.animate([at(from), at(to)], { duration, easing: 'ease-in-out' });
}
