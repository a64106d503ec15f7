//! The numbers of the evaluation, in centipawns: `s(middle game, endgame)`.
//!
//! `qirkat tune evaluation` writes this file.

use super::tapered::Tapered;

const fn s(middle_game: i32, endgame: i32) -> Tapered {
    Tapered::new(middle_game, endgame)
}

/// The right to move.
pub(super) const TEMPO: [Tapered; 1] = [
    s(  20,   20),
];

/// Worth of each kind of man: pawn, knight, bishop, rook, archbishop, queen.
/// In this game the knight, which cannot jump, is weak, and a bishop wins alone
/// against a bare king.
pub(super) const MATERIAL: [Tapered; 6] = [
    s( 101,  106), s( 307,  374), s( 561,  612), s( 826,  928), s( 882, 1006), s(1039, 1171),
];

/// Worth of a man of each kind, in the order of [`MATERIAL`] with the king last,
/// on each rank, its own first.
pub(super) const ON_RANK: [Tapered; 63] = [
    s(   0,    0), s( -17,   13), s(   0,  -19), s(  -1,  -14), s(  19,   10), s(  31,   54), s(  56,   93), s( 100,  168), s(   0,    0),
    s( -30,   -7), s(  -5,   19), s( -11,   18), s( -19,   14), s(  19,  -14), s(  34,   -4), s(   1,   -2), s(  -2,   -2), s( -13,  -10),
    s(  -6,  -22), s(  33,  -34), s(  16,   -6), s(  -7,   28), s(   5,   -4), s( -13,   17), s(  -8,    4), s( -11,    3), s( -14,    4),
    s(  -6,  -39), s(   8,   -2), s( -19,   13), s( -19,    0), s( -17,   11), s(  16,    1), s(  10,   21), s(   4,    0), s(  -4,  -15),
    s( -22,  -21), s(  -5,   -2), s(  -7,    6), s(  -1,    0), s(   3,   37), s(  -4,  -11), s(  -5,   -7), s(  -2,   -8), s(  -5,  -10),
    s(  -2,  -11), s(  12,   22), s(  11,   -2), s( -16,   -2), s(   7,   17), s( -10,    9), s(  -1,    5), s(  -1,  -13), s(  -7,   -6),
    s(  43,  -12), s(   7,   25), s(  -7,    5), s( -13,   -5), s( -25,   -6), s( -28,    3), s( -31,   -2), s( -32,   -7), s( -34,  -16),
];

/// The same on each file from the edge to the middle.
pub(super) const ON_FILE: [Tapered; 35] = [
    s(  21,   41), s( -18,   19), s(   2,  -10), s(  -4,  -34), s(   2,  -20),
    s( -15,  -28), s( -35,   -7), s(   1,   -5), s(  -2,   29), s(  37,   33),
    s(  -6,  -33), s( -15,  -12), s( -11,    1), s(   7,   11), s(  28,   29),
    s(  -8,  -31), s( -12,   -8), s(   9,    9), s( -19,    3), s(   5,   21),
    s(   5,    0), s( -35,  -13), s(   6,   -6), s(   3,    1), s( -18,   11),
    s( -11,   -6), s(  15,   16), s(   6,   -6), s( -10,    9), s(   0,   13),
    s(   1,  -18), s(  -9,   -1), s(  12,   19), s(   8,   -2), s( -11,    1),
];

/// The same on a diagonal point.
pub(super) const ON_DIAGONAL_POINT: [Tapered; 7] = [
    s( -20,   12), s( -41,  -19), s(  64,   18), s( -18,  -10), s(   2,   11), s( -11,   19), s( -11,   17),
];

/// Worth of each point a piece attacks, without own men and points that enemy
/// pawns attack: for knight, bishop, rook, archbishop and queen, on a plain and
/// on a diagonal point.
pub(super) const MOBILITY: [Tapered; 10] = [
    s(   1,   -7), s(   2,    5),
    s(   5,   13), s(   2,   16),
    s(   8,    3), s(   2,    7),
    s(   1,   18), s(  -3,   12),
    s(  -9,   15), s(   2,    4),
];

/// What each of the first four of them is worth beyond that.
pub(super) const FIRST_MOBILITY: [Tapered; 10] = [
    s(   4,    9), s(   8,   -7),
    s(   5,   12), s(   5,  -18),
    s( -11,   27), s(  -2,   13),
    s(  -4,   14), s(   6,    6),
    s(   2,   28), s(  -1,   41),
];

/// Two bishops.
pub(super) const BISHOP_PAIR: [Tapered; 1] = [
    s( -13,    8),
];

/// A rook with no pawn ahead, and with enemy pawns only.
pub(super) const ROOK_FILE: [Tapered; 2] = [
    s(   9,   31), s(  13,   -5),
];

/// A pawn that another attacks the point of.
pub(super) const GUARDED_PAWN: [Tapered; 1] = [
    s(   8,   34),
];

/// Two pawns side by side.
pub(super) const PAWN_PAIR: [Tapered; 1] = [
    s(  -7,   14),
];

/// A pawn without own pawns on the files beside it.
pub(super) const ISOLATED_PAWN: [Tapered; 1] = [
    s(   4,   -3),
];

/// A pawn behind another.
pub(super) const DOUBLED_PAWN: [Tapered; 1] = [
    s(  -3,   -1),
];

/// A passed pawn by rank, on plain points and on diagonal points.
pub(super) const PASSED: [Tapered; 14] = [
    s(  23,  -16), s(  22,   24), s( -18,   -5), s(   4,   12), s(  15,   44), s(  16,   92), s(  65,  131),
    s(  -9,   -5), s(  -1,   -1), s(  -1,   13), s(  12,   -6), s(  32,   16), s(  43,   61), s(  67,  129),
];

/// A passed pawn, by rank, that another pawn guards.
pub(super) const PASSED_GUARDED: [Tapered; 7] = [
    s(   0,    0), s( -16,  -13), s(  -8,    5), s(   6,   -1), s(  11,    1), s(  17,   24), s(  19,   27),
];

/// A passed pawn, by rank, that cannot step forward: a man stands in its way,
/// on a plain point's pawn only an own one.
pub(super) const PASSED_BLOCKED: [Tapered; 7] = [
    s(   6,   -9), s(   3,   -7), s( -16,  -18), s(   1,  -22), s( -14,  -34), s( -20,  -36), s( -27,  -58),
];

/// A passed pawn, by rank, whose next point no enemy attacks.
pub(super) const PASSED_SAFE: [Tapered; 7] = [
    s(  -4,  -19), s(  13,   -5), s(   5,    8), s(  -4,    7), s(  18,   27), s(  27,   61), s(  41,   88),
];

/// For each rank of a passed pawn and each step of its own king from its next
/// point.
pub(super) const PASSED_OWN_KING: [Tapered; 1] = [
    s(   1,   -1),
];

/// The same for the enemy king.
pub(super) const PASSED_ENEMY_KING: [Tapered; 1] = [
    s(  -3,    6),
];

/// An enemy man under attack: rows by attacker, columns by victim, both from
/// pawn to queen.
pub(super) const THREAT: [Tapered; 36] = [
    s(  49,   39), s(  59,   41), s(  67,   63), s(  65,   67), s(  65,   65), s(  64,   65),
    s( -16,   -3), s(   3,    3), s(  41,   40), s(  60,   57), s(  57,   62), s(  61,   63),
    s(   6,    7), s(  19,   14), s(   3,    3), s(  38,   38), s(  59,   56), s(  69,   63),
    s(  16,  -10), s(  -8,   13), s( -13,   20), s(   3,    3), s(  27,   23), s(  35,   29),
    s(  -2,   14), s( -11,   16), s(   5,   -9), s(  19,   -1), s(   3,    3), s(  29,   23),
    s( -26,   25), s(  -4,   -1), s(   3,   10), s(   1,    8), s( -24,   -3), s(   3,    3),
];

/// An enemy man, by kind, attacked and not guarded at all.
pub(super) const HANGING: [Tapered; 6] = [
    s(  29,   49), s(  42,   42), s(  30,   26), s(  14,   15), s(  35,   34), s(  16,   15),
];

/// Danger to a king, whose square counts (see `sink.rs`): always, and when the
/// enemy has a queen.
pub(super) const DANGER_BASE: [Tapered; 2] = [
    s(  48,  -16), s( -11,    8),
];

/// Each piece that attacks points around the king, from knight to queen.
pub(super) const ZONE_ATTACKER: [Tapered; 5] = [
    s(  13,   21), s(  14,   36), s(  23,    5), s(  29,   19), s(  36,    9),
];

/// Each of those points that it attacks.
pub(super) const ZONE_ATTACK: [Tapered; 1] = [
    s(  -7,   30),
];

/// Each of those points attacked and not guarded but by the king.
pub(super) const WEAK_ZONE_POINT: [Tapered; 1] = [
    s(  10,   10),
];

/// Each point from which a piece could check unharmed, from knight to queen.
pub(super) const SAFE_CHECK: [Tapered; 5] = [
    s(  27,   15), s(   0,   16), s(  41,   34), s(  30,   12), s(  40,   15),
];

/// Points the king could step to: none, one, two, three, more.
pub(super) const KING_ESCAPE: [Tapered; 5] = [
    s(  21,   24), s(  39,   22), s(  17,   -5), s(   6,   -2), s(  47,    5),
];

/// Each own pawn around the king on plain and on diagonal points, and in the
/// row beyond.
pub(super) const SHELTER_PAWN: [Tapered; 3] = [
    s( -43,    0), s(  -4,   -6), s( -27,    3),
];

/// Each enemy pawn around the king, in the row beyond, and in the next.
pub(super) const STORM_PAWN: [Tapered; 3] = [
    s(   0,    9), s(   1,   18), s(  -8,   21),
];

/// No own pawn ahead of the king, and no enemy pawn.
pub(super) const OPEN_KING_FILE: [Tapered; 2] = [
    s(  39,  -25), s(  79,  -25),
];
