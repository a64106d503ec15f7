// A board for games on lines and cells, in SVG. It shows what it is told and
// says what its user does; it knows no rules.
//
//     const board = new Board(element, BOARDS.chesquerque);
//     board.set({ pieces: 'rnbq…', legal: [{ text: 'e2e4', points: ['e2', 'e4'], capture: false }] });
//     board.addEventListener('move', (event) => send(event.detail.text));

import { ArrowLayer } from './arrow_layer.js';
import { drawBackdrop, frameOf, placeIn } from './backdrop.js';
import { nearestPoint, piecesOf, sideOf } from './geometry.js';
import { followKeys } from './keyboard.js';
import { MarkLayer } from './mark_layer.js';
import { PieceLayer } from './piece_layer.js';
import { followPointer } from './pointer.js';
import { askPromotion } from './promotion.js';
import { Selection } from './selection.js';
import { boardInWords, pointInWords } from './spoken.js';
import { svg, UNIT } from './svg.js';

/**
 * Events: `move` (detail: the legal move chosen), `refused` (detail: `{points}`,
 * the way that no legal move goes), `premove` (detail: a move chosen while the other side is
 * to move), `asking` and `asked` (what a pawn becomes), `hold` (a piece is taken in hand), `point`
 * (detail: `{name}`, a point chosen while `editing`), `take` (a button goes down: detail
 * `{name, leads}`, the point, or `null` where none is near, and whether the piece in hand is led
 * there), `shapes` (detail: the shapes drawn by hand; empty after a press has cleared them).
 */
export class Board extends EventTarget {
    #place;

    constructor(host, description, { flipped = false, animation = 200, coordinates = 'edge' } = {}) {
        super();
        this.host = host;
        this.flipped = flipped;
        this.animation = animation;
        this.coordinates = coordinates;
        this.editing = false;
        /** Whether a piece in hand stays there when it is clicked again. */
        this.keepsHold = false;
        /**
         * Whether, after a click on the board or Escape, arrow keys are left to the page until Enter
         * or space brings the cursor, or the focus comes back.
         */
        this.leavesArrows = false;
        /** The colour in which the first button draws, too; with none it moves pieces. */
        this.pen = null;
        this.cursor = null;
        this.captions = new Map();
        this.ways = [];
        this.selection = new Selection();
        this.state = { pieces: new Map(), last: [], check: null, movable: null };
        this.marks = new MarkLayer();
        this.arrows = new ArrowLayer();
        this.#build();
        this.setGame(description);
        followPointer(this.svg, this);
        followKeys(this.svg, this);
    }

    #build() {
        this.host.classList.add('board');
        this.svg = svg('svg', { tabindex: 0, role: 'application', 'aria-roledescription': 'game board' });
        this.live = document.createElement('div');
        this.live.className = 'spoken';
        this.live.setAttribute('aria-live', 'polite');
        this.list = document.createElement('div');
        this.list.className = 'spoken';
        this.host.replaceChildren(this.svg, this.live, this.list);
    }

    /** Shows the board of another game, empty. */
    setGame(description) {
        this.description = description;
        this.byName = new Map(description.points.map((point) => [point.name, point]));
        this.pieceLayer = new PieceLayer();
        this.state = { pieces: new Map(), last: [], check: null, movable: null };
        this.selection.setLegal([]);
        this.cursor = null;
        this.captions = new Map();
        this.ways = [];
        this.arrows.drawn = [];
        this.arrows.shown = [];
        this.svg.setAttribute('aria-label', `${description.title} board. Arrow keys move, Enter chooses.`);
        this.#layOut();
    }

    #layOut() {
        const { description, flipped } = this;
        const frame = frameOf(description, this.coordinates);
        this.frame = frame;
        this.host.dataset.coordinates = this.coordinates;
        this.svg.setAttribute('viewBox', `0 0 ${frame.width * UNIT} ${frame.height * UNIT}`);
        this.host.style.setProperty('--board-ratio', `${frame.width / frame.height}`);
        this.#place = placeIn(frame, description, flipped);
        const ground = svg('rect', {
            x: 0, y: 0, width: frame.width * UNIT, height: frame.height * UNIT, rx: 14, class: 'ground',
        });
        this.svg.replaceChildren(
            this.pieceLayer.defs, ground, drawBackdrop(description, this.#place, flipped, this.coordinates),
            this.marks.under, this.pieceLayer.group, this.marks.over, this.arrows.group,
        );
        this.#showPieces(0);
        this.#showMarks();
        this.arrows.show(this.placeOf);
    }

    /**
     * Shows a position. Fields left out stay as they are, but for `legal` (then no move is legal)
     * and `waits` (then it is false).
     *
     * @param {Object} state
     * @param {string|Map<string, string>} [state.pieces] first field of a FEN, or letters by point
     * @param {import('./selection.js').LegalMove[]} [state.legal]
     * @param {string[]} [state.last]    points of the last move
     * @param {?string} [state.check]    point of a king in check
     * @param {?('white'|'black'|'both')} [state.movable]  whose pieces may be taken in hand
     * @param {boolean} [state.waits]    whether the other side is to move: a move is a `premove`
     * @param {boolean} [state.instant]  without animation
     */
    set(state) {
        const pieces = typeof state.pieces === 'string'
            ? piecesOf(this.description, state.pieces)
            : state.pieces ?? this.state.pieces;
        const held = this.selection.from;
        const stays = held && pieces.get(held) === this.state.pieces.get(held);
        const changed = !sameMap(pieces, this.state.pieces);
        this.state = { ...this.state, waits: false, ...state, pieces };
        this.selection.setLegal(state.legal ?? []);
        // A piece in hand stays there: the other side may have moved since it was taken.
        if (stays && this.#mayTake(held)) this.selection.take(held);
        if (changed) {
            this.arrows.drawn = [];
            this.captions = new Map();
            this.ways = [];
        }
        this.#showPieces(state.instant ? 0 : this.animation);
        this.#showMarks();
        this.arrows.show(this.placeOf);
        this.list.textContent = boardInWords(this.description, pieces);
    }

    /** Shows where the piece in hand might go while the other side is to move. */
    setPremoves(legal) {
        const { path } = this.selection;
        this.selection.setLegal(legal);
        this.selection.path = path;
        this.#showMarks();
    }

    /** Turns the board round, or as said. */
    flip(flipped = !this.flipped) {
        if (flipped === this.flipped) return;
        this.flipped = flipped;
        this.#layOut();
    }

    /** Writes coordinates at the `edge`, `inside`, or with `none` nowhere. */
    setCoordinates(coordinates) {
        if (coordinates === this.coordinates) return;
        this.coordinates = coordinates;
        this.#layOut();
    }

    /** Shows arrows and circles of the program, such as lines of a search. */
    setShapes(shapes) {
        // A file may name points of a larger board.
        const isHere = (name) => this.byName.has(name);
        this.arrows.shown = shapes.filter(({ from, to = from }) => isHere(from) && isHere(to));
        this.arrows.show(this.placeOf);
    }

    /** Writes a few letters below the pieces on these points. */
    setCaptions(captions) {
        this.captions = captions;
        this.#showMarks();
    }

    /** Draws how a piece moves: each way by the points that it leads over, and whether it captures. */
    showWays(ways) {
        if (ways.length === 0 && this.ways.length === 0) return;
        this.ways = ways;
        this.#showMarks();
    }

    /** Says something to users of screen readers, also if it is the same as before. */
    say(text) {
        const words = document.createElement('div');
        words.textContent = text;
        this.live.replaceChildren(words);
    }

    placeOf = (name) => this.#place(this.byName.get(name));

    #showPieces(milliseconds) {
        const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
        this.pieceLayer.show(this.state.pieces, this.placeOf, still ? 0 : milliseconds);
    }

    #showMarks() {
        const { moves, captures } = this.selection.targets;
        this.marks.show({
            last: this.state.last, check: this.state.check, selected: this.selection.path, moves, captures,
            cursor: this.cursor, captions: this.captions, ways: this.ways,
        }, this.placeOf);
    }

    #mayTake(name) {
        const letter = this.state.pieces.get(name);
        const { movable } = this.state;
        return Boolean(letter) && (movable === 'both' || movable === sideOf(letter));
    }

    #emit(type, detail) {
        this.dispatchEvent(new CustomEvent(type, { detail }));
    }

    // What the pointer asks and tells.

    placeAt(event) {
        const box = this.svg.getBoundingClientRect();
        const scale = (this.frame.width * UNIT) / box.width;
        return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
    }

    pointAt(event) {
        const { x, y } = this.placeAt(event);
        const right = x / UNIT + this.frame.left;
        const up = this.frame.height - y / UNIT + this.frame.bottom;
        const { width, height } = this.description;
        return nearestPoint(
            this.description, this.flipped ? width - right : right, this.flipped ? height - up : up,
        )?.name ?? null;
    }

    /** A button goes down; true where the piece was in hand before. */
    press(name) {
        if (this.editing) {
            if (name) this.#emit('point', { name });
            return false;
        }
        const { from } = this.selection;
        const mayTake = name !== null && this.#mayTake(name);
        const leads = from !== null && (this.selection.leadsTo(name) || !mayTake);
        this.#emit('take', { name, leads });
        if (this.arrows.drawn.length > 0) {
            this.arrows.drawn = [];
            this.arrows.show(this.placeOf);
            this.#emit('shapes', []);
        }
        const again = !this.keepsHold && name !== null && this.selection.from === name
            && this.selection.path.length === 1;
        if (mayTake && !leads) this.#take(name);
        return again;
    }

    #take(name) {
        this.selection.take(name);
        this.#showMarks();
        this.#emit('hold');
    }

    canDrag(name) {
        return !this.editing && this.selection.path.length > 0
            && this.selection.path[this.selection.path.length - 1] === name;
    }

    dragTo(place) {
        if (this.selection.from) this.pieceLayer.lift(this.selection.from, place);
    }

    drop(name) {
        const { from, path } = this.selection;
        // It may have been captured meanwhile.
        if (!from) return;
        const at = path[path.length - 1];
        this.pieceLayer.settle(from, this.placeOf(at));
        if (name && name !== at) this.#leadTo(name, true);
    }

    release(name, wasSelected) {
        if (this.editing || name === null) {
            if (name === null) this.cancel();
            return;
        }
        if (wasSelected) this.cancel();
        else if (this.selection.from && this.selection.from !== name) this.#leadTo(name, false);
    }

    cancel() {
        const { from } = this.selection;
        if (from) this.pieceLayer.settle(from, this.placeOf(from));
        this.selection.clear();
        this.#showMarks();
    }

    draw(shape, done) {
        if (done) {
            this.arrows.toggle(shape);
            this.#emit('shapes', this.arrows.drawn);
        }
        this.arrows.show(this.placeOf, done ? null : shape);
    }

    // What the keyboard asks and tells.

    pointNamed(name) {
        return this.byName.get(name);
    }

    firstCursor() {
        const last = this.state.last?.[this.state.last.length - 1];
        const { points } = this.description;
        return last ?? points[Math.floor(points.length / 2)].name;
    }

    setCursor(name) {
        this.cursor = name;
        this.#showMarks();
        if (name) this.say(pointInWords(this.description, name, { ...this.state, selection: this.selection }));
    }

    mayLetGo() {
        return this.selection.from !== null && !this.keepsHold;
    }

    /** Takes the piece on a point, or leads the piece in hand there. */
    choose(name) {
        if (this.editing) {
            this.#emit('point', { name });
        } else if (this.selection.from === name && this.selection.path.length === 1) {
            if (!this.keepsHold) this.cancel();
        } else if (this.selection.from && this.selection.leadsTo(name)) {
            this.#leadTo(name, false);
        } else if (this.#mayTake(name)) {
            this.#take(name);
            this.setCursor(name);
        } else if (this.selection.from) {
            this.#leadTo(name, false);
        }
    }

    async #leadTo(name, dragged) {
        const way = [...this.selection.path, name];
        const complete = this.selection.lead(name);
        if (complete === null) {
            this.cancel();
            this.#emit('refused', { points: way });
            return;
        }
        const { from } = this.selection;
        const { waits } = this.state;
        if (complete.length === 0) {
            // The piece has to go on from there.
            this.pieceLayer.settle(from, this.placeOf(name));
            this.#showMarks();
            return;
        }
        let [move] = complete;
        if (complete.length > 1) {
            this.pieceLayer.settle(from, this.placeOf(name));
            const side = sideOf(this.state.pieces.get(from));
            this.#emit('asking');
            move = await askPromotion(this.host, complete, side, this.description.pieces);
            this.#emit('asked');
            // The position may have changed while one chose.
            if (!move || !this.#mayTake(from)) {
                this.cancel();
                return;
            }
        }
        if (waits) {
            this.cancel();
            this.#emit('premove', move);
            return;
        }
        this.selection.clear();
        this.#stand(move, dragged ? 0 : this.animation);
        this.#emit('move', move);
    }

    /** Shows the piece where it goes until the position that follows is told. */
    #stand(move, milliseconds) {
        const pieces = new Map(this.state.pieces);
        const letter = pieces.get(move.points[0]);
        pieces.delete(move.points[0]);
        pieces.set(move.points[move.points.length - 1], letter);
        this.state = { ...this.state, pieces, last: move.points, check: null };
        this.selection.setLegal([]);
        this.#showPieces(milliseconds);
        this.#showMarks();
    }
}

function sameMap(a, b) {
    return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
