//! The games by their names, how they begin, and their boards.

use std::str::FromStr;

use derive_more::Display;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::lined_board::LinedBoard;
use crate::masonic;

/// A game that is played here.
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

    /// The game on whose board a FEN has its pieces, which its number of ranks shows.
    pub fn with_board_of(fen: &str) -> Option<Variant> {
        let ranks = fen.split_whitespace().next()?.split('/').count();
        Variant::ALL.into_iter().find(|variant| usize::from(variant.board_size()) == ranks)
    }

    /// The board as positions are drawn, with these letters on its points, by file and
    /// rank counted from 0. Where there is no letter, the point is empty.
    ///
    /// ```
    /// use qirkat_rules::variant::Variant;
    ///
    /// let corner = |file, rank| (file == 0 && rank == 0).then_some('x');
    /// assert!(Variant::Alquerque.draw_board(corner).contains(" 1  x---+---*---+---*\n"));
    /// ```
    pub fn draw_board(self, letter: impl Fn(u8, u8) -> Option<char>) -> String {
        match self {
            Variant::Chesquerque | Variant::Alquerque => {
                LinedBoard::new(self.board_size(), self.board_size(), letter).to_string()
            }
            Variant::Masonic => {
                masonic::Picture::new(|cell| letter(cell.file(), cell.rank())).to_string()
            }
        }
    }

    /// Whether pieces move in another way from some points, and slanting lines meet on this one.
    ///
    /// On the brick board all cells are of one kind.
    pub const fn is_diagonal_point(self, file: u8, rank: u8) -> bool {
        !matches!(self, Variant::Masonic) && (file + rank).is_multiple_of(2)
    }
}

/// The name of no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a game played here: chesquerque, masonic or alquerque")]
pub struct UnknownVariant;

/// Reads either name, whatever the case.
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
