//! The values of the hand-crafted evaluation, in centipawns: `s(middle game, endgame)`.
//!
//! `qirkat tune evaluation` writes this file.

use crate::Tapered;

const fn s(middle_game: i32, endgame: i32) -> Tapered {
    Tapered::new(middle_game, endgame)
}

/// Tempo: being the side to move.
pub(super) const TEMPO: [Tapered; 1] = [
    s(  11,   22),
];

/// Value of each kind of piece: pawn, knight, bishop, rook, archbishop, queen.
/// In this game the knight, which cannot jump, is weak, and a bishop wins alone
/// against a bare king.
pub(super) const MATERIAL: [Tapered; 6] = [
    s( 107,  129), s( 305,  367), s( 572,  609), s( 817,  929), s( 881, 1008), s(1033, 1172),
];

/// Value of a piece of each kind, in the order of [`MATERIAL`] with the king last,
/// on each rank, its own first.
pub(super) const ON_RANK: [Tapered; 63] = [
    s(   0,    0), s( -12,   17), s(   1,  -23), s(  -8,   -9), s(   5,    3), s(  42,   65), s(  62,  103), s( 103,  173), s(   0,    0),
    s( -11,  -11), s( -12,    5), s( -18,   15), s( -16,   20), s(  22,    0), s(  25,   -4), s(  -2,   -1), s(  -1,   -4), s( -13,  -14),
    s(  -4,  -28), s(  30,  -37), s(   8,  -13), s(   5,   34), s(  13,   -2), s(  -8,   22), s(  -5,    5), s( -16,    2), s( -19,    4),
    s(   1,  -43), s(  -7,  -15), s( -18,    4), s( -27,    8), s( -21,   18), s(  24,    1), s(  10,   25), s(   5,    6), s(  -3,  -12),
    s( -11,  -22), s( -14,   -6), s(  -8,   11), s(  -4,    0), s(   2,   34), s(  -3,  -11), s(  -5,   -7), s(  -1,   -7), s(  -4,   -7),
    s(   9,  -21), s(   3,   17), s(   1,    2), s( -15,    2), s(   4,   17), s( -14,    6), s(   2,    6), s(  -1,  -12), s(  -1,    1),
    s(  46,   -8), s(   8,   18), s( -11,    2), s( -14,   -9), s( -25,   -6), s( -28,    6), s( -31,    1), s( -32,   -5), s( -34,  -15),
];

/// The same on each file from the edge to the middle.
pub(super) const ON_FILE: [Tapered; 35] = [
    s(   9,   29), s(  -8,   18), s(  11,   -3), s(  -2,  -12), s(  -2,  -13),
    s( -25,  -31), s( -40,   -8), s(   5,    3), s(  20,   35), s(  25,   17),
    s(  -9,  -30), s(  -6,  -11), s(  19,    0), s(   3,    8), s(   8,   27),
    s( -25,  -35), s( -13,   -5), s(   4,    5), s( -12,   10), s(  11,   21),
    s(  -6,   -3), s( -27,   -8), s(  -6,   -4), s(  10,    2), s(  -9,    9),
    s(  -9,   -1), s(  -6,    8), s(  11,   -3), s(   3,    9), s(  -6,   12),
    s(  -3,  -24), s(  20,   -2), s(  -6,    9), s( -13,   10), s(   3,    6),
];

/// The same on a diagonal point.
pub(super) const ON_DIAGONAL_POINT: [Tapered; 7] = [
    s( -11,    6), s( -23,  -10), s(  77,   23), s(  -7,   -3), s(   0,   14), s( -13,   21), s(   6,   13),
];

/// Value of each point a piece attacks, without own pieces and points that enemy
/// pawns attack: for knight, bishop, rook, archbishop and queen, on a plain and
/// on a diagonal point.
pub(super) const MOBILITY: [Tapered; 10] = [
    s(   1,   -1), s(  -4,    9),
    s(  14,   15), s(   4,   11),
    s(   4,    4), s(   6,    2),
    s(  -1,   20), s(   1,    8),
    s(  -7,   15), s(   6,   -1),
];

/// Extra value of each of the first four of them.
pub(super) const FIRST_MOBILITY: [Tapered; 10] = [
    s(   3,   12), s(  13,   -2),
    s(  14,   14), s(   3,    0),
    s(  -9,   22), s( -12,   32),
    s(  -1,   14), s(   2,   20),
    s(  -3,   20), s( -12,   54),
];

/// Two bishops.
pub(super) const BISHOP_PAIR: [Tapered; 1] = [
    s( -19,    9),
];

/// A rook with no pawn ahead, and with enemy pawns only.
pub(super) const ROOK_FILE: [Tapered; 2] = [
    s(  23,   50), s(  23,    7),
];

/// A pawn that another pawn defends.
pub(super) const SUPPORTED_PAWN: [Tapered; 1] = [
    s(   4,   29),
];

/// Two pawns side by side.
pub(super) const PHALANX: [Tapered; 1] = [
    s( -12,   -4),
];

/// A pawn without own pawns on the files beside it.
pub(super) const ISOLATED_PAWN: [Tapered; 1] = [
    s(   1,   -8),
];

/// A pawn behind another.
pub(super) const DOUBLED_PAWN: [Tapered; 1] = [
    s(  -6,   -3),
];

/// A passed pawn by rank, on plain points and on diagonal points.
pub(super) const PASSED: [Tapered; 14] = [
    s(  14,  -22), s(  17,   17), s( -18,   -9), s(   4,   12), s(  11,   36), s(  18,   96), s(  65,  132),
    s( -10,   -5), s(  -3,   -9), s(  -5,    5), s(  13,    7), s(  31,   14), s(  43,   63), s(  70,  133),
];

/// A passed pawn, by rank, that another pawn defends.
pub(super) const PASSED_SUPPORTED: [Tapered; 7] = [
    s(   0,    0), s( -18,  -15), s( -10,    3), s(   1,   -2), s(  11,   -7), s(  15,   21), s(  19,   27),
];

/// A passed pawn, by rank, that cannot step forward: a piece stands in its way,
/// on a plain point's pawn only an own one.
pub(super) const PASSED_BLOCKED: [Tapered; 7] = [
    s(   4,   -9), s(   6,   -2), s( -17,  -19), s(   3,  -15), s( -16,  -33), s( -22,  -39), s( -26,  -58),
];

/// A passed pawn, by rank, whose next point no enemy attacks.
pub(super) const PASSED_SAFE: [Tapered; 7] = [
    s(  -8,  -19), s(   7,  -17), s(   4,    2), s(  -4,   18), s(  18,   29), s(  24,   60), s(  42,   93),
];

/// For each rank of a passed pawn and each step of its own king from its next
/// point.
pub(super) const PASSED_OWN_KING: [Tapered; 1] = [
    s(   3,   -3),
];

/// The same for the enemy king.
pub(super) const PASSED_ENEMY_KING: [Tapered; 1] = [
    s(  -5,    7),
];

/// An enemy piece under attack: rows by attacker, columns by victim, both from
/// pawn to queen.
pub(super) const THREAT: [Tapered; 36] = [
    s(  67,   58), s(  61,   43), s(  67,   64), s(  66,   67), s(  64,   65), s(  64,   65),
    s(  -1,    9), s(   3,    3), s(  38,   41), s(  55,   54), s(  57,   62), s(  59,   61),
    s(   6,   -1), s(  11,   15), s(   3,    3), s(  36,   38), s(  60,   57), s(  68,   63),
    s(   8,   -2), s(   2,   21), s(  -1,   22), s(   3,    3), s(  31,   27), s(  36,   29),
    s(   6,    8), s(  -5,   17), s(   5,  -11), s(  16,   -3), s(   3,    3), s(  30,   23),
    s( -22,   33), s(  -5,    1), s(   0,    9), s(   0,    9), s( -20,   -1), s(   3,    3),
];

/// A hanging enemy piece, by kind: attacked and not defended at all.
pub(super) const HANGING: [Tapered; 6] = [
    s(   7,   33), s(  46,   41), s(  33,   26), s(   9,   11), s(  32,   34), s(  11,   11),
];

/// King danger, whose square counts (see `sink.rs`): always, and when the
/// enemy has a queen.
pub(super) const DANGER_BASE: [Tapered; 2] = [
    s(  50,  -12), s( -16,   12),
];

/// Each piece that attacks the king ring, from knight to queen.
pub(super) const KING_RING_ATTACKER: [Tapered; 5] = [
    s(  12,   20), s(  16,   39), s(  21,   10), s(  34,   21), s(  35,    6),
];

/// Each point of the king ring that it attacks.
pub(super) const KING_RING_ATTACK: [Tapered; 1] = [
    s(  -5,   24),
];

/// Each point of the king ring that is attacked and only the king defends.
pub(super) const WEAK_KING_RING: [Tapered; 1] = [
    s(   9,    4),
];

/// Each safe check of a piece, from knight to queen.
pub(super) const SAFE_CHECK: [Tapered; 5] = [
    s(  29,   13), s(   2,   19), s(  42,   35), s(  32,   11), s(  32,   11),
];

/// Flight points of the king: none, one, two, three, more.
pub(super) const KING_ESCAPE: [Tapered; 5] = [
    s(  23,   28), s(  36,   15), s(  21,    1), s(   9,    0), s(  43,    3),
];

/// Each own pawn around the king on plain and on diagonal points, and in the
/// row beyond.
pub(super) const SHELTER_PAWN: [Tapered; 3] = [
    s( -31,    0), s(  -5,   -5), s( -25,    7),
];

/// Each enemy pawn around the king, in the row beyond, and in the next.
pub(super) const STORM_PAWN: [Tapered; 3] = [
    s(  -2,   10), s(   7,   26), s(  -4,   25),
];

/// No own pawn ahead of the king, and no enemy pawn.
pub(super) const OPEN_KING_FILE: [Tapered; 2] = [
    s(  42,  -24), s(  71,  -31),
];
