// What is known for certain, in words.

import { counted } from '../app/elements.js';

const RESULTS = { win: 'won', draw: 'drawn', loss: 'lost', 'cursed-win': 'drawn', 'blessed-loss': 'drawn' };

/** `won`, `drawn` or `lost`, for the side that makes a move. */
export const resultWord = ({ result }) => RESULTS[result];

/** How the end comes, as in `mate in 16` or `in 47 moves at most`; nothing of a plain draw. */
export function truthInWords({ result, moves, bound }, game) {
    if (result === 'cursed-win') return 'won but for the 100-ply rule';
    if (result === 'blessed-loss') return 'lost but for the 100-ply rule';
    // A table of results only has no distances.
    if (result === 'draw' || moves === null) return '';
    const most = bound ? ' at most' : '';
    if (game === 'alquerque') return `in ${counted(moves, 'move')}${most}`;
    return `${result === 'win' ? 'mate' : 'mated'} in ${moves}${most}`;
}

/** Whether anything is known of the moves at the position shown. */
export const hasKnownMoves = ({ known, state }) => Boolean(known) && known.node === state?.node && known.known.length > 0
    && !state.position.outcome;

const isCertain = ({ known, unknown }) => known[0].result === 'win' || unknown.length === 0;

/** White's score of a position that is known for certain, as of a search; none where too little is known. */
export function certainScore(here, { position }) {
    const [{ result, moves }] = here.known;
    if (!isCertain(here)) return null;
    if (RESULTS[result] === 'drawn') return { cp: 0 };
    return moves === null ? null : { mate: (result === 'win') === (position.turn === 'white') ? moves : -moves };
}

/** What a position comes to, as in `White wins, mate in 16`; none where too little is known. */
export function valueInWords(here, { game, position }) {
    const [best] = here.known;
    if (!isCertain(here)) return null;
    const side = position.turn === 'white' ? 'White' : 'Black';
    const value = { win: `${side} wins`, loss: `${side} loses` }[best.result] ?? 'Drawn';
    // A move that is not known may win sooner, unless the best wins at once.
    const bound = best.bound || (here.unknown.length > 0 && best.moves > 1);
    const words = truthInWords({ ...best, bound }, game);
    return words ? `${value}, ${words}` : value;
}

/** What a position comes to, and how many moves keep it. */
export function knownInWords(here, state) {
    const { known, unknown } = here;
    const count = (wanted) => known.filter((move) => resultWord(move) === wanted).length;
    const parts = [['won', count('won')], ['drawn', count('drawn')], ['lost', count('lost')], ['not known', unknown.length]]
        .filter(([, number]) => number > 0).map(([word, number]) => `${number} ${word}`);
    const value = valueInWords(here, state) ?? 'What this position comes to is not known';
    return `${value}. Of ${counted(known.length + unknown.length, 'move')}: ${parts.join(', ')}.`;
}
