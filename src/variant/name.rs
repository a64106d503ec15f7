//! The games by their names.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{AnyFenError, AnyGame, AnyParsedFen, AnyPosition};
use crate::game::Rules;
use crate::{alquerque, chesquerque, masonic};

/// A game that is played here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Variant {
    /// Chess on the lines of four Alquerque boards.
    #[default]
    Chesquerque,
    /// Chess on a board of bricks.
    Masonic,
    /// The old game of jumps.
    Alquerque,
}

impl Variant {
    /// All games, the one this program is for first.
    pub const ALL: [Variant; 3] = [Variant::Chesquerque, Variant::Masonic, Variant::Alquerque];

    /// The word for it, as in `UCI_Variant`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Chesquerque => "chesquerque",
            Variant::Masonic => "masonic",
            Variant::Alquerque => "alquerque",
        }
    }

    /// Its name in full, as in a `Variant` tag of PGN.
    pub const fn title(self) -> &'static str {
        match self {
            Variant::Chesquerque => "Chesquerque",
            Variant::Masonic => "Masonic chess",
            Variant::Alquerque => "Alquerque",
        }
    }

    /// Files, and ranks, of the board.
    pub const fn board_size(self) -> u8 {
        match self {
            Variant::Chesquerque => 9,
            Variant::Masonic => 8,
            Variant::Alquerque => 5,
        }
    }

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

/// The word for it.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a game played here: chesquerque, masonic or alquerque")]
pub struct UnknownVariant;

/// Reads the word or the full name, whatever the case.
impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<Variant, UnknownVariant> {
        let text = text.trim();
        let means = |variant: &Variant| {
            [variant.name(), variant.title()].iter().any(|name| name.eq_ignore_ascii_case(text))
        };
        Variant::ALL.into_iter().find(means).ok_or(UnknownVariant)
    }
}
