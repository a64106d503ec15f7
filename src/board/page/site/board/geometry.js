// Geometry of boards: where points lie and which lines join them.
//
// A board is described once, and everything else (drawing, pointer, keyboard,
// spoken text) reads that description. Units are the distance between two
// neighbours on a rank; x grows to the right, y grows away from White.

/**
 * @typedef {Object} BoardPoint
 * @property {string} name   as players write it, such as `e4`
 * @property {number} x
 * @property {number} y
 * @property {string} kind   its key in `kinds`, and its CSS class
 *
 * @typedef {Object} BoardDescription
 * @property {string} name           the game, in one word
 * @property {string} title          the game's name in full
 * @property {'lines'|'cells'} style drawn as points on lines, or as cells
 * @property {BoardPoint[]} points   in the order of FEN: last rank first
 * @property {number[][]} lines      [x1, y1, x2, y2] of each line
 * @property {number} width          from the first point to the last
 * @property {number} height
 * @property {{text: string, x: number, y: number}[]} labels  coordinates
 * @property {Object<string, string>} pieces  letter in FEN (lower case) to name
 * @property {Object<string, string>} kinds   kind of point to what is said of it
 * @property {string} start          the pieces at the start, as in FEN
 */

/** File letter of a file counted from 0. */
const fileLetter = (file) => String.fromCharCode(97 + file);

/** Board units from the outermost points to the coordinates. */
const LABEL = 0.68;

const nameOf = (file, rank) => `${fileLetter(file)}${rank + 1}`;

/**
 * A lined board: points joined along ranks and files, and slantwise between
 * points whose file and rank add up to an even number.
 */
export function linedBoard({ size, ...rest }) {
    const points = [];
    for (let rank = size - 1; rank >= 0; rank -= 1) {
        for (let file = 0; file < size; file += 1) {
            const kind = (file + rank) % 2 === 0 ? 'diagonal' : 'plain';
            points.push({ name: nameOf(file, rank), x: file, y: rank, kind });
        }
    }
    const last = size - 1;
    const lines = [];
    for (let at = 0; at < size; at += 1) {
        lines.push([at, 0, at, last], [0, at, last, at]);
    }
    // Slanting lines start at every other point of the edges.
    for (let sum = 2; sum <= 2 * last - 2; sum += 2) {
        const low = Math.max(0, sum - last);
        const high = Math.min(last, sum);
        lines.push([low, sum - low, high, sum - high]);
        lines.push([low, last - (sum - low), high, last - (sum - high)]);
    }
    const labels = [];
    for (let at = 0; at < size; at += 1) {
        labels.push({ text: fileLetter(at), x: at, y: -LABEL });
        labels.push({ text: String(at + 1), x: -LABEL, y: at });
    }
    return { ...rest, style: 'lines', points, lines, labels, width: last, height: last };
}

/**
 * A board of bricks: every other rank is shifted by half a cell. The three
 * kinds colour it so that neighbours differ and diagonals keep their colour.
 */
export function brickBoard({ size, ...rest }) {
    const shift = (rank) => (rank % 2) / 2;
    const points = [];
    for (let rank = size - 1; rank >= 0; rank -= 1) {
        for (let file = 0; file < size; file += 1) {
            const kind = (((file - Math.floor(rank / 2) - rank) % 3) + 3) % 3;
            points.push({ name: nameOf(file, rank), x: file + shift(rank), y: rank, kind: `colour${kind}` });
        }
    }
    const labels = [];
    for (let at = 0; at < size; at += 1) {
        labels.push({ text: fileLetter(at), x: at, y: -LABEL });
        labels.push({ text: fileLetter(at), x: at + 0.5, y: size - 1 + LABEL });
        labels.push({ text: String(at + 1), x: shift(at) - LABEL, y: at });
    }
    return { ...rest, style: 'cells', points, lines: [], labels, width: size - 0.5, height: size - 1 };
}

/** The point nearest to a place, if one is within reach. */
export function nearestPoint(description, x, y, reach = 0.5) {
    let best = null;
    let least = Infinity;
    for (const point of description.points) {
        const dx = Math.abs(point.x - x);
        const dy = Math.abs(point.y - y);
        const distance = dx * dx + dy * dy;
        if (dx <= reach && dy <= reach && distance < least) {
            best = point;
            least = distance;
        }
    }
    return best;
}

/**
 * The next point from one in a direction: the nearest within 50 degrees of it,
 * those straight ahead before those aside. None at the edge.
 */
export function neighbour(description, from, dx, dy) {
    let best = null;
    let least = Infinity;
    for (const point of description.points) {
        const ahead = (point.x - from.x) * dx + (point.y - from.y) * dy;
        const aside = Math.abs((point.x - from.x) * dy - (point.y - from.y) * dx);
        if (ahead <= 0.1 || aside > ahead * 1.2) continue;
        const distance = ahead + 2 * aside;
        if (distance < least) {
            best = point;
            least = distance;
        }
    }
    return best;
}

/** The pieces of the first field of a FEN, as a map from point name to letter. */
export function piecesOf(description, placement) {
    const pieces = new Map();
    let at = 0;
    for (const letter of placement) {
        if (letter === '/') continue;
        if (letter >= '1' && letter <= '9') {
            at += Number(letter);
        } else {
            const point = description.points[at];
            if (point) pieces.set(point.name, letter);
            at += 1;
        }
    }
    return pieces;
}

/** The first field of a FEN for these pieces. */
export function placementOf(description, pieces) {
    let text = '';
    let empty = 0;
    let rank = null;
    for (const point of description.points) {
        if (rank !== null && point.y !== rank) {
            text += (empty || '') + '/';
            empty = 0;
        }
        rank = point.y;
        const letter = pieces.get(point.name);
        if (letter) {
            text += (empty || '') + letter;
            empty = 0;
        } else {
            empty += 1;
        }
    }
    return text + (empty || '');
}

/** Whose piece a letter of FEN stands for. */
export const sideOf = (letter) => (letter === letter.toUpperCase() ? 'white' : 'black');
