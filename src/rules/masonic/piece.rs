//! Kinds of pieces and their letters.

use std::fmt;
use std::str::FromStr;

use crate::chess::{self, Kind, read_letter};
use qirkat_game::ParseError;

/// A piece of Masonic chess: its side and its kind.
pub type Piece = chess::Piece<PieceKind>;

/// A kind of piece, least valuable first: the order in which an exchange uses them
/// ("least valuable attacker").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum PieceKind {
    /// Steps forward along the cants; captures one step diagonally forward.
    Pawn,
    /// Leaps: a step along a rank or cant, then a diagonal step outward.
    Knight,
    /// Slides along diagonals, steps along ranks and cants.
    Bishop,
    /// Slides along ranks and cants.
    Rook,
    /// Slides along every line.
    Queen,
    /// One step along any line; castles.
    King,
}

impl PieceKind {
    /// How many kinds there are.
    pub const COUNT: usize = 6;

    /// All kinds, least valuable first.
    pub const ALL: [PieceKind; Self::COUNT] = [
        PieceKind::Pawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
        PieceKind::King,
    ];

    /// What a pawn may become, strongest first.
    pub const PROMOTIONS: [PieceKind; 4] =
        [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

    /// The kind's place in tables of six.
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
    const A_LETTER: &'static str = "a letter of a piece, `pnbrqk`";

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
