//! The numbers of the evaluation, in centipawns: `s(middle game, endgame)`.
//!
//! `qirkat tune evaluation` writes this file.

use super::tapered::Tapered;

const fn s(middle_game: i32, endgame: i32) -> Tapered {
    Tapered::new(middle_game, endgame)
}

/// The right to move.
pub(super) const TEMPO: [Tapered; 1] = [
    s(  15,   21),
];

/// Worth of each kind of man: pawn, knight, bishop, rook, archbishop, queen.
/// In this game the knight, which cannot jump, is weak, and a bishop wins alone
/// against a bare king.
pub(super) const MATERIAL: [Tapered; 6] = [
    s( 109,  120), s( 297,  369), s( 567,  608), s( 819,  929), s( 878, 1007), s(1039, 1172),
];

/// Worth of a man of each kind, in the order of [`MATERIAL`] with the king last,
/// on each rank, its own first.
pub(super) const ON_RANK: [Tapered; 63] = [
    s(   0,    0), s(  -8,   15), s(   1,  -18), s(  -8,   -9), s(  12,    0), s(  38,   59), s(  58,   99), s( 102,  173), s(   0,    0),
    s( -14,   -4), s( -11,   12), s( -19,   16), s( -19,   17), s(  18,   -9), s(  26,   -8), s(  -2,   -3), s(  -1,   -1), s( -13,  -12),
    s(  -6,  -26), s(  34,  -36), s(  14,   -9), s(   0,   32), s(   7,   -3), s( -13,   19), s(  -4,    4), s( -15,    1), s( -18,    4),
    s(  -5,  -47), s(  -2,   -9), s( -17,   11), s( -27,    5), s( -19,   16), s(  23,    0), s(  12,   26), s(   4,    5), s(  -4,  -14),
    s( -18,  -20), s( -12,   -5), s( -11,    9), s(  -3,   -1), s(   5,   36), s(  -2,  -11), s(  -5,   -7), s(  -2,   -8), s(  -5,   -9),
    s(   8,  -15), s(   8,   22), s(   6,    1), s( -17,   -1), s(   8,   18), s( -14,    6), s(   1,    5), s(  -1,  -13), s(  -5,   -5),
    s(  41,   -7), s(  12,   18), s( -10,    2), s( -14,   -7), s( -25,   -6), s( -28,    5), s( -31,    1), s( -32,   -6), s( -34,  -16),
];

/// The same on each file from the edge to the middle.
pub(super) const ON_FILE: [Tapered; 35] = [
    s(  24,   38), s( -12,   24), s(   2,   -3), s(  -1,  -33), s(  -3,  -16),
    s( -20,  -28), s( -43,  -12), s(   2,   -2), s(   8,   36), s(  30,   23),
    s(  -7,  -33), s( -14,  -19), s(   8,    3), s(   5,   11), s(  18,   30),
    s( -16,  -29), s( -11,   -4), s(   8,    5), s( -18,    4), s(   4,   20),
    s(   2,   -2), s( -28,  -10), s(  -3,   -3), s(   6,    1), s( -19,    9),
    s( -12,   -6), s(   7,   12), s(  12,   -4), s(  -2,   10), s(  -5,   14),
    s(  -4,  -22), s(   2,   -5), s(   8,   17), s(  -4,    6), s(  -1,    3),
];

/// The same on a diagonal point.
pub(super) const ON_DIAGONAL_POINT: [Tapered; 7] = [
    s( -15,    5), s( -29,  -12), s(  74,   21), s( -12,   -5), s(   0,   13), s( -14,   21), s(  -1,   14),
];

/// Worth of each point a piece attacks, without own men and points that enemy
/// pawns attack: for knight, bishop, rook, archbishop and queen, on a plain and
/// on a diagonal point.
pub(super) const MOBILITY: [Tapered; 10] = [
    s(   4,   -1), s(  -2,    8),
    s(   9,   16), s(   4,   17),
    s(  11,    4), s(   7,    4),
    s(  -1,   22), s(  -1,   11),
    s(  -8,   14), s(   5,   -2),
];

/// What each of the first four of them is worth beyond that.
pub(super) const FIRST_MOBILITY: [Tapered; 10] = [
    s(  -1,    8), s(  10,   -4),
    s(   9,   15), s(   5,   -8),
    s( -15,   20), s( -11,   26),
    s(  -6,   13), s(   0,   17),
    s(  -5,   20), s( -11,   51),
];

/// Two bishops.
pub(super) const BISHOP_PAIR: [Tapered; 1] = [
    s( -18,   10),
];

/// A rook with no pawn ahead, and with enemy pawns only.
pub(super) const ROOK_FILE: [Tapered; 2] = [
    s(  19,   43), s(  12,   -1),
];

/// A pawn that another attacks the point of.
pub(super) const GUARDED_PAWN: [Tapered; 1] = [
    s(   4,   35),
];

/// Two pawns side by side.
pub(super) const PAWN_PAIR: [Tapered; 1] = [
    s( -11,    4),
];

/// A pawn without own pawns on the files beside it.
pub(super) const ISOLATED_PAWN: [Tapered; 1] = [
    s(   4,   -9),
];

/// A pawn behind another.
pub(super) const DOUBLED_PAWN: [Tapered; 1] = [
    s(  -1,   -1),
];

/// A passed pawn by rank, on plain points and on diagonal points.
pub(super) const PASSED: [Tapered; 14] = [
    s(  19,  -19), s(  20,   23), s( -17,   -2), s(   5,   13), s(  13,   38), s(  17,   94), s(  65,  133),
    s( -10,   -5), s(  -3,   -6), s(  -3,    8), s(  12,   -1), s(  31,   12), s(  43,   63), s(  69,  132),
];

/// A passed pawn, by rank, that another pawn guards.
pub(super) const PASSED_GUARDED: [Tapered; 7] = [
    s(   0,    0), s( -18,  -14), s(  -9,    6), s(   3,   -2), s(  11,   -7), s(  16,   23), s(  19,   27),
];

/// A passed pawn, by rank, that cannot step forward: a man stands in its way,
/// on a plain point's pawn only an own one.
pub(super) const PASSED_BLOCKED: [Tapered; 7] = [
    s(   5,  -10), s(   5,   -4), s( -17,  -19), s(   1,  -19), s( -14,  -35), s( -20,  -36), s( -26,  -58),
];

/// A passed pawn, by rank, whose next point no enemy attacks.
pub(super) const PASSED_SAFE: [Tapered; 7] = [
    s(  -6,  -18), s(  10,   -9), s(   5,    7), s(  -4,   12), s(  18,   27), s(  24,   62), s(  42,   92),
];

/// For each rank of a passed pawn and each step of its own king from its next
/// point.
pub(super) const PASSED_OWN_KING: [Tapered; 1] = [
    s(   3,   -2),
];

/// The same for the enemy king.
pub(super) const PASSED_ENEMY_KING: [Tapered; 1] = [
    s(  -6,    6),
];

/// An enemy man under attack: rows by attacker, columns by victim, both from
/// pawn to queen.
pub(super) const THREAT: [Tapered; 36] = [
    s(  66,   54), s(  60,   43), s(  67,   63), s(  66,   67), s(  65,   65), s(  64,   65),
    s(  -7,    0), s(   3,    3), s(  40,   41), s(  57,   55), s(  57,   62), s(  60,   62),
    s(   5,    6), s(  11,   14), s(   3,    3), s(  36,   38), s(  60,   57), s(  69,   63),
    s(  13,   -5), s(  -3,   17), s( -10,   21), s(   3,    3), s(  29,   25), s(  36,   29),
    s(   4,    8), s(  -8,   14), s(   5,  -11), s(  18,   -2), s(   3,    3), s(  30,   23),
    s( -25,   27), s(  -1,    0), s(   1,    9), s(   0,    8), s( -23,   -2), s(   3,    3),
];

/// An enemy man, by kind, attacked and not guarded at all.
pub(super) const HANGING: [Tapered; 6] = [
    s(  19,   39), s(  47,   43), s(  33,   26), s(  11,   13), s(  34,   34), s(  13,   13),
];

/// Danger to a king, whose square counts (see `sink.rs`): always, and when the
/// enemy has a queen.
pub(super) const DANGER_BASE: [Tapered; 2] = [
    s(  56,  -14), s(  -9,   10),
];

/// Each piece that attacks points around the king, from knight to queen.
pub(super) const ZONE_ATTACKER: [Tapered; 5] = [
    s(  11,   20), s(  13,   37), s(  23,   10), s(  35,   20), s(  34,    5),
];

/// Each of those points that it attacks.
pub(super) const ZONE_ATTACK: [Tapered; 1] = [
    s(  -5,   28),
];

/// Each of those points attacked and not guarded but by the king.
pub(super) const WEAK_ZONE_POINT: [Tapered; 1] = [
    s(  13,   11),
];

/// Each point from which a piece could check unharmed, from knight to queen.
pub(super) const SAFE_CHECK: [Tapered; 5] = [
    s(  28,   14), s(   1,   18), s(  44,   37), s(  33,   13), s(  35,   11),
];

/// Points the king could step to: none, one, two, three, more.
pub(super) const KING_ESCAPE: [Tapered; 5] = [
    s(  22,   26), s(  40,   19), s(  22,   -1), s(   7,   -1), s(  46,    3),
];

/// Each own pawn around the king on plain and on diagonal points, and in the
/// row beyond.
pub(super) const SHELTER_PAWN: [Tapered; 3] = [
    s( -34,   -2), s(  -5,   -8), s( -35,    3),
];

/// Each enemy pawn around the king, in the row beyond, and in the next.
pub(super) const STORM_PAWN: [Tapered; 3] = [
    s(   0,   11), s(   6,   23), s(  -3,   27),
];

/// No own pawn ahead of the king, and no enemy pawn.
pub(super) const OPEN_KING_FILE: [Tapered; 2] = [
    s(  42,  -22), s(  73,  -30),
];
