//! The numbers of the evaluation, in centipawns: `s(middle game, endgame)`.
//!
//! `qirkat tune evaluation` writes this file.

use super::tapered::Tapered;

const fn s(middle_game: i32, endgame: i32) -> Tapered {
    Tapered::new(middle_game, endgame)
}

/// The right to move.
pub(super) const TEMPO: [Tapered; 1] = [
    s(  10,   10),
];

/// Worth of each kind of man: pawn, knight, bishop, rook, archbishop, queen.
/// In this game the knight, which cannot jump, is weak, and a bishop wins alone
/// against a bare king.
pub(super) const MATERIAL: [Tapered; 6] = [
    s( 100,  110), s( 320,  352), s( 560,  616), s( 850,  935), s( 920, 1012), s(1040, 1144),
];

/// Worth of a man of each kind, in the order of [`MATERIAL`] with the king last,
/// on each rank, its own first.
pub(super) const ON_RANK: [Tapered; 63] = [
    s(   0,    0), s(  -2,   -2), s(   2,    4), s(   8,   12), s(  16,   24), s(  26,   42), s(  48,   80), s(  88,  148), s(   0,    0),
    s( -12,  -12), s(  -6,   -6), s(   0,    0), s(   6,    6), s(  12,   12), s(   6,    6), s(   0,    0), s(  -6,   -6), s( -12,  -12),
    s(  -8,   -8), s(  -4,   -4), s(   0,    0), s(   4,    4), s(   8,    8), s(   4,    4), s(   0,    0), s(  -4,   -4), s(  -8,   -8),
    s(  -4,   -4), s(  -2,   -2), s(   0,    0), s(   2,    2), s(   4,    4), s(   2,    2), s(   0,    0), s(  -2,   -2), s(  -4,   -4),
    s( -10,  -10), s(  -5,   -5), s(   0,    0), s(   5,    5), s(  10,   10), s(   5,    5), s(   0,    0), s(  -5,   -5), s( -10,  -10),
    s(  -6,   -6), s(  -3,   -3), s(   0,    0), s(   3,    3), s(   6,    6), s(   3,    3), s(   0,    0), s(  -3,   -3), s(  -6,   -6),
    s(  26,  -16), s(  13,   -8), s(   0,    0), s( -13,    8), s( -21,   16), s( -28,    8), s( -30,    0), s( -32,   -8), s( -34,  -16),
];

/// The same on each file from the edge to the middle.
pub(super) const ON_FILE: [Tapered; 35] = [
    s(  -4,   -4), s(  -2,   -2), s(   0,    0), s(   2,    2), s(   4,    4),
    s( -12,  -12), s(  -6,   -6), s(   0,    0), s(   6,    6), s(  12,   12),
    s(  -8,   -8), s(  -4,   -4), s(   0,    0), s(   4,    4), s(   8,    8),
    s(  -4,   -4), s(  -2,   -2), s(   0,    0), s(   2,    2), s(   4,    4),
    s( -10,  -10), s(  -5,   -5), s(   0,    0), s(   5,    5), s(  10,   10),
    s(  -6,   -6), s(  -3,   -3), s(   0,    0), s(   3,    3), s(   6,    6),
    s(  -4,  -16), s(  -2,   -8), s(   0,    0), s(   2,    8), s(   4,   16),
];

/// The same on a diagonal point.
pub(super) const ON_DIAGONAL_POINT: [Tapered; 7] = [
    s(   0,    0), s(   8,    8), s(  20,   20), s(  10,   10), s(  15,   15), s(  10,   10), s(   0,    0),
];

/// Worth of each point a piece attacks, without own men and points that enemy
/// pawns attack: for knight, bishop, rook, archbishop and queen, on a plain and
/// on a diagonal point.
pub(super) const MOBILITY: [Tapered; 10] = [
    s(   5,    6), s(   5,    6),
    s(   5,    6), s(   5,    6),
    s(   3,    4), s(   3,    4),
    s(   4,    4), s(   4,    4),
    s(   2,    3), s(   2,    3),
];

/// What each of the first four of them is worth beyond that.
pub(super) const FIRST_MOBILITY: [Tapered; 10] = [
    s(   5,    5), s(   5,    5),
    s(   5,    5), s(   5,    5),
    s(   3,    3), s(   3,    3),
    s(   4,    4), s(   4,    4),
    s(   2,    2), s(   2,    2),
];

/// Two bishops.
pub(super) const BISHOP_PAIR: [Tapered; 1] = [
    s(  10,   20),
];

/// A rook with no pawn ahead, and with enemy pawns only.
pub(super) const ROOK_FILE: [Tapered; 2] = [
    s(  20,   15), s(  10,    8),
];

/// A pawn that another attacks the point of.
pub(super) const GUARDED_PAWN: [Tapered; 1] = [
    s(   8,    6),
];

/// Two pawns side by side.
pub(super) const PAWN_PAIR: [Tapered; 1] = [
    s(   4,    4),
];

/// A pawn without own pawns on the files beside it.
pub(super) const ISOLATED_PAWN: [Tapered; 1] = [
    s(  -8,  -10),
];

/// A pawn behind another.
pub(super) const DOUBLED_PAWN: [Tapered; 1] = [
    s(  -8,  -12),
];

/// A passed pawn by rank, on plain points and on diagonal points.
pub(super) const PASSED: [Tapered; 14] = [
    s(   0,    0), s(   2,    4), s(   5,   10), s(  10,   20), s(  20,   40), s(  35,   70), s(  60,  120),
    s(   0,    0), s(   2,    4), s(   5,   10), s(  10,   20), s(  20,   40), s(  35,   70), s(  60,  120),
];

/// A passed pawn, by rank, that another pawn guards.
pub(super) const PASSED_GUARDED: [Tapered; 7] = [
    s(   0,    0), s(   1,    1), s(   2,    3), s(   4,    6), s(   8,   12), s(  14,   21), s(  24,   36),
];

/// A passed pawn, by rank, that cannot step forward: a man stands in its way,
/// on a plain point's pawn only an own one.
pub(super) const PASSED_BLOCKED: [Tapered; 7] = [
    s(   0,    0), s(  -1,   -2), s(  -2,   -4), s(  -4,   -8), s(  -8,  -16), s( -14,  -28), s( -24,  -48),
];

/// A passed pawn, by rank, whose next point no enemy attacks.
pub(super) const PASSED_SAFE: [Tapered; 7] = [
    s(   0,    0), s(   1,    2), s(   2,    4), s(   4,    8), s(   8,   16), s(  14,   28), s(  24,   48),
];

/// For each rank of a passed pawn and each step of its own king from its next
/// point.
pub(super) const PASSED_OWN_KING: [Tapered; 1] = [
    s(   0,   -1),
];

/// The same for the enemy king.
pub(super) const PASSED_ENEMY_KING: [Tapered; 1] = [
    s(   0,    2),
];

/// An enemy man under attack: rows by attacker, columns by victim, both from
/// pawn to queen.
pub(super) const THREAT: [Tapered; 36] = [
    s(   3,    3), s(  31,   31), s(  60,   60), s(  65,   65), s(  65,   65), s(  65,   65),
    s(   3,    3), s(   3,    3), s(  34,   34), s(  65,   65), s(  65,   65), s(  65,   65),
    s(   3,    3), s(   3,    3), s(   3,    3), s(  40,   40), s(  48,   48), s(  63,   63),
    s(   3,    3), s(   3,    3), s(   3,    3), s(   3,    3), s(  13,   13), s(  28,   28),
    s(   3,    3), s(   3,    3), s(   3,    3), s(   3,    3), s(   3,    3), s(  19,   19),
    s(   3,    3), s(   3,    3), s(   3,    3), s(   3,    3), s(   3,    3), s(   3,    3),
];

/// An enemy man, by kind, attacked and not guarded at all.
pub(super) const HANGING: [Tapered; 6] = [
    s(  10,   10), s(  20,   15), s(  30,   25), s(  30,   30), s(  30,   30), s(  30,   30),
];

/// Danger to a king, whose square counts (see `sink.rs`): always, and when the
/// enemy has a queen.
pub(super) const DANGER_BASE: [Tapered; 2] = [
    s(   0,  -20), s(  20,   10),
];

/// Each piece that attacks points around the king, from knight to queen.
pub(super) const ZONE_ATTACKER: [Tapered; 5] = [
    s(  20,   10), s(  30,   10), s(  30,   10), s(  40,   15), s(  40,   15),
];

/// Each of those points that it attacks.
pub(super) const ZONE_ATTACK: [Tapered; 1] = [
    s(   8,    3),
];

/// Each of those points attacked and not guarded but by the king.
pub(super) const WEAK_ZONE_POINT: [Tapered; 1] = [
    s(  15,    8),
];

/// Each point from which a piece could check unharmed, from knight to queen.
pub(super) const SAFE_CHECK: [Tapered; 5] = [
    s(  20,    8), s(  20,    8), s(  25,   10), s(  20,    8), s(  20,    8),
];

/// Points the king could step to: none, one, two, three, more.
pub(super) const KING_ESCAPE: [Tapered; 5] = [
    s(  40,   20), s(  25,   12), s(  12,    6), s(   5,    2), s(   0,    0),
];

/// Each own pawn around the king on plain and on diagonal points, and in the
/// row beyond.
pub(super) const SHELTER_PAWN: [Tapered; 3] = [
    s( -15,    0), s( -15,    0), s(  -8,    0),
];

/// Each enemy pawn around the king, in the row beyond, and in the next.
pub(super) const STORM_PAWN: [Tapered; 3] = [
    s(  10,    5), s(  10,    5), s(   5,    0),
];

/// No own pawn ahead of the king, and no enemy pawn.
pub(super) const OPEN_KING_FILE: [Tapered; 2] = [
    s(  15,    5), s(  10,    5),
];
