// Reading and writing games in PGN.

import { gameOfRecord, header, moveText } from './board.js';
import { currentCore, Held, json, list, object, options, shown, text, variantNumber } from './core.js';

export function readPgn(pgn, given = {}) {
    const { onError } = options(given, ['onError']);
    if (onError !== undefined && typeof onError !== 'function') throw new TypeError(`onError must be a function, not ${shown(onError)}`);
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
    const { variant = 'chesquerque', tags, moves = [] } = object(game, 'a game must be');
    variantNumber(variant);
    const record = { variant, fen: text(game.fen ?? tags?.FEN ?? '', 'a FEN'), moves: line(moves), ...header(game) };
    return currentCore().ask('game_write', json(record));
}

function line(moves) {
    return list(moves, 'moves must be').map((move) => ({
        san: moveText(move),
        nags: nagsOf(move),
        comment: move.comment === undefined || move.comment === null ? null : text(move.comment, 'a comment'),
        variations: list(move.variations ?? [], 'variations must be').map(line),
    }));
}

function nagsOf({ nags = [] }) {
    const isNag = (nag) => Number.isInteger(nag) && nag >= 0 && nag <= 255;
    if (!Array.isArray(nags) || !nags.every(isNag)) throw new TypeError('nags must be a list of numbers from 0 to 255');
    return nags;
}
