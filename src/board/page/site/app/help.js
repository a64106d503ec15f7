// Help: what keys, mouse and fingers do, and the rules of each game in a few lines.

import { BOARDS } from '../board/boards.js';
import { openDialog } from './dialogs.js';
import { make } from './elements.js';

const isReviewed = (store) => Boolean(store.review);

/**
 * Keys and what they do; a third entry tells whether they do it, where that depends on the page or
 * the game.
 */
const KEYS = [
    ['← →', 'one move back, one move on'],
    ['↑ ↓', 'to the start, to the end, as Home and End'],
    ['Tab', 'to the board; there arrow keys lead a cursor, Enter takes and puts down, Escape lets go, then gives the arrow keys back'],
    ['F', 'turn the board round'],
    ['A', 'analyse, or stop'],
    ['T', 'show what the other side threatens'],
    ['V', 'what the network thinks each piece is worth', (store) => gameOf(store) === 'chesquerque'],
    ['J K', 'the next mistake of a review, the one before', isReviewed],
    ['R', 'try again to find the better move, where a mistake is shown', isReviewed],
    ['H', 'a hint'],
    ['U', 'take back'],
    ['N', 'a new game'],
    ['M', 'type a move'],
    ['P', 'say the last moves'],
    ['C', 'say the clocks'],
    ['1 … 9', 'say the pieces of a rank'],
    ['D', 'the rule of the piece under the cursor: where it may go, and why not elsewhere'],
    ['X', 'say what attacks the point under the cursor, and what protects it'],
    ['L', 'learn and train: the rules, move by move, puzzles, your mistakes'],
    ['O', 'what is known for certain of each move, and what was played in a file of games'],
    ['W', 'the match that is watched', (store) => Boolean(store.hello?.watch)],
    ['?', 'this help'],
];

const MOUSE = [
    ['drag, or click and click', 'move a piece; while the engine thinks, the move waits for its turn'],
    ['click a piece', 'its rule where it stands; one of the other side, too'],
    ['king onto rook', 'castle', (store) => gameOf(store) !== 'alquerque'],
    ['wheel over the board', 'one move back, one move on'],
    ['right drag', 'draw an arrow: green, with Shift red, with Alt blue, with both yellow'],
    ['right click', 'draw a circle; without a right button, choose a colour under Notes'],
];

const TOUCH = [
    ['drag, or tap and tap', 'move a piece; while the engine thinks, the move waits for its turn'],
    ['tap a piece', 'its rule where it stands; one of the other side, too'],
    ['king onto rook', 'castle', (store) => gameOf(store) !== 'alquerque'],
    ['Notes, Draw', 'draw on the board: drag for an arrow, tap for a circle, once more to take it away'],
    ['Import & export', 'share the game or the position'],
];

/** Whether there is nothing but fingers. */
const isTouched = () => window.matchMedia('(hover: none) and (pointer: coarse)').matches;

const RULES = {
    chesquerque: [
        'Chess on the 81 points of a lined board. A large point, where slanting lines meet, is a diagonal point; a small one is a plain point. The point a piece stands on decides how it moves.',
        'King: one step along any line. Queen: along any line as far as it is free. Rook: along ranks and files; from a diagonal point also one step slantwise. Bishop: from a diagonal point slantwise as far as it is free; always one step along rank or file.',
        'Knight: one step along a line, then one step outward on a line of the other kind; the point between must be empty. Archbishop: as bishop or knight.',
        'Pawn: one step ahead, at first also two. From a plain point it captures straight ahead, from a diagonal point slantwise. On the last rank it becomes a queen, rook, bishop, knight or archbishop.',
        'To castle, move the king three points towards a rook.',
    ],
    masonic: [
        'Chess on bricks. Each brick touches six others: two on its rank and four on the slanting lines called cants.',
        'Rook: along the rank and the cants. Bishop: slantwise through the corners of bricks, or one step as a rook. Queen: as both. King: one step in any of these ten directions.',
        'Knight: a step as a rook, then one slantwise outward; it leaps. Pawn: a step forward along either cant, at first also two; it captures slantwise forward.',
    ],
    alquerque: [
        'A man steps along a line to the next point: ahead, slantwise ahead or sideways, never back.',
        'It jumps over an enemy man beside it to the empty point beyond and takes it. A side that can jump must jump, and goes on as long as there is a jump.',
        'A side that has no man left, or cannot move, has lost.',
    ],
};

const gameOf = (store) => store.state?.game ?? 'chesquerque';

const table = (rows) => make('table', {}, ...rows.map(([key, text]) => make('tr', {},
    make('th', { scope: 'row' }, key), make('td', {}, text))));

export function showHelp(store) {
    const game = gameOf(store);
    const works = ([, , when = () => true]) => when(store);
    openDialog('Help', [
        make('h3', {}, `The rules of ${BOARDS[game].title}`),
        ...RULES[game].map((text) => make('p', {}, text)),
        ...isTouched() ? [make('h3', {}, 'Fingers'), table(TOUCH.filter(works))] : [
            make('h3', {}, 'Mouse and finger'), table(MOUSE.filter(works)),
            make('h3', {}, 'Keys'), table(KEYS.filter(works)),
        ],
    ], { wide: true });
}
