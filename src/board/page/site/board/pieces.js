// The pieces, drawn for this board. Each is a symbol in a square of 100 that
// takes its colours from the CSS variables --piece-fill and --piece-line.

import { sideOf } from './geometry.js';
import { svg } from './svg.js';

/**
 * Outline shapes and inner lines of each kind. Strict JSON, since `qirkat rules --svg` reads it
 * from here too.
 */
const SHAPES = {
    "p": {
        "body": [
            "M50 20 A13.5 13.5 0 0 1 58.5 44 C63 52 66 66 72 79 H28 C34 66 37 52 41.5 44 A13.5 13.5 0 0 1 50 20 Z",
            "M25 79 H75 L79 90 H21 Z"
        ],
        "lines": ["M40 46 H60"]
    },
    "r": {
        "body": [
            "M31 80 L35 44 H65 L69 80 Z",
            "M25 18 H36 V26 H44.5 V18 H55.5 V26 H64 V18 H75 V36 L67 45 H33 L25 36 Z",
            "M24 80 H76 L81 91 H19 Z"
        ],
        "lines": ["M34 45 H66", "M33 70 H67"]
    },
    "n": {
        "body": [
            "M29 80 C28 62 40 56 45 46 C38 50 31 51 26 56 C22 60 15 57 16 51 C18 44 27 38 31 30 C33 24 36 20 38 12 L46 20 C66 20 79 42 74 80 Z",
            "M24 80 H76 L81 91 H19 Z"
        ],
        "lines": ["M52 24 C64 32 68 52 65 74", "M22 52 L24 50"],
        "eyes": [[40, 33, 3]]
    },
    "b": {
        "body": [
            "M36 80 C40 72 41 66 40 60 H60 C59 66 60 72 64 80 Z",
            "M50 17 C62 25 70 36 68 48 C67 54 63 58 60 61 H40 C37 58 33 54 32 48 C30 36 38 25 50 17 Z",
            "M24 80 H76 L81 91 H19 Z"
        ],
        "lines": ["M50 30 V48", "M42 38 H58", "M38 61 H62"],
        "knobs": [[50, 13, 5]]
    },
    "a": {
        "body": [
            "M29 80 C28 66 39 61 44 54 C37 57 31 58 26 62 C22 65 15 62 16 56 C18 49 27 45 32 38 L66 36 C74 46 77 62 74 80 Z",
            "M33 40 C29 27 39 14 52 8 C65 14 75 26 70 40 C58 35 45 35 33 40 Z",
            "M24 80 H76 L81 91 H19 Z"
        ],
        "lines": ["M52 16 V29", "M45 22 H59", "M64 48 C67 57 67 66 65 75", "M22 57 L24 55"],
        "eyes": [[40, 47, 3]]
    },
    "q": {
        "body": [
            "M30 80 L20 36 L35 56 L38 27 L50 52 L62 27 L65 56 L80 36 L70 80 Z",
            "M24 80 H76 L81 91 H19 Z"
        ],
        "lines": ["M31 70 H69"],
        "knobs": [[20, 31, 5], [38, 21, 5], [62, 21, 5], [80, 31, 5]]
    },
    "k": {
        "body": [
            "M47 8 H53 V15 H60 V21 H53 V30 H47 V21 H40 V15 H47 Z",
            "M50 29 C56 29 59 33 59 38 C65 33 78 33 81 44 C84 55 74 64 69 80 H31 C26 64 16 55 19 44 C22 33 35 33 41 38 C41 33 44 29 50 29 Z",
            "M24 80 H76 L81 91 H19 Z"
        ],
        "lines": ["M50 44 C50 54 50 60 50 68", "M31 70 H69"]
    },
    "m": {
        "body": ["M14 53 A36 36 0 1 1 86 53 A36 36 0 1 1 14 53 Z"],
        "rings": [[50, 53, 25], [50, 53, 9]]
    }
};

/**
 * A piece in each of the sets, of which `data-pieces` on an element around it chooses one: its
 * figure, or a disc with its letter.
 */
function symbolOf(id, letter, { body = [], knobs = [], lines = [], rings = [], eyes = [] }) {
    const circle = ([cx, cy, r], kind) => svg('circle', { cx, cy, r, class: kind });
    const text = svg('text', { x: 50, y: 54 });
    text.textContent = letter.toUpperCase();
    const disc = svg('g', { class: 'lettered' }, circle([50, 53, 36], 'disc'), ...(rings.length > 0 ? [] : [text]));
    const figure = svg(
        'g', { class: 'figure' },
        ...body.map((d) => svg('path', { d })),
        ...lines.map((d) => svg('path', { d, class: 'inner' })),
        ...knobs.map((knob) => circle(knob, 'knob')),
        ...rings.map((ring) => circle(ring, 'inner')),
        ...eyes.map((eye) => circle(eye, 'eye')),
    );
    return svg('symbol', { id, viewBox: '0 0 100 100', class: 'piece-shape' }, figure, disc);
}

let boards = 0;

/** Definitions of all pieces, under ids that no other board on the page has. */
export function pieceSymbols() {
    boards += 1;
    const prefix = `board${boards}-`;
    const defs = svg('defs');
    for (const [letter, shape] of Object.entries(SHAPES)) {
        defs.append(symbolOf(prefix + letter, letter, shape));
    }
    return { defs, idOf: (letter) => prefix + letter.toLowerCase() };
}

/** A small drawing of one piece by itself, for dialogs and lists. */
export function pieceIcon(letter) {
    const { defs, idOf } = pieceSymbols();
    const use = svg('use', { href: `#${idOf(letter)}`, width: 100, height: 100 });
    return svg('svg', { viewBox: '0 0 100 100', class: `piece-icon piece ${sideOf(letter)}`, 'aria-hidden': 'true' }, defs, use);
}
