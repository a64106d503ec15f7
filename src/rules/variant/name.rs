//! The games' names, and their boards.

use std::str::FromStr;

use derive_more::Display;
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Display,
    Serialize,
    Deserialize,
)]
#[display("{}", self.name())]
#[serde(rename_all = "lowercase")]
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
    /// All games, the default first.
    pub const ALL: [Variant; 3] = [Variant::Chesquerque, Variant::Masonic, Variant::Alquerque];

    /// The name in options, as in `UCI_Variant`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Chesquerque => "chesquerque",
            Variant::Masonic => "masonic",
            Variant::Alquerque => "alquerque",
        }
    }

    /// Its full name, as in PGN's `Variant` tag.
    pub const fn title(self) -> &'static str {
        match self {
            Variant::Chesquerque => "Chesquerque",
            Variant::Masonic => "Masonic chess",
            Variant::Alquerque => "Alquerque",
        }
    }

    /// The number of files, and of ranks.
    pub const fn board_size(self) -> u8 {
        match self {
            Variant::Chesquerque => 9,
            Variant::Masonic => 8,
            Variant::Alquerque => 5,
        }
    }

    /// The game whose board fits a FEN, by its number of ranks.
    pub fn with_board_of(fen: &str) -> Option<Variant> {
        let ranks = fen.split_whitespace().next()?.split('/').count();
        Variant::ALL.into_iter().find(|variant| usize::from(variant.board_size()) == ranks)
    }

    /// Whether this is a point where diagonal lines meet, so that pieces move differently. On the
    /// brick board all cells are alike.
    pub const fn is_diagonal_point(self, file: u8, rank: u8) -> bool {
        !matches!(self, Variant::Masonic) && (file + rank).is_multiple_of(2)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a game played here: chesquerque, masonic or alquerque")]
pub struct UnknownVariant;

/// Parses either name, ignoring case.
///
/// ```
/// use qirkat_rules::variant::Variant;
///
/// assert_eq!("Masonic chess".parse(), Ok(Variant::Masonic));
/// assert_eq!("alquerque".parse(), Ok(Variant::Alquerque));
/// ```
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
