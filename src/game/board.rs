//! The board of a game, as used by networks and datasets: pieces on numbered points.

use crate::rules::Color;
use crate::searchable::Searchable;

/// A piece as a number, for every game: its kind in bits 0–2, its color in bit 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct PieceCode(u8);

impl PieceCode {
    const BLACK: u8 = 8;
    /// The number of kinds that can be encoded.
    pub const MAX_KINDS: usize = Self::BLACK as usize;

    /// The piece of a color and kind; kinds are below [`PieceCode::MAX_KINDS`].
    #[inline]
    pub const fn new(color: Color, kind: usize) -> PieceCode {
        PieceCode(kind as u8 % Self::BLACK + Self::BLACK * color.index() as u8)
    }

    /// The piece with this number, which is below 16.
    #[inline]
    pub const fn from_number(number: u8) -> PieceCode {
        PieceCode(number % (2 * Self::BLACK))
    }

    /// The piece's number, below 16.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    #[inline]
    pub const fn color(self) -> Color {
        if self.0 < Self::BLACK { Color::White } else { Color::Black }
    }

    #[inline]
    pub const fn kind(self) -> usize {
        (self.0 % Self::BLACK) as usize
    }
}

/// A set of points, a bit for each.
///
/// ```
/// use qirkat::game::PointSet;
///
/// let points = PointSet(1 << 80 | 0b101);
/// assert_eq!(points.len(), 3);
/// assert_eq!(points.into_iter().collect::<Vec<_>>(), [0, 2, 80]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct PointSet(pub u128);

impl PointSet {
    /// All 128 bits, more than any board has points.
    pub const ALL: PointSet = PointSet(u128::MAX);

    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl IntoIterator for PointSet {
    type Item = usize;
    type IntoIter = Points;

    #[inline]
    fn into_iter(self) -> Points {
        Points { low: self.0 as u64, high: (self.0 >> u64::BITS) as u64 }
    }
}

/// The points of a set, lowest first; split in halves, since a 64-bit scan is one instruction.
#[derive(Clone, Debug)]
pub struct Points {
    low: u64,
    high: u64,
}

impl Iterator for Points {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.low != 0 {
            let point = self.low.trailing_zeros();
            self.low &= self.low - 1;
            Some(point as usize)
        } else if self.high != 0 {
            let point = u64::BITS + self.high.trailing_zeros();
            self.high &= self.high - 1;
            Some(point as usize)
        } else {
            None
        }
    }
}

/// A position as networks and training data see it: the pieces on points, numbered along the ranks
/// (`a1` is 0, `b1` is 1), and the castling rights, without en passant, Alquerque's forbidden steps and clocks.
pub trait Board: Searchable {
    const FILES: usize;
    const RANKS: usize;
    const POINTS: usize = Self::FILES * Self::RANKS;
    /// White's letter for each kind of piece; the number of a kind is its index here.
    const KIND_LETTERS: &'static [char];
    const KIND_NAMES: &'static [&'static str];
    /// The number of the king's kind, if there is one.
    const KING: Option<usize>;
    const MAX_PIECES: usize;
    /// The names of the kinds of points that networks distinguish, such as `plain` and `diagonal`.
    const POINT_KINDS: &'static [&'static str];

    /// Its index in [`Board::POINT_KINDS`].
    fn point_kind(point: usize) -> usize;

    fn occupied_points(&self) -> PointSet;

    /// The points whose contents differ from those in another position.
    fn changed_points(&self, other: &Self) -> PointSet;

    fn piece_at(&self, point: usize) -> Option<PieceCode>;

    /// The point of a side's king; 0 in games without kings.
    fn king_at(&self, color: Color) -> usize;

    /// Castling rights, one bit each, in FEN order (`KQkq`), the lowest bit first.
    fn castling_bits(&self) -> u8 {
        0
    }

    /// Reads a FEN; none if it is invalid or would need corrections.
    fn from_exact_fen(fen: &str) -> Option<Self>;

    /// The letter of a piece, as in FEN; none if this game has no such piece.
    fn letter(piece: PieceCode) -> Option<char> {
        let letter = *Self::KIND_LETTERS.get(piece.kind())?;
        Some(match piece.color() {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        })
    }
}
