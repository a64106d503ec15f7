// Arrows and circles: those that somebody drew, and those of the program.

import { svg, UNIT } from './svg.js';

/**
 * @typedef {Object} Shape  an arrow, or without an end a circle
 * @property {string} from
 * @property {string} [to]
 * @property {string[]} [via]    points between
 * @property {string} [brush]    colour
 * @property {number} [weight]   width from 0 to 1
 */

/** The arrow of a move over these points. */
export const arrow = (points, brush, weight) => ({
    from: points[0], to: points[points.length - 1], via: points.slice(1, -1), brush, weight,
});

/** Colours by the keys held while drawing. */
export function brushOf(event) {
    if (event.shiftKey && event.altKey) return 'yellow';
    if (event.shiftKey || event.ctrlKey) return 'red';
    return event.altKey ? 'blue' : 'green';
}

/** Whether two shapes lie over each other. */
const alike = (a, b) => a.from === b.from && (a.to ?? a.from) === (b.to ?? b.from);

/** The shapes with one more, which replaces one of another colour; without it if it was there. */
export function toggled(shapes, shape) {
    const old = shapes.find((known) => alike(known, shape));
    const others = shapes.filter((known) => known !== old);
    return old && old.brush === shape.brush ? others : [...others, shape];
}

export class ArrowLayer {
    constructor() {
        this.group = svg('g', { class: 'arrows', 'aria-hidden': 'true' });
        this.drawn = [];
        this.shown = [];
    }

    /** Adds a shape drawn by hand, or takes it away if it was there. */
    toggle(shape) {
        this.drawn = toggled(this.drawn, shape);
    }

    /** Draws all shapes, and one that is just being drawn. */
    show(placeOf, pending = null) {
        this.group.replaceChildren();
        for (const shape of [...this.shown, ...this.drawn, ...(pending ? [pending] : [])]) {
            this.group.append(this.#draw(shape, placeOf));
        }
    }

    #draw(shape, placeOf) {
        const { from, to = from, brush = 'green', weight = 1 } = shape;
        const start = placeOf(from);
        if (from === to) {
            return svg('circle', { cx: start.x, cy: start.y, r: 0.45 * UNIT, class: `ring ${brush}` });
        }
        const points = [from, ...(shape.via ?? []), to].map(placeOf);
        const group = svg('g', { class: `arrow ${brush}`, 'data-arrow': `${from}${to}` });
        group.append(svg('path', { d: arrowPath(points, 6 + 9 * weight) }));
        return group;
    }
}

/** The outline of an arrow along points, with its head at the last. */
function arrowPath(points, width) {
    let d = '';
    for (let index = 1; index < points.length; index += 1) {
        const from = points[index - 1];
        const to = points[index];
        const length = Math.hypot(to.x - from.x, to.y - from.y);
        const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
        const aside = { x: -along.y, y: along.x };
        const last = index === points.length - 1;
        const head = last ? 2.6 * width : 0;
        const begin = index === 1 ? 24 : 0;
        const end = length - (last ? 10 : 0);
        const at = (forward, sideways) => `${from.x + along.x * forward + aside.x * sideways} `
            + `${from.y + along.y * forward + aside.y * sideways}`;
        const half = width / 2;
        d += `M${at(begin, half)}L${at(end - head, half)}`;
        if (last) d += `L${at(end - head, 2 * width)}L${at(end, 0)}L${at(end - head, -2 * width)}`;
        d += `L${at(end - head, -half)}L${at(begin, -half)}Z`;
    }
    return d;
}
