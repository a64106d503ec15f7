// Reading and writing games in PGN.

import { gameOfRecord, header, moveText } from './board.js';
import { currentCore, Held, options, shown, text, variantNumber } from './core.js';

export function readPgn(pgn, given = {}) {
    const { onError } = options(given, ['onError']);
    const core = currentCore();
    const number = core.ask('games_open', text(pgn, 'a PGN'));
    const holder = {};
    const games = read(core, number, onError, holder);
    holder.held = new Held(games, core, number, 'games_close');
    return games;
}

function* read(core, number, onError, holder) {
    try {
        for (;;) {
            let record;
            try {
                record = core.ask('games_next', '', number);
            } catch (error) {
                if (core.broken || !onError) throw error;
                onError(error);
                continue;
            }
            if (record === null) return;
            yield gameOfRecord(record);
        }
    } finally {
        holder.held.free();
    }
}

export function writePgn(game) {
    if (game === null || typeof game !== 'object') throw new TypeError(`a game is an object, not ${shown(game)}`);
    const { variant = 'chesquerque', tags, moves = [] } = game;
    variantNumber(variant);
    const record = { variant, fen: text(game.fen ?? tags?.FEN ?? '', 'a FEN'), moves: line(moves), ...header(game) };
    return currentCore().ask('game_write', JSON.stringify(record));
}

function line(moves) {
    if (!Array.isArray(moves)) throw new TypeError(`moves are a list, not ${shown(moves)}`);
    return moves.map((move) => ({
        text: moveText(move),
        nags: nagsOf(move),
        comment: move.comment === undefined || move.comment === null ? null : text(move.comment, 'a comment'),
        variations: (move.variations ?? []).map(line),
    }));
}

function nagsOf({ nags = [] }) {
    const isNag = (nag) => Number.isInteger(nag) && nag >= 0 && nag <= 255;
    if (!Array.isArray(nags) || !nags.every(isNag)) throw new TypeError('nags are a list of numbers from 0 to 255');
    return nags;
}
