//! The games' names, and the points of their boards.

use std::str::FromStr;

use derive_more::Display;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One of the games.
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

    /// Whether there is checkmate in this game: not in Alquerque.
    pub const fn has_mates(self) -> bool {
        !matches!(self, Variant::Alquerque)
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
#[error("not one of the games chesquerque, masonic and alquerque")]
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

/// A point or cell of any board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display)]
#[display("{}{}", char::from(b'a' + self.file), self.rank + 1)]
pub struct Place {
    /// File, 0 for `a`.
    pub file: u8,
    /// Rank, 0 for rank 1.
    pub rank: u8,
}

impl Place {
    /// Chebyshev distance: a king's steps on an orthodox board.
    #[inline]
    pub fn distance(self, other: Place) -> u8 {
        self.file.abs_diff(other.file).max(self.rank.abs_diff(other.rank))
    }

    /// Reads a point of this game's board, as in `e5`.
    ///
    /// ```
    /// use qirkat_rules::variant::{Place, Variant};
    ///
    /// assert_eq!(Place::parse(Variant::Chesquerque, "i9"), Some(Place { file: 8, rank: 8 }));
    /// assert_eq!(Place::parse(Variant::Masonic, "i9"), None);
    /// ```
    pub fn parse(variant: Variant, text: &str) -> Option<Place> {
        let &[file, rank] = text.as_bytes() else { return None };
        let place = Place {
            file: file.to_ascii_lowercase().checked_sub(b'a')?,
            rank: rank.checked_sub(b'1')?,
        };
        Some(place).filter(|place| place.is_on(variant))
    }

    pub(crate) const fn is_on(self, variant: Variant) -> bool {
        self.file < variant.board_size() && self.rank < variant.board_size()
    }

    /// All points, rank by rank.
    pub fn all(variant: Variant) -> impl DoubleEndedIterator<Item = Place> {
        let size = variant.board_size();
        (0..size).flat_map(move |rank| (0..size).map(move |file| Place { file, rank }))
    }

    /// Its index from 0, rank by rank.
    pub const fn number(self, variant: Variant) -> usize {
        self.rank as usize * variant.board_size() as usize + self.file as usize
    }

    pub fn is_on_edge(self, variant: Variant) -> bool {
        let last = variant.board_size() - 1;
        [0, last].contains(&self.file) || [0, last].contains(&self.rank)
    }
}
