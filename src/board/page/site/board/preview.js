// A small picture of a position, for lists: the lines or cells and the pieces, nothing else.

import { frameOf, placeIn } from './backdrop.js';
import { piecesOf, sideOf } from './geometry.js';
import { pieceSymbols } from './pieces.js';
import { svg, UNIT } from './svg.js';

/** One set of pieces for all previews of the page. */
let shared = null;

/** The definitions of the pieces, to which all previews refer: put into the page once, unseen. */
function sharedPieces() {
    if (!shared) {
        shared = pieceSymbols();
        document.body.append(svg('svg', { width: 0, height: 0, class: 'shared-pieces', 'aria-hidden': 'true' }, shared.defs));
    }
    return shared;
}

/** A picture of pieces, as in the first field of a FEN, on the board of a game. */
export function previewOf(description, placement, { flipped = false } = {}) {
    const frame = frameOf(description, 'none');
    const [width, height] = [frame.width * UNIT, frame.height * UNIT];
    const place = placeIn(frame, description, flipped);
    const { idOf } = sharedPieces();
    const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
        svg('rect', { width, height, rx: 20, class: 'ground' }));
    const lines = description.lines.map(([x1, y1, x2, y2]) => {
        const [from, to] = [place({ x: x1, y: y1 }), place({ x: x2, y: y2 })];
        return `M${from.x} ${from.y}L${to.x} ${to.y}`;
    });
    if (lines.length > 0) picture.append(svg('path', { d: lines.join(''), class: 'board-line' }));
    const places = new Map(description.points.map((point) => [point.name, place(point)]));
    if (description.style === 'cells') {
        picture.append(...description.points.map(({ name, kind }) => {
            const { x, y } = places.get(name);
            return svg('rect', { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, class: `cell ${kind}` });
        }));
    }
    for (const [name, letter] of piecesOf(description, placement)) {
        const { x, y } = places.get(name);
        const use = svg('use', { href: `#${idOf(letter)}`, x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT });
        picture.append(svg('g', { class: `piece ${sideOf(letter)}` }, use));
    }
    return picture;
}
