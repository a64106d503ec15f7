// Marks under and over the pieces: last move, check, the piece in hand, and
// where it may go (a dot for a move, a broken ring for a capture).

import { svg, UNIT } from './svg.js';

const RADIUS = 0.47 * UNIT;
/** Points of the star under a king in check. */
const SPIKES = 12;

/** A star round a place, for `points` of a polygon. */
function star({ x, y }) {
    const points = Array.from({ length: 2 * SPIKES }, (_, at) => {
        const radius = (at % 2 === 0 ? 0.56 : 0.43) * UNIT;
        const angle = (at * Math.PI) / SPIKES;
        return `${(x + radius * Math.sin(angle)).toFixed(1)},${(y - radius * Math.cos(angle)).toFixed(1)}`;
    });
    return points.join(' ');
}

export class MarkLayer {
    constructor() {
        this.under = svg('g', { class: 'marks', 'aria-hidden': 'true' });
        this.over = svg('g', { class: 'marks', 'aria-hidden': 'true' });
    }

    /** Draws what there is: lists of point names, and `placeOf` for a name. */
    show({ last = [], check = null, selected = [], moves = [], captures = [], cursor = null, captions = new Map(), ways = [] }, placeOf) {
        this.under.replaceChildren();
        this.over.replaceChildren();
        const draw = (layer, name, kind, shape, attributes) => {
            layer.append(svg(shape, { ...attributes, class: `mark ${kind}`, 'data-mark': kind, 'data-point': name }));
        };
        const add = (layer, name, kind, r) => {
            const { x, y } = placeOf(name);
            draw(layer, name, kind, 'circle', { cx: x, cy: y, r });
        };
        if (ways.length > 0) this.#ways(ways, placeOf);
        // While a piece in hand has marks where it may go, the ends of ways get none.
        for (const { points, capture } of moves.length + captures.length > 0 ? [] : ways) {
            const end = points[points.length - 1];
            add(this.over, end, capture ? 'reach capture' : 'reach', (capture ? 0.42 : 0.14) * UNIT);
        }
        for (const name of last) add(this.under, name, 'last', RADIUS);
        if (check) draw(this.under, check, 'check', 'polygon', { points: star(placeOf(check)) });
        for (const name of selected) add(this.under, name, 'selected', RADIUS);
        for (const name of moves) add(this.over, name, 'move', 0.14 * UNIT);
        for (const name of captures) add(this.over, name, 'capture', 0.43 * UNIT);
        for (const [name, text] of captions) this.#caption(placeOf(name), text);
        if (cursor) add(this.over, cursor, 'cursor', 0.48 * UNIT);
    }

    /** The lines along which a piece moves; those that ways share are drawn once. */
    #ways(ways, placeOf) {
        const legs = new Set(ways.flatMap(({ points }) => points.slice(1).map((name, at) => `${points[at]} ${name}`)));
        const d = [...legs].map((leg) => leg.split(' ').map((name) => placeOf(name)))
            .map(([from, to]) => `M${from.x} ${from.y}L${to.x} ${to.y}`).join('');
        this.under.append(svg('path', { d, class: 'mark way', 'data-mark': 'way' }));
    }

    /** A few letters below a piece. */
    #caption({ x, y }, text) {
        const width = 13 * text.length + 12;
        const label = svg('text', { x, y: y + 0.36 * UNIT, class: 'caption' });
        label.textContent = text;
        this.over.append(
            svg('rect', { x: x - width / 2, y: y + 0.22 * UNIT, width, height: 0.28 * UNIT, rx: 7, class: 'caption' }),
            label,
        );
    }
}
