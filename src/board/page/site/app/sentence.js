// Texts of the server as sentences.

/**
 * A text as a sentence: with a capital letter first, unless it begins with the name of a point,
 * with “ ” instead of backticks, and with a full stop at the end.
 */
export function sentence(text) {
    const first = /^[a-i][1-9]\b/.test(text) ? text.charAt(0) : text.charAt(0).toUpperCase();
    return `${first}${text.slice(1).replace(/`([^`]*)`/g, '“$1”')}${/[.!?]$/.test(text) ? '' : '.'}`;
}

const WINS = { '1-0': ['White', 'Black'], '0-1': ['Black', 'White'] };

/** How a game has ended, by its result in PGN and the reason, which may be empty: `White won by mate`. */
export function endInWords({ result, reason }) {
    if (!WINS[result]) return /^draw\b/.test(reason) ? `D${reason.slice(1)}` : `Draw${reason ? `: ${reason}` : ''}`;
    const [winner, loser] = WINS[result];
    const ways = new Map([
        ['', ''], [`${winner} mates`, ' by mate'], [`${loser} resigns`, ' by resignation'], [`${loser} has no time left`, ' on time'],
        ['time forfeit', ' on time'],
    ]);
    return `${winner} won${ways.get(reason) ?? `: ${reason}`}`;
}
