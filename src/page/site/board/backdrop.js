// What never moves: wood, lines or bricks, points and coordinates.

import { svg, UNIT } from './svg.js';

/** Board units beyond the outermost points, where coordinates stand. */
const MARGIN = 0.98;

const wide = (description) => description.style === 'cells';

/** The four corners of the drawing in board units: left, bottom, width, height. */
export function frameOf(description) {
    return {
        left: -MARGIN,
        bottom: -MARGIN,
        width: description.width + 2 * MARGIN,
        height: description.height + 2 * MARGIN,
    };
}

/** Draws the board into a group, seen as `place` says. */
export function drawBackdrop(description, place, flipped) {
    const group = svg('g', { class: 'backdrop', 'aria-hidden': 'true' });
    if (wide(description)) {
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
    for (const label of description.labels) {
        const at = labelPlace(description, label, place, flipped);
        const text = svg('text', { x: at.x, y: at.y, class: 'coordinate' });
        text.textContent = label.text;
        group.append(text);
    }
    return group;
}

/** Coordinates stay at the left and at the bottom, whichever way the board lies. */
function labelPlace(description, label, place, flipped) {
    if (!flipped || description.style === 'cells') return place(label);
    const turned = { x: label.x, y: label.y };
    if (label.y < 0) turned.y = description.height - label.y;
    if (label.x < 0) turned.x = description.width - label.x;
    return place(turned);
}
