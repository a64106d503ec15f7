//! Kinds of pieces and their letters.

use std::fmt;
use std::str::FromStr;

use crate::chess::{self, Kind, read_letter};
use qirkat_game::ParseError;

/// The most pieces on the board: those at the start. No game ever has more.
pub const MAX_PIECES: usize = 36;

/// A piece of Chesquerque: its side and its kind.
pub type Piece = chess::Piece<PieceKind>;

/// A kind of piece, least valuable first: the order in which an exchange uses them
/// ("least valuable attacker").
///
/// ```
/// use qirkat_rules::chesquerque::PieceKind;
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
    const ALL: &'static [PieceKind] = &PieceKind::ALL;
    const PAWN: PieceKind = PieceKind::Pawn;
    const KING: PieceKind = PieceKind::King;
    const PROMOTIONS: &'static [PieceKind] = &PieceKind::PROMOTIONS;
    const A_LETTER: &'static str = "a letter of a piece, `pnbraqk`";

    #[inline]
    fn index(self) -> usize {
        self.index()
    }

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
        read_letter::<PieceKind, _>(text, PieceKind::from_letter)
    }
}
