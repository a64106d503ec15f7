//! Kinds of pieces and their letters.

use crate::chess::Kind;
use crate::game::Color;

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
    const PAWN: PieceKind = PieceKind::Pawn;
    const PROMOTIONS: &'static [PieceKind] = &PieceKind::PROMOTIONS;

    fn letter(self) -> char {
        self.letter()
    }

    fn from_letter(letter: char) -> Option<PieceKind> {
        PieceKind::from_letter(letter)
    }
}

/// A piece: its side and its kind.
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
