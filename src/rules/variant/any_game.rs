//! Games of any kind, and how they begin.

use super::any_position::AnyPosition;
use super::name::Variant;
use super::text_errors::AnyFenError;
use crate::{alquerque, chesquerque, masonic};
use qirkat_game::{GameState, Rules};

/// A game in progress, of any kind.
pub type AnyGame = GameState<AnyPosition>;

impl Variant {
    /// The usual starting position.
    pub fn start(self) -> AnyPosition {
        match self {
            Variant::Chesquerque => AnyPosition::Chesquerque(Rules::start()),
            Variant::Masonic => AnyPosition::Masonic(Rules::start()),
            Variant::Alquerque => AnyPosition::Alquerque(Rules::start()),
        }
    }

    /// A game from the usual starting position.
    pub fn new_game(self) -> AnyGame {
        AnyGame::from_position(self.start())
    }

    /// The game on whose board a FEN has its pieces, which its number of ranks shows.
    pub fn with_board_of(fen: &str) -> Option<Variant> {
        let ranks = fen.split_whitespace().next()?.split('/').count();
        Variant::ALL.into_iter().find(|variant| usize::from(variant.board_size()) == ranks)
    }

    /// Reads a FEN of this game.
    ///
    /// # Errors
    /// When a field is missing or malformed, or the position is impossible.
    pub fn read_fen(self, fen: &str) -> Result<AnyParsedFen, AnyFenError> {
        Ok(match self {
            Variant::Chesquerque => chesquerque::Position::from_fen(fen)?.into(),
            Variant::Masonic => masonic::Position::from_fen(fen)?.into(),
            Variant::Alquerque => alquerque::Position::from_fen(fen)?.into(),
        })
    }
}

/// A FEN of any game that was read.
#[derive(Clone, Debug)]
pub struct AnyParsedFen {
    /// The position.
    pub position: AnyPosition,
    /// The correction made in reading, if any.
    pub notice: Option<String>,
}

/// A FEN of one game as one of any.
macro_rules! from_parsed_fen {
    ($($game:ident),*) => {
        $(impl From<$game::ParsedFen> for AnyParsedFen {
            fn from(parsed: $game::ParsedFen) -> AnyParsedFen {
                AnyParsedFen {
                    position: parsed.position.into(),
                    notice: parsed.notice.map(|notice| notice.to_string()),
                }
            }
        })*
    };
}

from_parsed_fen!(chesquerque, masonic, alquerque);
