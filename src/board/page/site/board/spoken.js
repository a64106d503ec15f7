// The board in words, for screen readers.

import { sideOf } from './geometry.js';

/** The name of a piece, such as `knight`. */
export const nameOfPiece = (description, letter) => description.pieces[letter.toLowerCase()] ?? letter;

/** A piece in words, as in `white knight`. */
export function pieceInWords(description, letter) {
    return `${sideOf(letter)} ${nameOfPiece(description, letter)}`;
}

/** A point in words: its name, its kind, what stands on it and may be done. */
export function pointInWords(description, name, { pieces, selection }) {
    const point = description.points.find((known) => known.name === name);
    const letter = pieces.get(name);
    const parts = [name, description.kinds[point.kind] ?? point.kind];
    parts.push(letter ? pieceInWords(description, letter) : 'empty');
    const { moves, captures } = selection.targets;
    if (selection.from === name) parts.push('in hand');
    else if (captures.includes(name)) parts.push('can be captured');
    else if (moves.includes(name)) parts.push('can be reached');
    else if (!selection.from && selection.canMove(name)) parts.push('can move');
    return parts.join(', ');
}

/** All pieces in words, side by side. */
export function boardInWords(description, pieces) {
    const sides = { white: [], black: [] };
    for (const [name, letter] of pieces) {
        sides[sideOf(letter)].push(`${nameOfPiece(description, letter)} ${name}`);
    }
    return Object.entries(sides)
        .map(([side, list]) => `${side}: ${list.sort().join(', ') || 'nothing'}`)
        .join('. ');
}
