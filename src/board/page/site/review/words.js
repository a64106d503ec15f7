// Marks and reasons of a review, in signs and words.

import { expectedOf } from './notes.js';

/** Plies of a refutation that are shown. */
const SHOWN = 6;

const SIGNS = { inaccuracy: '?!', mistake: '?', blunder: '??' };

/** The sign of a move: `?!`, `?` or `??`, or `!` for an only move. */
export const signOf = (move) => SIGNS[move.mark] ?? (move.only_move ? '!' : '');

/** How a move is drawn: by its mark, or as an only move. */
export const kindOf = (move) => move.mark ?? (move.only_move ? 'only' : null);

/** The number and the move, as in `12…Qe4`. */
export const numbered = (move) => `${move.number}${move.color === 'white' ? '. ' : '…'}${move.san}`;

/**
 * The expected score, in percent, of the side that made a move: with the best move, and after the
 * move made.
 */
export function chancesOf(move) {
    const own = (wdl) => Math.round(100 * (move.color === 'white' ? expectedOf(wdl) : 1 - expectedOf(wdl)));
    return [own(move.best.wdl), own(move.wdl)];
}

/** What is to be said of a move, in sentences; nothing about most. What would have been better may be kept back. */
export function noteOf(move, isKeptBack = false) {
    const book = move.left_book?.best?.san[0];
    const where = book ? `which plays ${book}` : 'where its line ends';
    const left = isKeptBack ? 'Leaves the book.' : `Leaves the book, ${where}.`;
    return `${judged(move, isKeptBack)} ${move.left_book ? left : ''}`.trim();
}

function judged(move, isKeptBack) {
    if (!move.mark) return move.reason ?? (move.only_move ? 'The only move.' : '');
    const [before, after] = chancesOf(move);
    const name = `${move.mark.charAt(0).toUpperCase()}${move.mark.slice(1)}`;
    const told = `${name}: chances from ${before} % to ${after} %.`;
    if (isKeptBack) return told;
    const refutation = move.refutation?.san.slice(0, SHOWN) ?? [];
    const then = refutation.length > 0 ? `After ${move.san}: ${lineText(refutation, plyOf(move) + 1)}.` : '';
    const words = `${told} ${move.reason ?? ''} ${then}`;
    return words.replace(/ +/g, ' ').trim();
}

/** The ply of a move by its number, counted from 0 on. */
export const plyOf = (move) => 2 * (move.number - 1) + (move.color === 'black' ? 1 : 0);

/** The points of a move that is written by them, as in `a8a9q`. */
export const pointsOf = (text) => text.match(/[a-i][1-9]/g) ?? [];

/** A line of moves with their numbers, from a ply counted from 0 on. */
export function lineText(sans, ply) {
    return sans.map((san, at) => {
        const here = ply + at;
        if (here % 2 === 0) return `${here / 2 + 1}. ${san}`;
        return at === 0 ? `${(here + 1) / 2}…${san}` : san;
    }).join(' ');
}
