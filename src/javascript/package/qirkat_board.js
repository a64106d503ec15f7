// The board of any variant as an element, `<qirkat-board>`. Drawing and input are those of the
// board of Qirkat's own page (`src/board/page/site/board`), which `scripts/build-npm` copies to
// `lined_board`, with its style sheet as a module; the rules run in WebAssembly.

import { init, Board } from './init.js';
import { Board as DrawnBoard } from './lined_board/board.js';
import { BOARDS, boardFor } from './lined_board/boards.js';
import { castledByRook } from './lined_board/castling.js';
import { piecesOf } from './lined_board/geometry.js';
import style from './lined_board/style.js';

let sheet = null;

/** The styles that all boards share. */
function styles() {
    if (sheet === null) {
        sheet = new CSSStyleSheet();
        sheet.replaceSync(`${style}\n:host { display: block; }\n:host([hidden]) { display: none; }`);
    }
    return sheet;
}

/** The side whose pieces may be moved, by the attribute `playable`. */
const MOVABLE = { '': 'both', white: 'white', black: 'black' };
const SIDES = { w: 'white', b: 'black' };

// On a server there are no elements, and none is defined.
const Element = globalThis.HTMLElement ?? class {};

export class QirkatBoard extends Element {
    static observedAttributes = ['fen', 'variant', 'orientation', 'playable', 'last-move', 'animation'];

    #board;
    #hasRules = false;
    #game = null;
    /** Whether a change of `fen` or `variant` has not been loaded yet. */
    #isStale = true;
    #ready = null;

    constructor() {
        super();
        const shadow = this.attachShadow({ mode: 'open', delegatesFocus: true });
        shadow.adoptedStyleSheets = [styles()];
        const host = document.createElement('div');
        host.setAttribute('part', 'board');
        shadow.append(host);
        this.#board = new DrawnBoard(host, BOARDS.chesquerque);
        this.#board.addEventListener('move', ({ detail }) => this.#play(detail.text));
        this.#board.addEventListener('refused', ({ detail }) => this.#refuse(detail.points));
    }

    connectedCallback() {
        this.#load();
        this.ready.catch((error) => this.#report(error));
    }

    attributeChangedCallback(name, before, value) {
        if (name === 'orientation') {
            if (value !== null && !Object.values(SIDES).includes(value)) this.#report(new Error(`orientation="${value}": it is white or black`));
            this.#board.flip(value === 'black');
        } else if (name === 'animation') {
            this.#board.animation = Math.max(0, Number(value ?? 200)) || 0;
        } else if (name === 'fen' || name === 'variant') {
            // Both may be set one after the other.
            this.#isStale = true;
            queueMicrotask(() => this.#load());
        } else {
            if (name === 'playable' && value !== null && !(value in MOVABLE)) this.#report(new Error(`playable="${value}": it is empty, white or black`));
            queueMicrotask(() => this.#show());
        }
    }

    get ready() {
        // A script that calls `init` itself comes first.
        this.#ready ??= Promise.resolve().then(() => init()).then(() => {
            this.#hasRules = true;
            this.#isStale = true;
            this.#load();
            return this;
        }, (error) => {
            this.#ready = null;
            throw new Error(`the rules cannot be fetched: ${error.message}`, { cause: error });
        });
        return this.#ready;
    }

    get game() {
        this.#load();
        return this.#game;
    }

    get fen() {
        return this.game?.fen() ?? this.getAttribute('fen') ?? '';
    }

    set fen(fen) {
        this.setAttribute('fen', fen);
    }

    get variant() {
        return this.getAttribute('variant') ?? boardFor(this.getAttribute('fen') ?? '')?.name ?? 'chesquerque';
    }

    set variant(variant) {
        this.setAttribute('variant', variant);
    }

    get orientation() {
        return this.#board.flipped ? 'black' : 'white';
    }

    set orientation(side) {
        this.setAttribute('orientation', side);
    }

    get playable() {
        return this.getAttribute('playable');
    }

    set playable(side) {
        if (side === null || side === false) this.removeAttribute('playable');
        else this.setAttribute('playable', side === true ? '' : side);
    }

    move(move) {
        const made = this.#mustHaveGame().move(move);
        this.#tell(made);
        return made;
    }

    undo() {
        const undone = this.#mustHaveGame().undo();
        this.#show();
        return undone;
    }

    update() {
        this.#show();
    }

    flip() {
        this.orientation = this.#board.flipped ? 'white' : 'black';
    }

    draw(shapes) {
        this.#board.setShapes(shapes);
    }

    #mustHaveGame() {
        if (this.game === null) throw new Error('the board is not ready: wait for its property ready');
        return this.#game;
    }

    /** Loads the position of the attributes if they have changed. */
    #load() {
        if (!this.#isStale) return;
        this.#isStale = false;
        const { variant } = this;
        const description = BOARDS[variant];
        if (!description) {
            this.#report(new Error(`variant="${variant}": it is ${Object.keys(BOARDS).join(', ')}`));
            return;
        }
        const fen = this.getAttribute('fen') ?? '';
        if (this.#hasRules) {
            try {
                this.#game = new Board(fen, { variant });
            } catch (error) {
                this.#report(error);
                return;
            }
        }
        if (this.#board.description !== description) this.#board.setGame(description);
        // Until the rules are loaded, show at least the pieces.
        if (this.#game === null) this.#board.set({ pieces: fen.trim().split(/\s+/)[0] || description.start, instant: true });
        else this.#show(true);
    }

    #show(instant = false) {
        if (this.#game === null || this.#isStale) return;
        const game = this.#game;
        const movable = MOVABLE[this.playable] ?? null;
        const isTurn = movable === 'both' || movable === SIDES[game.turn()];
        const pieces = piecesOf(this.#board.description, game.fen().split(' ')[0]);
        const legal = isTurn ? game.moves({ verbose: true }) : [];
        this.#board.set({
            pieces,
            legal: castledByRook(pieces, legal.map(({ lan, points, captured, promotion }) => ({
                text: lan, points, capture: captured !== null, promotion: promotion ?? undefined,
            }))),
            last: game.history({ verbose: true }).at(-1)?.points ?? this.#lastOfAttribute(),
            check: game.checkedKing(),
            movable,
            instant,
        });
    }

    #lastOfAttribute() {
        const text = this.getAttribute('last-move') ?? '';
        const points = text.match(/[a-i][1-9]/g) ?? [];
        const isWhole = /^([a-i][1-9])*[a-z]?$/.test(text) && points.every((name) => this.#board.pointNamed(name));
        if (isWhole) return points;
        this.#report(new Error(`last-move="${text}": it is points of the board, such as e2e4`));
        return [];
    }

    /** Handles a legal move by the user. */
    #play(text) {
        const made = this.#game.move(text);
        this.#tell(made);
        this.#emit('move', made);
    }

    /** Shows and announces a move, and the end of the game. */
    #tell({ color, san }) {
        this.#show();
        const outcome = this.#game.outcome();
        this.#board.say([`${SIDES[color]} ${san}`, ...(outcome ? [outcome.text] : [])].join('. '));
        if (outcome) this.#emit('gameover', outcome);
    }

    #refuse(points) {
        const reason = this.#game.whyIllegal({ points }) ?? 'not a whole move';
        this.#board.say(reason);
        this.#emit('refused', { points, reason });
    }

    #emit(type, detail) {
        this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
    }

    /** Dispatches an error event, or logs the error if nobody listens. */
    #report(error) {
        const event = new ErrorEvent('error', { error, message: error.message, cancelable: true });
        if (this.dispatchEvent(event)) console.error(`<qirkat-board>: ${error.message}`);
    }
}

if (globalThis.customElements && !customElements.get('qirkat-board')) customElements.define('qirkat-board', QirkatBoard);
