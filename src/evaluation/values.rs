//! The numbers of the evaluation, in centipawns.

use crate::position::{PerPoint, PieceKind, Point};

/// Worth of each kind of man: pawn, knight, bishop, rook, archbishop, queen,
/// king. In this game the knight, which cannot jump, is weak, and a bishop
/// wins alone against a bare king.
pub(super) const MATERIAL: [i32; PieceKind::COUNT] = [100, 320, 560, 850, 920, 1040, 10_000];

/// The right to move.
pub(super) const TEMPO: i32 = 10;

/// Worth of standing on a diagonal point, where a piece has more ways.
const ON_DIAGONAL_POINT: [i32; PieceKind::COUNT] = [0, 8, 40, 10, 30, 20, 0];
/// Worth of each step nearer to the centre, of at most eight.
const NEARER_TO_CENTRE: [i32; PieceKind::COUNT] = [2, 6, 4, 2, 5, 3, 2];
/// Worth of a pawn's rank, from its own side.
const PAWN_ADVANCE: [i32; Point::RANKS as usize] = [0, 0, 4, 10, 20, 40, 80, 150, 0];

/// Worth of the king's rank while the enemy has all pieces.
pub(super) const KING_SHELTER: [i32; Point::RANKS as usize] =
    [60, 30, 0, -30, -50, -60, -60, -60, -60];
/// Weight of each piece in the attack on a king; all of a side's together.
pub(super) const PHASE_WEIGHT: [i32; PieceKind::COUNT] = [0, 1, 2, 3, 3, 4, 0];
pub(super) const WHOLE_PHASE: i32 = 19;

/// Worth of a man of each kind on each point, seen from its own side.
pub(super) static PLACEMENT: [PerPoint<i32>; PieceKind::COUNT] = {
    let mut table = [PerPoint([0; Point::COUNT]); PieceKind::COUNT];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let mut index = 0;
        while let Some(point) = Point::from_index(index) {
            let mut worth = NEARER_TO_CENTRE[kind] * steps_from_edge(point);
            if point.is_diagonal() {
                worth += ON_DIAGONAL_POINT[kind];
            }
            if kind == PieceKind::Pawn.index() {
                worth += PAWN_ADVANCE[point.rank() as usize];
            }
            table[kind].0[index] = worth;
            index += 1;
        }
        kind += 1;
    }
    table
};

/// Distance from the nearest corner's edges: 0 in a corner, 8 in the centre.
const fn steps_from_edge(point: Point) -> i32 {
    let file = point.file();
    let rank = point.rank();
    let from_side = if file < Point::FILES / 2 { file } else { Point::FILES - 1 - file };
    let from_end = if rank < Point::RANKS / 2 { rank } else { Point::RANKS - 1 - rank };
    (from_side + from_end) as i32
}
