//! Reads moves as people and programs write them.

use arrayvec::ArrayVec;
use thiserror::Error;

use super::chain::{MAX_JUMPS, Move};
use super::illegal_move::IllegalMove;
use super::point::Point;
use super::position::Position;
use qirkat_game::ReadMove;
use qirkat_game::text::Excerpt;

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveTextError {
    /// It is not made of points.
    #[error(transparent)]
    Form(#[from] MoveFormError),
    /// It is, but the move is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// Why a text is not made of points.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveFormError {
    /// Something in it is not a point.
    #[error("`{0}` is not a point from a1 to e5")]
    Point(Excerpt),
    /// A move has two points at least.
    #[error("a move names all points that the man visits, such as c2c3 or c3e5e3")]
    TooShort,
    /// No man can jump so often.
    #[error("no man jumps more than {MAX_JUMPS} times in a move")]
    TooLong,
}

impl Position {
    /// Reads a legal move, written by all the points that the man visits, such
    /// as `c2c3` or `c3e5e3`.
    ///
    /// # Errors
    /// When the text is no move, or no legal one.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let points = read_points(text)?;
        if let Some(reason) = self.reason_against(&points) {
            return Err(reason.into());
        }
        Move::from_points(&points).ok_or_else(|| MoveFormError::TooShort.into())
    }
}

impl ReadMove for Position {
    type IllegalMove = IllegalMove;
    type MoveTextError = MoveTextError;

    fn read_move(&self, text: &str) -> Result<Move, MoveTextError> {
        self.read_move(text)
    }

    fn why_illegal(&self, mv: Move) -> Option<IllegalMove> {
        self.why_illegal(mv)
    }
}

/// The points of a move, two at least.
fn read_points(text: &str) -> Result<ArrayVec<Point, { MAX_JUMPS + 1 }>, MoveFormError> {
    let mut points = ArrayVec::new();
    let mut rest = text.chars();
    while !rest.as_str().is_empty() {
        let pair: String = rest.by_ref().take(2).collect();
        let point = Point::parse(&pair).ok_or_else(|| MoveFormError::Point(Excerpt::of(&pair)))?;
        points.try_push(point).map_err(|_| MoveFormError::TooLong)?;
    }
    if points.len() < 2 { Err(MoveFormError::TooShort) } else { Ok(points) }
}
