// What a review says of the moves of a game.
//
// The server keeps a review with the game and tells it whole. Its moves belong to
// the nodes of the main line, as long as it is unchanged.

/**
 * @typedef {Object} ReviewedMove  a move in `qirkat annotate --json`; of its fields the page uses
 * @property {number} ply          counted from 1
 * @property {number} number       of the move, as in notation
 * @property {'white'|'black'} color
 * @property {string} san
 * @property {string} move         its points
 * @property {number} [cp]         White's score in centipawns
 * @property {number} [mate]       moves to mate, negative if White is mated
 * @property {number[]} wdl        permille of White's wins, draws and losses
 * @property {{wdl: number[], pv: string[], san: string[]}} best
 * @property {?('inaccuracy'|'mistake'|'blunder')} mark
 * @property {?{pv: string[], san: string[]}} refutation  what follows a marked move
 * @property {boolean} only_move
 * @property {boolean} missed_win
 * @property {?string} reason
 * @property {?{best: ?{san: string[]}}} left_book  added here: set on the first move that is not the book's
 */

/** What White may expect of chances, from 0 to 1. */
export const expectedOf = ([win, draw]) => (win + draw / 2) / 1000;

export class ReviewNotes {
    constructor({ review, pgn }) {
        this.review = review;
        this.pgn = pgn;
        const left = review.left_book;
        for (const move of review.moves) move.left_book = move.ply === left?.ply ? left : null;
        this.byNode = new Map();
        this.isWhole = false;
        /** Plies of mistakes whose better move was tried or asked for. */
        this.told = new Set();
    }

    /** Finds the moves of the review on the main line, up to the first that differs. */
    fit(mainLine) {
        this.byNode = new Map();
        const { moves } = this.review;
        for (let at = 0; at < moves.length; at += 1) {
            const node = mainLine[at + 1];
            if (!node || node.san !== moves[at].san) break;
            this.byNode.set(node.id, moves[at]);
        }
        this.isWhole = this.byNode.size === moves.length && mainLine.length === moves.length + 1;
        this.first = mainLine[0]?.id;
    }

    /** What the review says of the move that leads to a node. */
    of(node) {
        return this.byNode.get(node?.id);
    }

    /** Whether the better move is kept back, so that whoever made the mistake may look for it first. */
    isKeptBack(move, play) {
        const isOwn = Boolean(play?.people[move.color === 'white' ? 0 : 1]);
        return isOwn && Boolean(move.mark) && !this.told.has(move.ply);
    }

    /** What White may expect at a node, from 0 to 1. */
    expectedAt(node) {
        const move = this.of(node);
        if (move) return expectedOf(move.wdl);
        const [first] = this.review.moves;
        return node.id === this.first && this.byNode.size > 0 ? expectedOf(first.best.wdl) : undefined;
    }

    /** The moves of a side that lost something. */
    mistakesOf(color) {
        return [...this.byNode.values()].filter((move) => move.color === color && move.mark);
    }
}
