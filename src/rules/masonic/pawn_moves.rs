//! Where a single pawn goes, for code that looks at one piece at a time.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::en_passant::EnPassant;
use super::lines::LINES;
use super::side::{Black, Side, White};
use qirkat_game::Color;

/// The cells on which a pawn captures.
///
/// ```
/// use qirkat_rules::chesquerque::Color;
/// use qirkat_rules::masonic::{Cell, pawn_captures, pawn_steps};
///
/// let from: Cell = "e2".parse()?;
/// let names = |cells| format!("{cells:?}");
/// assert_eq!(names(pawn_captures(Color::White, from)), "{d3, g3}");
/// assert_eq!(names(pawn_steps(Color::White, from)), "{e3, f3}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn pawn_captures(color: Color, from: Cell) -> Bitboard {
    LINES[from].pawn_sources(!color)
}

/// The cells to which a pawn steps, if they are empty.
#[inline]
pub fn pawn_steps(color: Color, from: Cell) -> Bitboard {
    let steps = match color {
        Color::White => White::STEPS,
        Color::Black => Black::STEPS,
    };
    steps.into_iter().fold(Bitboard::EMPTY, |all, step| all | step.shift(from.bit()))
}

/// Where a pawn's double step over a cell leads, if both are empty; none from elsewhere than
/// its first rank.
#[inline]
pub fn double_step(color: Color, from: Cell, over: Cell) -> Option<Cell> {
    let (third_rank, ahead) = match color {
        Color::White => (White::THIRD_RANK, White::AHEAD),
        Color::Black => (Black::THIRD_RANK, Black::AHEAD),
    };
    if !third_rank.contains(over) {
        return None;
    }
    [-1, 1].into_iter().find_map(|half_files| {
        let (origin, double_step) = EnPassant::over(over, (half_files, ahead))?;
        (origin == from).then_some(double_step.pawn)
    })
}
