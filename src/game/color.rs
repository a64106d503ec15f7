use std::ops::Not;
use std::str::FromStr;

use derive_more::Display;

use crate::ParseError;

/// A side of the game. White moves first.
///
/// ```
/// use qirkat::Color;
///
/// assert_eq!(!Color::White, Color::Black);
/// // As FEN writes it.
/// assert_eq!("b".parse(), Ok(Color::Black));
/// assert_eq!(Color::White.to_string(), "w");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, Hash)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    #[display("w")]
    White,
    /// The other side.
    #[display("b")]
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The index of the side in tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl FromStr for Color {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Color, ParseError> {
        match text {
            "w" => Ok(Color::White),
            "b" => Ok(Color::Black),
            _ => Err(ParseError::new("a side, `w` or `b`", text)),
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}
