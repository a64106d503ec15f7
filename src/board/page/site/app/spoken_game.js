// The game for those who hear it: each move in words as it is made or looked at, and by one
// key each what the eye finds at a glance.

import { nameOfPiece, pieceInWords } from '../board/spoken.js';
import { noteOf } from '../review/words.js';
import { timeLeft } from './clocks.js';
import { nameOf } from './names.js';

/** Plies that are told as the last moves. */
const LAST_PLIES = 6;
/** The notation of a null move, by which a side passes. */
const NULL_MOVE = '--';
const SIDES = { white: 'White', black: 'Black' };

const moverOf = (node) => (node.ply % 2 === 1 ? 'white' : 'black');
const listed = (names) => names.join(', ');
const article = (word) => (/^[aeiou]/.test(word) ? 'an' : 'a');
const castling = (san) => (/^O-O-O/.test(san) ? 'castles long' : /^O-O/.test(san) ? 'castles short' : null);

/** Whether a way between two points leads over a third: a jump in Alquerque. */
const isJump = (from, to) => Math.abs(from.charCodeAt(0) - to.charCodeAt(0)) === 2 || Math.abs(from[1] - to[1]) === 2;

/** What follows from a move: `, check`. */
function consequence(san, { check, outcome }) {
    if (/#/.test(san)) return ', checkmate';
    if (outcome) return `${check ? ', check' : ''}, ${outcome}`;
    return check ? ', check' : '';
}

/**
 * The move that led to a position, as in `Black: knight d7 takes e5, check. Nxe5+.` `pieces`
 * are those after it, by their points.
 */
export function moveInWords(description, node, position, pieces) {
    const { san } = node;
    const { last } = position;
    const [from] = last;
    const to = last[last.length - 1];
    const letter = pieces.get(to);
    const becomes = /=([A-Z])/.exec(san)?.[1];
    const jumps = description.pieces.m && isJump(from, last[1]);
    let words = castling(san);
    if (!words && jumps) {
        const taken = last.length - 1;
        words = `man ${from} jumps to ${last.slice(1).join(', ')} and takes ${taken === 1 ? 'a man' : `${taken} men`}`;
    } else if (!words) {
        const piece = becomes ? 'pawn' : letter ? nameOfPiece(description, letter) : '';
        words = `${piece} ${from} ${/x/.test(san) ? 'takes' : 'to'} ${to}`;
        if (becomes) words += ` and becomes ${article(nameOfPiece(description, becomes))} ${nameOfPiece(description, becomes)}`;
    }
    return `${SIDES[moverOf(node)]}: ${words}${consequence(san, position)}. ${san}.`;
}

/** A move by its notation alone, as in `knight takes e5, check`. */
export function sanInWords(description, san) {
    if (san === NULL_MOVE) return 'passes';
    if (castling(san)) return castling(san);
    return san
        .replace(/=([A-Z])/, (_, letter) => ` becomes ${nameOfPiece(description, letter)}`)
        .replace(/^[A-Z]/, (letter) => `${nameOfPiece(description, letter)} `)
        .replace('x', ' takes ').replace('+', ', check').replace('#', ', checkmate')
        .replace(/ +/g, ' ').trim();
}

/** A time in words, without the tenths. */
function timeInWords(milliseconds) {
    const seconds = Math.floor(Math.max(0, milliseconds) / 1000);
    const parts = [[Math.floor(seconds / 3600), 'hour'], [Math.floor(seconds / 60) % 60, 'minute'], [seconds % 60, 'second']];
    const told = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`);
    return told.join(' ') || 'no time';
}

/** The point that a key asks about. */
export const pointAsked = (board) => board.cursor ?? board.selection.from ?? board.firstCursor();

/** Tells what happens on the board. Returns the actions of the keys that ask for more. */
export function tellGame(store, connection, board) {
    let shown = { id: null, node: null };
    store.addEventListener('state', () => {
        const { id, node, position, play } = store.state;
        const { id: knownId, node: knownNode } = shown;
        shown = { id, node };
        const here = store.node;
        if (id !== knownId) {
            // A game begins: on the board, for whoever uses keys.
            const begins = knownId !== null && store.playing && node === play.last;
            if (begins && !document.querySelector('dialog[open]')) board.svg.focus({ preventScroll: true });
        } else if (node !== knownNode && here) {
            const reviewed = store.review?.of(here);
            const note = reviewed ? noteOf(reviewed, store.review.isKeptBack(reviewed, play)) : '';
            const told = !here.san ? 'The position before the first move.'
                : here.san === NULL_MOVE ? `${SIDES[moverOf(here)]} passes.`
                    : `${moveInWords(board.description, here, position, board.state.pieces)} ${note}`.trim();
            board.say(told);
        }
    });
    connection.addEventListener('say', ({ detail: said }) => {
        if (said.say !== 'point' || said.node !== store.state?.node || said.point !== wanted?.point) return;
        board.say(wanted.tell(said));
        wanted = null;
    });

    let wanted = null;
    const ask = (tell) => () => {
        if (!store.state) return;
        const point = pointAsked(board);
        wanted = { point, tell };
        connection.send({ do: 'point', node: store.state.node, point });
    };
    const pieceOn = (point) => {
        const letter = board.state.pieces.get(point);
        return letter ? pieceInWords(board.description, letter) : null;
    };
    const ways = ({ point, rule }) => {
        if (!rule) return `${point} is empty.`;
        const ends = (takes) => [...new Set(rule.ways.filter(({ capture }) => capture === takes).map(({ points }) => points[points.length - 1]))].sort();
        const parts = [['to', ends(false)], ['takes', ends(true)]].filter(([, names]) => names.length > 0);
        const told = parts.map(([word, names]) => `${word} ${listed(names)}`).join('; ');
        return `${pieceOn(point)} ${point}${told && `: ${told}`}. ${rule.text}`;
    };
    const attacks = ({ point, attackers }) => {
        const piece = pieceOn(point);
        const of = (side) => attackers.filter((name) => pieceOn(name)?.startsWith(side)).sort()
            .map((name) => `${pieceOn(name).slice(side.length + 1)} ${name}`);
        const [white, black] = ['white', 'black'].map((side) => listed(of(side)) || 'nothing');
        if (!piece) return `${point}, empty: White attacks it by ${white}, Black by ${black}.`;
        const isWhite = piece.startsWith('white');
        return `${piece} ${point}: attacked by ${isWhite ? black : white}, protected by ${isWhite ? white : black}.`;
    };
    const rank = (number) => () => {
        const { points } = board.description;
        const names = points.filter(({ name }) => name.endsWith(String(number))).map(({ name }) => name);
        const pieces = names.filter(pieceOn).map((name) => `${name} ${pieceOn(name)}`);
        board.say(names.length === 0 ? `There is no rank ${number}.` : `Rank ${number}: ${listed(pieces) || 'empty'}.`);
    };
    const lastMoves = () => {
        const line = store.shownLine;
        const here = line.findIndex((node) => node.id === store.state?.node);
        const told = line.slice(1, here + 1).slice(-LAST_PLIES)
            .map((node) => `${Math.ceil(node.ply / 2)} ${SIDES[moverOf(node)]} ${sanInWords(board.description, node.san)}`);
        board.say(told.length > 0 ? `${told.join('. ')}.` : 'No moves yet.');
    };
    const clocks = () => {
        const told = Object.keys(SIDES).map((side) => [side, timeLeft(store, side)]).filter(([, left]) => left !== null)
            .map(([side, left]) => `${nameOf(store, side)} ${typeof left === 'string' ? left : timeInWords(left)}`);
        board.say(told.length > 0 ? `${told.join(', ')}.` : 'This game has no clocks.');
    };
    const keys = { p: lastMoves, c: clocks, d: ask(ways), x: ask(attacks) };
    for (let number = 1; number <= 9; number += 1) keys[number] = rank(number);
    return keys;
}
