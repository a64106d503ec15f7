//! Kinds of pieces and their letters.

use std::fmt;
use std::str::FromStr;

use crate::chess::Kind;
use crate::game::Color;
use crate::parse_error::ParseError;

/// The most pieces on the board: those at the start. No game ever has more.
pub const MAX_PIECES: usize = 36;

/// A kind of piece, least valuable first: the order in which an exchange uses them
/// ("least valuable attacker").
///
/// ```
/// use qirkat::PieceKind;
///
/// let kind: PieceKind = "a".parse()?;
/// assert_eq!(kind, PieceKind::Archbishop);
/// assert_eq!(kind.name(), "archbishop");
/// assert!(PieceKind::Rook < kind && kind < PieceKind::Queen);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum PieceKind {
    /// Straight steps; captures straight ahead from plain points,
    /// diagonally from diagonal points.
    Pawn,
    /// Two steps over an empty leg.
    Knight,
    /// Slides along diagonals, steps along ranks and files.
    Bishop,
    /// Slides along ranks and files, steps along diagonals.
    Rook,
    /// Bishop and knight in one.
    Archbishop,
    /// Slides along every line.
    Queen,
    /// One step along any line; castles.
    King,
}

impl PieceKind {
    /// How many kinds there are.
    pub const COUNT: usize = 7;

    /// All kinds, least valuable first.
    pub const ALL: [PieceKind; Self::COUNT] = [
        PieceKind::Pawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Archbishop,
        PieceKind::Queen,
        PieceKind::King,
    ];

    /// What a pawn may become, strongest first.
    pub const PROMOTIONS: [PieceKind; 5] = [
        PieceKind::Queen,
        PieceKind::Archbishop,
        PieceKind::Rook,
        PieceKind::Bishop,
        PieceKind::Knight,
    ];

    /// The kind's place in tables of seven.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case letter used in FEN and move text.
    pub const fn letter(self) -> char {
        match self {
            PieceKind::Pawn => 'p',
            PieceKind::Knight => 'n',
            PieceKind::Bishop => 'b',
            PieceKind::Rook => 'r',
            PieceKind::Archbishop => 'a',
            PieceKind::Queen => 'q',
            PieceKind::King => 'k',
        }
    }

    /// The kind that a letter of either case stands for.
    pub fn from_letter(letter: char) -> Option<PieceKind> {
        let lower = letter.to_ascii_lowercase();
        PieceKind::ALL.into_iter().find(|kind| kind.letter() == lower)
    }

    /// The kind's English name.
    pub const fn name(self) -> &'static str {
        match self {
            PieceKind::Pawn => "pawn",
            PieceKind::Knight => "knight",
            PieceKind::Bishop => "bishop",
            PieceKind::Rook => "rook",
            PieceKind::Archbishop => "archbishop",
            PieceKind::Queen => "queen",
            PieceKind::King => "king",
        }
    }
}

impl Kind for PieceKind {
    const PAWN: PieceKind = PieceKind::Pawn;
    const PROMOTIONS: &'static [PieceKind] = &PieceKind::PROMOTIONS;

    fn letter(self) -> char {
        self.letter()
    }

    fn from_letter(letter: char) -> Option<PieceKind> {
        PieceKind::from_letter(letter)
    }
}

/// The lower-case letter.
impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for PieceKind {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<PieceKind, ParseError> {
        read_letter(text, PieceKind::from_letter)
    }
}

/// Reads a text of one letter.
fn read_letter<T>(text: &str, read: impl Fn(char) -> Option<T>) -> Result<T, ParseError> {
    let mut letters = text.chars();
    let piece = letters.next().and_then(read).filter(|_| letters.next().is_none());
    piece.ok_or_else(|| ParseError::new("a letter of a piece, `pnbraqk`", text))
}

/// A piece: its side and its kind.
///
/// ```
/// use qirkat::{Color, Piece, PieceKind};
///
/// let queen = Piece { color: Color::White, kind: PieceKind::Queen };
/// assert_eq!(queen.to_string(), "Q");
/// assert_eq!("q".parse(), Ok(Piece { color: Color::Black, ..queen }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Piece {
    /// The side it belongs to.
    pub color: Color,
    /// Its kind.
    pub kind: PieceKind,
}

impl Piece {
    /// The FEN letter: upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.kind.letter().to_ascii_uppercase(),
            Color::Black => self.kind.letter(),
        }
    }

    /// The piece that a FEN letter stands for.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let kind = PieceKind::from_letter(letter)?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Piece { color, kind })
    }
}

/// The FEN letter.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Piece {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Piece, ParseError> {
        read_letter(text, Piece::from_letter)
    }
}
