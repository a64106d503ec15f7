//! A piece: side and kind, and its FEN letter.

use std::str::FromStr;

use derive_more::Display;

use super::kind::Kind;
use qirkat_game::Color;
use qirkat_game::ParseError;

/// A piece: its side and its kind, shown by its FEN letter.
///
/// ```
/// use qirkat_rules::chesquerque::{Color, Piece, PieceKind};
///
/// let queen = Piece { color: Color::White, kind: PieceKind::Queen };
/// assert_eq!(queen.to_string(), "Q");
/// assert_eq!("q".parse(), Ok(Piece { color: Color::Black, ..queen }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, Hash)]
#[display("{}", self.letter())]
#[display(bound(K: Kind))]
pub struct Piece<K> {
    /// The side it belongs to.
    pub color: Color,
    /// Its kind.
    pub kind: K,
}

impl<K: Kind> Piece<K> {
    /// The FEN letter: upper case for White, lower case for Black.
    pub fn letter(self) -> char {
        match self.color {
            Color::White => self.kind.letter().to_ascii_uppercase(),
            Color::Black => self.kind.letter(),
        }
    }

    /// The piece that a FEN letter stands for.
    pub fn from_letter(letter: char) -> Option<Piece<K>> {
        let kind = K::from_letter(letter)?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Piece { color, kind })
    }
}

impl<K: Kind> FromStr for Piece<K> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Piece<K>, ParseError> {
        read_letter::<K, _>(text, Piece::from_letter)
    }
}

/// Reads a text of one letter.
#[doc(hidden)]
pub fn read_letter<K: Kind, T>(
    text: &str,
    read: impl Fn(char) -> Option<T>,
) -> Result<T, ParseError> {
    let mut letters = text.chars();
    let found = letters.next().and_then(read).filter(|_| letters.next().is_none());
    found.ok_or_else(|| ParseError::new(K::A_LETTER, text))
}
