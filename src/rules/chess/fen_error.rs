//! The faults that a FEN can have.

use derive_more::Display;
use thiserror::Error;

use super::geometry::Geometry;
use super::square::Square;
use crate::fen_fields::{MAX_CLOCK, PlacementFault};
use qirkat_game::Color;
use qirkat_game::text::{Excerpt, counted};

/// Why a text is not the FEN of a position, and where it is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError<G: Geometry> {
    /// There is no text.
    #[error("FEN is empty")]
    Empty,
    /// A field other than the clocks is not there.
    #[error("FEN field `{0}` is missing")]
    MissingField(&'static str),
    /// There is text behind the sixth field.
    #[error("FEN has more than six fields: unexpected `{0}`")]
    TooManyFields(Excerpt),
    /// More or fewer ranks than the board has.
    #[error("board: {} instead of {}", counted(*.0 as u64, "rank"), G::Square::RANKS)]
    RankCount(usize),
    /// A rank that is too short or too long; too many squares end here too.
    #[error("board: rank {rank} has {} instead of {}", counted(*.width as u64, G::Square::NAME), G::Square::FILES)]
    RankWidth {
        /// Counted from 1, as on the board.
        rank: usize,
        /// Squares that the text gives it.
        width: usize,
    },
    /// A letter or digit that stands for nothing.
    #[error("board: unknown letter `{}` in rank {rank}", .letter.escape_default())]
    UnknownLetter {
        /// The letter.
        letter: char,
        /// Counted from 1, as on the board.
        rank: usize,
    },
    /// A side without its king, or with several.
    #[error("board: {color:?} has {count} kings instead of 1")]
    Kings {
        /// The side.
        color: Color,
        /// Its kings.
        count: u32,
    },
    /// A pawn where none can stand.
    #[error("board: pawn on {0}, on the first or last rank")]
    PawnOnLastRank(G::Square),
    /// Neither `w` nor `b`.
    #[error("side to move: `{0}` is neither `w` nor `b`")]
    SideToMove(Excerpt),
    /// The side that has just moved is in check.
    #[error("side to move: {0:?} is in check, but it is not its turn")]
    OpponentInCheck(Color),
    /// Not some of `KQkq`, each at most once, or `-`.
    #[error("castling: `{0}` is neither `-` nor made of `KQkq`")]
    Castling(Excerpt),
    /// Not a square.
    #[error("en passant: `{0}` is neither `-` nor a {name}", name = G::Square::NAME)]
    EnPassant(Excerpt),
    /// No double step can have passed over this square.
    #[error("en passant: no pawn can just have passed over {0}")]
    ImpossibleEnPassant(G::Square),
    /// A clock that is no number, or beyond any game.
    #[error("{field}: `{text}` is not a number from 0 to {}", MAX_CLOCK)]
    Clock {
        /// Which of the two clocks.
        field: &'static str,
        /// The text in its place.
        text: Excerpt,
    },
}

impl<G: Geometry> From<PlacementFault> for FenError<G> {
    fn from(fault: PlacementFault) -> FenError<G> {
        match fault {
            PlacementFault::RankCount(ranks) => FenError::RankCount(ranks),
            PlacementFault::RankWidth { rank, width } => FenError::RankWidth { rank, width },
            PlacementFault::UnknownLetter { letter, rank } => {
                FenError::UnknownLetter { letter, rank }
            }
        }
    }
}

/// Something in a FEN that was corrected in reading.
#[derive(Clone, PartialEq, Eq, Debug, Display)]
pub enum FenNotice {
    /// These castling letters were dropped: king or rook is not at home.
    #[display("castling: `{_0}` dropped, king or rook is not at home")]
    CastlingDropped(String),
}
