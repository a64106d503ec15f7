// A dialog with a board on which a move is asked for. The server knows the rules and
// says what a try is worth; what is asked, and what is said of it, the training knows.

import { openDialog } from '../app/dialogs.js';
import { button, make } from '../app/elements.js';
import { boardLook } from '../app/settings.js';
import { arrow } from '../board/arrow_layer.js';
import { Board } from '../board/board.js';
import { BOARDS } from '../board/boards.js';
import { pieceInWords } from '../board/spoken.js';
import { pointsOf } from '../review/words.js';

/** Milliseconds before an answer is shown on the board. */
const ANSWER_AFTER = 700;
/** Milliseconds without an answer after which something is said. */
const PATIENCE = 600;

/**
 * Events: `ready` (the position stands on the board), `tried` (detail: what the
 * server says of a try).
 */
export class Exercise extends EventTarget {
    #connection;
    #number = 0;
    #task = null;
    /** Whether the last try was judged: what is offered then says what comes next. */
    #isJudged = false;
    #timer = null;

    constructor(store, connection, title, { above = [], onclose } = {}) {
        super();
        this.#connection = connection;
        const host = make('div', { class: 'exercise-board' });
        host.dataset.board = boardLook(store.preferences);
        this.board = new Board(host, BOARDS.chesquerque, {
            animation: store.preferences.animation, coordinates: store.preferences.coordinates,
        });
        this.board.addEventListener('move', (event) => this.tryMove(event.detail.text));
        this.board.addEventListener('refused', (event) => this.tryMove(event.detail.points.join('')));
        this.task = make('h3', { class: 'exercise-task' });
        this.rule = make('p', { class: 'exercise-rule' });
        this.text = make('p', { class: 'exercise-text' });
        this.actions = make('div', { class: 'actions' });
        const words = make('div', { role: 'status', class: 'exercise-words' }, this.task, this.rule, this.text);
        this.remark = make('p', { class: 'exercise-note quiet', role: 'status' });
        const side = make('div', { class: 'exercise-side' }, ...above, words, this.actions, this.remark);
        connection.addEventListener('say', this.#hear);
        const { dialog, close } = openDialog(title, [make('div', { class: 'exercise' }, host, side)], {
            wide: true,
            onclose: () => {
                clearTimeout(this.#timer);
                connection.removeEventListener('say', this.#hear);
                onclose?.();
            },
        });
        this.dialog = dialog;
        this.close = close;
    }

    /** Asks for the position of a task, and shows it. */
    ask(task, { game = 'chesquerque', flipped = false } = {}) {
        clearTimeout(this.#timer);
        if (this.board.description !== BOARDS[game]) this.board.setGame(BOARDS[game]);
        this.board.flip(flipped);
        // No move until the position comes: it would be judged in that one, not in the one shown.
        this.board.set({ movable: null });
        this.#task = task;
        this.#isJudged = false;
        this.#number += 1;
        this.#connection.send({ do: 'exercise', what: 'set-up', number: this.#number, task });
    }

    /** The same task once more, from where it stood. */
    again() {
        this.ask(this.#task, { game: this.board.description.name, flipped: this.board.flipped });
    }

    /** Asks what a move is worth. The board waits for the answer. */
    tryMove(text) {
        this.#isJudged = false;
        this.#number += 1;
        this.board.setShapes([]);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.say('One moment…'), PATIENCE);
        this.#connection.send({ do: 'exercise', what: 'try', number: this.#number, task: this.#task, text });
    }

    /** Shows a position; pieces can be moved if asked for. */
    show(position, { open = false } = {}) {
        this.position = position;
        this.board.set({
            pieces: position.fen.split(' ')[0],
            legal: open ? position.legal : [],
            last: position.last,
            check: position.check,
            movable: open ? position.turn : null,
        });
    }

    /** Shows the first move of an answer, after a moment in which the try is seen. */
    showAnswer(answer, then = () => {}) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            this.board.set({
                pieces: answer.boards[0], last: answer.points[0], legal: [], check: null, movable: null,
            });
            then();
        }, ANSWER_AFTER);
    }

    /** What is asked for, and what is to be known of it. Nothing was said of a try yet. */
    setTask(task, rule = '') {
        this.task.textContent = task;
        this.rule.textContent = rule;
        this.say('');
    }

    /** Says something of a try: `good`, `bad` or neither. */
    say(text, kind = '') {
        this.text.textContent = text;
        this.text.className = `exercise-text ${kind}`;
    }

    /** Notes something below the buttons that is not about the move. */
    note(text) {
        if (this.remark.textContent !== text) this.remark.textContent = text;
    }

    /** Puts these buttons below the words; `focused`, one of them, gets the focus. */
    setActions(buttons, focused = null) {
        this.actions.replaceChildren(...buttons);
        focused?.focus();
    }

    /** Offers the same task once more, and other buttons beside it. */
    offerAgain(others) {
        const again = button('Try again', () => {
            this.say('');
            this.again();
        }, { class: 'primary', id: 'exercise-again' });
        this.setActions([again, ...others], again);
    }

    /** Points at a move: first at its piece, then at where it goes. */
    hint(level, text, san) {
        const points = pointsOf(text);
        const [from] = points;
        if (level === 1) {
            const letter = this.board.state.pieces.get(from);
            const piece = letter ? pieceInWords(this.board.description, letter) : 'piece';
            this.board.setShapes([{ from, brush: 'blue' }]);
            this.say(`Look at the ${piece} on ${from}.`);
        } else {
            this.board.setShapes([arrow(points, 'blue')]);
            this.say(`The move is ${san}.`);
        }
    }

    #hear = ({ detail: said }) => {
        if (said.say === 'hello' && this.#task && !this.#isJudged) {
            // The connection was lost, and with it what was asked.
            this.again();
        } else if (said.say === 'exercise' && said.number === this.#number) {
            this.show(said.position, { open: true });
            // A user who chooses an exercise by keys goes on choosing.
            if (!document.activeElement?.closest('select')) this.board.svg.focus({ preventScroll: true });
            this.dispatchEvent(new Event('ready'));
        } else if (said.say === 'tried' && said.number === this.#number) {
            this.#tried(said);
        }
    };

    #tried(said) {
        clearTimeout(this.#timer);
        if (said.position) this.show(said.position);
        else this.show(this.position, { open: true });
        this.#isJudged = said.judgement !== 'refused';
        this.dispatchEvent(new CustomEvent('tried', { detail: said }));
    }
}
