// The piece in hand and the way it has been led so far, among the legal moves.
//
// A legal move is known by the points its piece visits: two in chess, more for
// a series of jumps. Which moves are legal is told from outside.

/**
 * @typedef {Object} LegalMove
 * @property {string} text        as the program writes it, such as `e2e4` or `a8a9q`
 * @property {string[]} points    the points visited, the first being the start
 * @property {boolean} capture
 * @property {string} [promotion] letter of what a pawn becomes
 * @property {string} [also]      another point that stands for its end, such as that of the rook in castling
 */

export class Selection {
    constructor() {
        this.legal = [];
        this.path = [];
    }

    /** Other moves are legal now; nothing is in hand any more. */
    setLegal(legal) {
        this.legal = legal;
        this.clear();
    }

    clear() {
        this.path = [];
    }

    get from() {
        return this.path[0] ?? null;
    }

    /** Takes the piece on a point in hand. */
    take(name) {
        this.path = [name];
    }

    /** Moves that begin as the piece has been led. */
    get open() {
        if (this.path.length === 0) return [];
        return this.legal.filter((move) => this.path.every((name, at) => move.points[at] === name));
    }

    /** Whether any piece may move from here. */
    canMove(name) {
        return this.legal.some((move) => move.points[0] === name);
    }

    /** Whether a move that is still open visits a point, or may be chosen by it (`also`). */
    leadsTo(name) {
        return this.open.some((move) => move.points.includes(name) || move.also === name);
    }

    /** Points where the piece may go next, moves and captures apart. */
    get targets() {
        const moves = new Set();
        const captures = new Set();
        for (const move of this.open) {
            const next = move.points[this.path.length];
            if (next !== undefined) (move.capture ? captures : moves).add(next);
        }
        return { moves: [...moves], captures: [...captures] };
    }

    /**
     * Leads the piece on to a point. Answers with the moves that are complete
     * then: none while the piece must go on, several where a pawn is to become
     * one piece or another; or `null` where no legal move leads there.
     */
    lead(name) {
        const open = this.open;
        const next = this.path.length;
        const nearby = open.filter((move) => move.points[next] === name || next === 1 && move.also === name);
        if (nearby.length > 0) {
            this.path.push(nearby[0].points[next]);
            return nearby.filter((move) => move.points.length === this.path.length);
        }
        // A series of jumps may be shown by its last point, if only one ends there.
        const ending = open.filter((move) => move.points[move.points.length - 1] === name);
        const ways = new Set(ending.map((move) => move.points.join()));
        if (ways.size !== 1) return null;
        this.path = [...ending[0].points];
        return ending;
    }
}
