// What the page knows: what the server has told, and what the user prefers.

/** The strength of the first opponent of somebody unknown. */
export const FIRST_ELO = 900;

/** What the user prefers, until the server tells what was kept. */
const PREFERENCES = {
    theme: 'system',
    board: 'theme',
    pieces: 'figures',
    coordinates: 'edge',
    animation: 200,
    arrows: true,
    bar: true,
    lines: 3,
    threads: 0,
    hash: 32,
    game: 'chesquerque',
    strength: 'elo',
    elo: FIRST_ELO,
    think: 2,
    clock: false,
    minutes: 10,
    increment: 5,
    side: 'white',
    ponder: false,
    panel: 'moves',
    sound: true,
    rules: true,
};

/** The sides of a play that are played at this page: `both`, one of them, or null. */
export function sideAt(play) {
    const [white, black] = play ? play.people.map((person, index) => person && play.friends[index] === null) : [];
    if (white && black) return 'both';
    return white ? 'white' : black ? 'black' : null;
}

/**
 * Events: `tree`, `state`, `lines`, `verdict`, `preferences`, `view` (the board
 * was turned round), `panel` (another one stands beside the board), `values` (piece
 * values were switched on or off), `due` (what comes again today), `hello`, `known` (what is known for
 * certain of each move), `review` (what a review has found, or how far it is).
 */
export class Store extends EventTarget {
    constructor() {
        super();
        this.hello = null;
        this.nodes = new Map();
        this.state = null;
        this.lines = null;
        this.sweep = null;
        this.hint = null;
        /** What is known for certain of each move, at the node that it names. */
        this.known = null;
        /** The titles of the games that were read last from a file, to choose from. */
        this.imported = null;
        this.review = null;
        this.reviewing = null;
        this.due = null;
        this.flipped = false;
        this.showsValues = false;
        this.panel = 'moves';
        this.preferences = { ...PREFERENCES };
    }

    change(type, changes) {
        Object.assign(this, changes);
        this.dispatchEvent(new Event(type));
    }

    /** The node that is looked at, with what is known of it. */
    get node() {
        return this.state ? this.nodes.get(this.state.node) : undefined;
    }

    /** The score of a node: what was found here, what a review says, or what its file notes. */
    scoreOf(node) {
        return node && (node.verdict ?? this.review?.of(node) ?? node.eval);
    }

    /** Whether a game is being played. */
    get playing() {
        return Boolean(this.state?.play) && !this.state.play.result;
    }

    /** The sides that are played at this page: `both`, one of them, or null. */
    get ownSide() {
        return sideAt(this.state?.play);
    }

    /** Whether anybody plays on another device. */
    get withFriend() {
        return Boolean(this.state?.play?.friends.some((friend) => friend !== null));
    }

    /** What the link allows by which a friend has come: `white`, `black` or `watch`; else null. */
    get seat() {
        return this.hello?.seat ?? null;
    }

    /** Whether an earlier position than that of the game being played is shown. */
    get isLookingBack() {
        return this.playing && this.state.node !== this.state.play.last;
    }

    /** Whether there is a server, which can do things in the background: pondering, counting a file of games. */
    get hasBackground() {
        return this.hello?.background !== false;
    }

    /** How the game ended, if it has: `node`, `result` and, where that is known, `reason`. */
    get ending() {
        const { play, ending } = this.state ?? {};
        return play?.result ? { node: play.last, result: play.result, reason: play.reason } : ending ?? null;
    }

    /** The nodes of the main line, the starting position first. */
    get mainLine() {
        const line = [];
        for (let node = this.nodes.get(0); node; node = this.nodes.get(node.children[0])) line.push(node);
        return line;
    }

    /** The nodes from the start to the position shown, and on along its main line. */
    get shownLine() {
        const line = [];
        for (let node = this.node; node; node = this.nodes.get(node.parent)) line.unshift(node);
        const here = line[line.length - 1];
        for (let node = here && this.nodes.get(here.children[0]); node; node = this.nodes.get(node.children[0])) {
            line.push(node);
        }
        return line;
    }
}

/**
 * White's score as text, such as `+0.35` or `#-4`: `cp` in centipawns, or `mate` in moves, negative
 * if White is mated; `bound` is `>` or `<` before a mere bound.
 */
export function scoreText({ cp, mate, bound = '' }) {
    if (mate !== undefined) return `${bound}#${mate}`;
    return `${bound}${cp > 0 ? '+' : ''}${(cp / 100).toFixed(2)}`;
}

/** What White may expect of a score, from 0 to 1. */
export function expected({ cp, mate }) {
    if (mate !== undefined) return mate > 0 ? 1 : 0;
    return 1 / (1 + Math.exp(-cp / 140));
}
