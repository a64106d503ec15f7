// The boards of the games, each from one description.

import { brickBoard, linedBoard } from './geometry.js';

const CHESS_PIECES = {
    k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn',
};

const LINED_KINDS = {
    diagonal: 'diagonal point',
    plain: 'plain point',
};

export const BOARDS = {
    chesquerque: linedBoard({
        name: 'chesquerque',
        title: 'Chesquerque',
        size: 9,
        pieces: { k: 'king', q: 'queen', a: 'archbishop', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' },
        kinds: LINED_KINDS,
        start: 'rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR',
    }),
    masonic: brickBoard({
        name: 'masonic',
        title: 'Masonic chess',
        size: 8,
        pieces: CHESS_PIECES,
        kinds: { colour0: 'light brick', colour1: 'dark brick', colour2: 'middle brick' },
        start: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR',
    }),
    alquerque: linedBoard({
        name: 'alquerque',
        title: 'Alquerque',
        size: 5,
        pieces: { m: 'man' },
        kinds: LINED_KINDS,
        start: 'mmmmm/mmmmm/mm1MM/MMMMM/MMMMM',
    }),
};

/** The games to choose from: names and titles. */
export const GAME_CHOICES = Object.values(BOARDS).map(({ name, title }) => [name, title]);

/** The board that the first field of a FEN fits, by its number of ranks. */
export function boardFor(placement) {
    const ranks = placement.split('/').length;
    return Object.values(BOARDS).find((board) => board.height + 1 === ranks);
}
