// Marks under and over the pieces: last move, check, the piece in hand, and
// where it may go (a dot for a move, a ring for a capture).

import { svg, UNIT } from './svg.js';

const RADIUS = 0.46 * UNIT;

export class MarkLayer {
    constructor() {
        this.under = svg('g', { class: 'marks', 'aria-hidden': 'true' });
        this.over = svg('g', { class: 'marks', 'aria-hidden': 'true' });
    }

    /** Draws what there is: lists of point names, and `placeOf` for a name. */
    show({ last = [], check = null, selected = [], moves = [], captures = [], cursor = null }, placeOf) {
        this.under.replaceChildren();
        this.over.replaceChildren();
        const add = (layer, name, kind, r) => {
            const { x, y } = placeOf(name);
            layer.append(svg('circle', { cx: x, cy: y, r, class: `mark ${kind}`, 'data-mark': kind, 'data-point': name }));
        };
        for (const name of last) add(this.under, name, 'last', RADIUS);
        if (check) add(this.under, check, 'check', RADIUS);
        for (const name of selected) add(this.under, name, 'selected', RADIUS);
        for (const name of moves) add(this.over, name, 'move', 0.14 * UNIT);
        for (const name of captures) add(this.over, name, 'capture', 0.42 * UNIT);
        if (cursor) add(this.over, cursor, 'cursor', 0.48 * UNIT);
    }
}
