// A king may castle by being led onto the rook, too.

/**
 * The same legal moves; a castling also names its rook's point (`also`), which may be chosen
 * instead of its end.
 */
export function castledByRook(pieces, legal) {
    const file = (name) => name.charCodeAt(0);
    const also = ({ points: [from, to] }) => {
        const king = pieces.get(from);
        if (king?.toLowerCase() !== 'k' || from[1] !== to[1] || Math.abs(file(to) - file(from)) < 2) return undefined;
        const rook = king === 'K' ? 'R' : 'r';
        const beyond = [...pieces].filter(([name, letter]) => letter === rook && name[1] === from[1]
            && Math.sign(file(name) - file(from)) === Math.sign(file(to) - file(from)));
        return beyond.sort(([a], [b]) => Math.abs(file(b) - file(from)) - Math.abs(file(a) - file(from)))[0]?.[0];
    };
    return legal.map((move) => ({ ...move, also: also(move) }));
}
