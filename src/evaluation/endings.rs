//! Endgame knowledge: mates against a lone king, and material that cannot win.
//!
//! With up to three pieces endgame tables know the result, and the search asks them before
//! it evaluates. What is here is for what those in the program do not cover: a lone king
//! against two pieces or more, and a knight with or against pawns. Without tables, as where
//! `TablePath` is `<none>` or a weaker player searches, it also mates with one piece.

use qirkat_game::Rules;
use qirkat_game::score::Score;
use qirkat_rules::chesquerque::{Bitboard, Color, PIECE_VALUES, PieceKind, Point, Position};
use qirkat_rules::chess::Square;

/// Endgame knowledge before evaluation, for the side to move: the value of a known
/// ending, or else what `evaluate` returns, in centipawns, scaled down where the
/// better side does not have the pieces to win.
pub(super) fn known_ending_or(position: &Position, evaluate: impl FnOnce() -> i32) -> Score {
    let us = position.side_to_move();
    if let Some(value) = lone_king(position, us) {
        return Score::centipawns(value);
    }
    if let Some(value) = lone_king(position, !us) {
        return Score::centipawns(-value);
    }
    let value = evaluate();
    let owner = if value > 0 { us } else { !us };
    Score::centipawns(value * scale(position, owner) / WHOLE_SCALE)
}

/// The scale factor that leaves a value as it is, as in Stockfish.
const WHOLE_SCALE: i32 = 64;
/// The scale factor of an advantage that cannot win.
const HOPELESS_SCALE: i32 = 4;

/// The scale factor of an advantage, out of [`WHOLE_SCALE`].
fn scale(position: &Position, owner: Color) -> i32 {
    let has_pawns = position.of(owner, PieceKind::Pawn).any();
    if has_pawns || can_mate(position, owner) { WHOLE_SCALE } else { HOPELESS_SCALE }
}

/// Whether the pieces of a side can mate a lone king: one knight cannot, two
/// can, and so can any other piece alone.
fn can_mate(position: &Position, color: Color) -> bool {
    let knights = position.of(color, PieceKind::Knight);
    let others = position.of_color(color)
        & !(knights | position.of_kind(PieceKind::King) | position.of_kind(PieceKind::Pawn));
    knights.more_than_one() || others.any()
}

/// The value of a won ending, before anything else.
const WON: i32 = 1000;

/// Plies to mate by where the lone king stands, from the corner outward to the
/// middle of the edge, and inward to the centre: the means over all positions
/// with a bishop, less that in the corner. Rook, archbishop and queen differ
/// little in shape.
const PLIES_FROM_CORNER: [[i32; 5]; 5] =
    [[0, 1, 5, 5, 6], [1, 5, 6, 8, 8], [5, 6, 9, 9, 10], [5, 8, 9, 10, 10], [6, 8, 10, 10, 11]];
/// Value of each of these plies, and of each step of the kings towards each
/// other, which saves about one.
const PLY: i32 = 10;
/// Value of each step of a knight towards the lone king.
const KNIGHT_STEP: i32 = 6;
/// Value of each step of a pawn, so that it goes on when nothing else helps.
const PAWN_STEP: i32 = 8;

/// The value of a position for `color` if its enemy has nothing but the king
/// and its pieces can mate. Only what brings the mate nearer counts: the lone
/// king in a corner, and the other king near.
fn lone_king(position: &Position, color: Color) -> Option<i32> {
    if position.of_color(!color).more_than_one() || !can_mate(position, color) {
        return None;
    }
    let pieces = position.of_color(color) & !position.of_kind(PieceKind::King);
    let material: i32 = pieces
        .into_iter()
        .filter_map(|point| position.kind_on(point))
        .map(|kind| PIECE_VALUES[kind.index()])
        .sum();
    let lone = position.king(!color);
    let nearness = |point: Point| i32::from(Point::FILES - 1) - i32::from(point.distance(lone));
    let sum = |points: Bitboard, value: &dyn Fn(Point) -> i32| -> i32 {
        points.into_iter().map(value).sum()
    };
    let knights = sum(position.of(color, PieceKind::Knight), &nearness);
    let pawns = sum(position.of(color, PieceKind::Pawn), &|pawn| relative_rank(color, pawn) as i32);
    let lone_rank = relative_rank(Color::White, lone).min(relative_rank(Color::Black, lone));
    Some(
        WON + material + PLY * (nearness(position.king(color)))
            - PLY * PLIES_FROM_CORNER[lone_rank][edge_distance(lone)]
            + KNIGHT_STEP * knights
            + PAWN_STEP * pawns,
    )
}

/// Steps of a file from the nearer edge of the board.
pub(super) const fn edge_distance(point: Point) -> usize {
    let from_right = Point::FILES - 1 - point.file();
    (if point.file() < from_right { point.file() } else { from_right }) as usize
}

/// The rank relative to a side: its own first rank is 0.
pub(super) const fn relative_rank(color: Color, point: Point) -> usize {
    match color {
        Color::White => point.rank() as usize,
        Color::Black => (Point::RANKS - 1 - point.rank()) as usize,
    }
}
