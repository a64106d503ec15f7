//! The faults of a PGN text.

use std::io;

use derive_more::Display;
use thiserror::Error;

use crate::variant::{AnyFenError, AnyMoveTextError, AnyPosition, UnknownVariant};
use qirkat_game::text::Excerpt;
use qirkat_game::{Color, Rules, SanError};

use super::pgn_game::DEEPEST_VARIATION;

/// Why a game was not read.
#[derive(Debug, Error)]
pub enum PgnError {
    /// This game is faulty; the next one can still be read.
    #[error("game {game}, line {line}: {fault}")]
    Game {
        /// The game's number in its file, from 1.
        game: u64,
        /// The line of the fault, from 1.
        line: u64,
        /// The first thing wrong with the game.
        fault: PgnFault,
    },
    /// The file cannot be read on.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The fault of a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnFault {
    /// Not of the form `[Name "value"]`.
    #[error("tag is not of the form [Name \"value\"]")]
    Tag,
    /// A tag that was there before.
    #[error("tag {0} occurs twice")]
    TagTwice(Excerpt),
    /// A variant that is not played here.
    #[error("variant `{0}` is {UnknownVariant}")]
    Variant(Excerpt),
    /// An invalid starting position.
    #[error("FEN tag: {0}")]
    Fen(AnyFenError),
    /// `{` without `}`.
    #[error("comment is not closed before the next [Event] or the end of the text")]
    OpenComment,
    /// `(` without `)`.
    #[error("variation is not closed")]
    OpenVariation,
    /// `)` without `(`.
    #[error("`)` closes nothing")]
    CloseVariation,
    /// A variation before any move.
    #[error("there is no move before it that it could replace")]
    NothingToReplace,
    /// Variations within variations, too many.
    #[error("lies within more than {DEEPEST_VARIATION} others")]
    TooDeep,
    /// A character that is not allowed there.
    #[error("unexpected `{}`", .0.escape_debug())]
    Unexpected(char),
    /// A result and nothing else.
    #[error("result without a game")]
    ResultAlone,
    /// A text that is not a move here.
    #[error("move {number} {text}: {fault}")]
    Move {
        /// The move's number.
        number: MoveNumber,
        /// The text in its place.
        text: Excerpt,
        /// The fault.
        fault: MoveFault,
    },
    /// Words behind the last move or the result.
    #[error("text in place of a move")]
    Words,
    /// More text or moves than any game has.
    #[error("game is too long")]
    TooLong,
}

/// The fault in the text of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum MoveFault {
    /// It does not have the form of a move.
    #[error("not a move in algebraic notation")]
    Malformed,
    /// It is the notation of no legal move.
    #[error("not a legal move here")]
    Illegal,
    /// Several legal moves could be meant.
    #[error("could mean several moves")]
    Ambiguous,
}

impl From<AnyMoveTextError> for MoveFault {
    fn from(error: AnyMoveTextError) -> MoveFault {
        use crate::{alquerque, chesquerque, masonic};
        match error {
            AnyMoveTextError::Chesquerque(chesquerque::MoveTextError::San(error))
            | AnyMoveTextError::Masonic(masonic::MoveTextError::San(error)) => error.into(),
            AnyMoveTextError::Alquerque(alquerque::MoveTextError::Form(_)) => MoveFault::Malformed,
            AnyMoveTextError::Chesquerque(chesquerque::MoveTextError::Illegal(_))
            | AnyMoveTextError::Masonic(masonic::MoveTextError::Illegal(_))
            | AnyMoveTextError::Alquerque(alquerque::MoveTextError::Illegal(_)) => {
                MoveFault::Illegal
            }
        }
    }
}

impl From<SanError> for MoveFault {
    fn from(error: SanError) -> MoveFault {
        match error {
            SanError::Malformed(_) => MoveFault::Malformed,
            SanError::Illegal(_) => MoveFault::Illegal,
            SanError::Ambiguous(_) => MoveFault::Ambiguous,
        }
    }
}

/// The number of a move to come: `12.`, or `12...` when Black makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display)]
#[display("{number}{}", if *color == Color::White { "." } else { "..." })]
pub struct MoveNumber {
    number: u16,
    color: Color,
}

impl MoveNumber {
    /// The number of the next move in this position.
    pub fn of(position: &AnyPosition) -> MoveNumber {
        MoveNumber { number: position.fullmove_number(), color: position.side_to_move() }
    }
}
