// What never moves: wood, lines or bricks, points and coordinates.

import { svg, UNIT } from './svg.js';

/** Board units beyond the outermost points, where coordinates stand at the edge. */
const MARGIN = 0.84;
/** The same where none do. */
const NARROW_MARGIN = 0.58;
/**
 * `INWARD`: board units from a coordinate at the edge to one inside. `ASIDE`: how far it is moved
 * along the edge, away from its point.
 */
const INWARD = 0.26;
const ASIDE = { lines: 0.5, cells: 0.38 };

const hasCells = (description) => description.style === 'cells';

/**
 * The rectangle of the drawing in board units: left, bottom, width, height. Coordinates stand
 * at the `edge`, `inside` or not at all.
 */
export function frameOf(description, coordinates = 'edge') {
    const near = coordinates === 'edge' ? MARGIN : NARROW_MARGIN;
    // Those of lines stand at the left and below only.
    const far = hasCells(description) ? near : NARROW_MARGIN;
    return {
        left: -near,
        bottom: -near,
        width: description.width + near + far,
        height: description.height + near + far,
    };
}

/** Returns where in the drawing of a frame something of the board lies. */
export function placeIn(frame, description, flipped) {
    return ({ x, y }) => ({
        x: ((flipped ? description.width - x : x) - frame.left) * UNIT,
        y: (frame.height - ((flipped ? description.height - y : y) - frame.bottom)) * UNIT,
    });
}

/** Draws the board into a group, seen as `place` says. */
export function drawBackdrop(description, place, flipped, coordinates = 'edge') {
    const group = svg('g', { class: 'backdrop', 'aria-hidden': 'true' });
    if (hasCells(description)) {
        for (const point of description.points) {
            const { x, y } = place(point);
            group.append(svg('rect', {
                x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, class: `cell ${point.kind}`,
            }));
        }
    } else {
        const paths = { straight: '', slanting: '' };
        for (const [x1, y1, x2, y2] of description.lines) {
            const from = place({ x: x1, y: y1 });
            const to = place({ x: x2, y: y2 });
            const kind = x1 === x2 || y1 === y2 ? 'straight' : 'slanting';
            paths[kind] += `M${from.x} ${from.y}L${to.x} ${to.y}`;
        }
        for (const [kind, d] of Object.entries(paths)) {
            group.append(svg('path', { d, class: `board-line ${kind}` }));
        }
        for (const point of description.points) {
            const { x, y } = place(point);
            group.append(svg('circle', {
                cx: x, cy: y, r: point.kind === 'diagonal' ? 8 : 4.5, class: `point ${point.kind}`,
            }));
        }
    }
    const labels = coordinates === 'none' ? [] : description.labels;
    for (const label of labels) {
        const at = labelPlace(description, label, place, flipped, coordinates === 'inside');
        const text = svg('text', { x: at.x, y: at.y, class: 'coordinate' });
        text.textContent = label.text;
        group.append(text);
    }
    return group;
}

/**
 * On lines coordinates stay at the left and at the bottom, whichever way the board lies; inside
 * they stand beside the outermost points, to the right of a file or above a rank as it is seen. On
 * cells they turn with the board.
 */
function labelPlace(description, label, place, flipped, inside) {
    const { width, height, style } = description;
    const turned = { x: label.x, y: label.y };
    const turns = flipped && style !== 'cells';
    if (turns && label.y < 0) turned.y = height - label.y;
    if (turns && label.x < 0) turned.x = width - label.x;
    if (!inside) return place(turned);
    const aside = turns ? -ASIDE[style] : ASIDE[style];
    if (label.y < 0 || label.y > height) {
        turned.x += aside;
        turned.y += turned.y > height ? -INWARD : INWARD;
    } else {
        turned.x += turned.x > width ? -INWARD : INWARD;
        turned.y += aside;
    }
    return place(turned);
}
