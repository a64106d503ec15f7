//! Castling: rights, and the squares of each castling move.

use std::fmt;
use std::marker::PhantomData;

use qirkat_game::Color;

use super::geometry::Geometry;
use super::square::{Square, SquareSet};

/// The side of the board on which the king castles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Wing {
    /// With the rook on the last file, `O-O`. In Chesquerque that is the archbishop's wing.
    King,
    /// With the rook on file `a`, `O-O-O`.
    Queen,
}

impl Wing {
    /// Both wings, in the order of the FEN letters.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    pub(super) const fn san(self) -> &'static str {
        match self {
            Wing::King => "O-O",
            Wing::Queen => "O-O-O",
        }
    }
}

/// Castling rights: the castling moves not yet forfeited.
///
/// ```
/// use qirkat_game::Rules;
/// use qirkat_rules::chesquerque::{Color, Position, Wing};
///
/// let rights = Position::start().castling();
/// assert!(rights.has(Color::Black, Wing::Queen));
/// assert_eq!(rights.to_string(), "KQkq");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct CastlingRights(u8);

impl CastlingRights {
    pub(super) const COUNT: usize = 16;
    pub const NONE: CastlingRights = CastlingRights(0);

    #[inline]
    const fn mask(color: Color, wing: Wing) -> u8 {
        1 << (2 * color as u8 + wing as u8)
    }

    #[inline]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 & Self::mask(color, wing) != 0
    }

    #[inline]
    pub const fn has_any(self, color: Color) -> bool {
        self.0 & (Self::mask(color, Wing::King) | Self::mask(color, Wing::Queen)) != 0
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub const fn with(self, color: Color, wing: Wing) -> CastlingRights {
        CastlingRights(self.0 | Self::mask(color, wing))
    }

    /// The rights as bits in FEN order, `KQkq`, from the lowest.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(super) fn after_move<G: Geometry>(self, from: G::Square, to: G::Square) -> CastlingRights {
        let kept = |square: G::Square| CastlingTables::<G>::MASKS[square.index() % MASK_COUNT];
        CastlingRights(self.0 & kept(from) & kept(to))
    }
}

pub(super) const FEN_LETTERS: [(char, Color, Wing); 4] = [
    ('K', Color::White, Wing::King),
    ('Q', Color::White, Wing::Queen),
    ('k', Color::Black, Wing::King),
    ('q', Color::Black, Wing::Queen),
];

impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (letter, color, wing) in FEN_LETTERS {
            if self.has(color, wing) {
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

pub(super) struct CastlingPath<G: Geometry> {
    pub king_from: G::Square,
    pub king_to: G::Square,
    pub rook_from: G::Square,
    pub rook_to: G::Square,
    /// The squares between king and rook, which must be empty.
    pub between: G::Bitboard,
    /// The squares that the king crosses and its target, which must not be attacked.
    pub crossed: G::Bitboard,
}

impl<G: Geometry> CastlingPath<G> {
    #[inline]
    pub fn of(color: Color, wing: Wing) -> CastlingPath<G> {
        let files = &G::CASTLING;
        let square = |file| G::Square::new(file, back_rank::<G>(color));
        let [between, crossed] =
            CastlingTables::<G>::BETWEEN_AND_CROSSED[color.index()][wing as usize];
        let wing = wing as usize;
        CastlingPath {
            king_from: square(files.king_from),
            king_to: square(files.king_to[wing]),
            rook_from: square(files.rook_from[wing]),
            rook_to: square(files.rook_to[wing]),
            between: G::Bitboard::from_bits(between),
            crossed: G::Bitboard::from_bits(crossed),
        }
    }
}

/// The bits of the files from the king's (exclusive) to another (inclusive).
const fn files_passed(king: u8, last: u8) -> u128 {
    if king < last { (2 << last) - (2 << king) } else { (1 << king) - (1 << last) }
}

#[inline]
const fn back_rank<G: Geometry>(color: Color) -> u8 {
    match color {
        Color::White => 0,
        Color::Black => G::Square::RANKS - 1,
    }
}

/// Whether this is the home square of either king.
pub(crate) fn is_king_home<G: Geometry>(square: G::Square) -> bool {
    Color::ALL.into_iter().any(|color| CastlingPath::<G>::of(color, Wing::King).king_from == square)
}

/// Whether a king's move is castling: no other king move is as long.
#[inline]
pub(super) fn is_castling_step<G: Geometry>(from: G::Square, to: G::Square) -> bool {
    let steps = G::CASTLING.king_from.abs_diff(G::CASTLING.king_to[0]);
    from.index().abs_diff(to.index()) == usize::from(steps)
}

/// The size of the castling mask table: a power of two, at least the size of any board, which saves
/// bounds checks.
const MASK_COUNT: usize = 128;

/// Compile-time tables of a game, from its [castling files](Geometry::CASTLING).
struct CastlingTables<G>(PhantomData<G>);

impl<G: Geometry> CastlingTables<G> {
    /// By side and wing, the bits of [`CastlingPath::between`] and [`CastlingPath::crossed`].
    const BETWEEN_AND_CROSSED: &'static [[[u128; 2]; 2]; 2] = &{
        let mut squares = [[[0; 2]; 2]; 2];
        let files = G::CASTLING;
        let mut index = 0;
        while index < 4 {
            let (color, wing) = (index / 2, index % 2);
            let first = back_rank::<G>(Color::ALL[color]) * G::Square::FILES;
            let to_rook = files_passed(files.king_from, files.rook_from[wing]);
            let between = to_rook & !(1 << files.rook_from[wing]);
            let crossed = files_passed(files.king_from, files.king_to[wing]);
            squares[color][wing] = [between << first, crossed << first];
            index += 1;
        }
        squares
    };

    /// Castling masks: for each square the rights that remain after a piece has left it or was
    /// captured on it.
    const MASKS: &'static [u8; MASK_COUNT] = &{
        let mut masks = [u8::MAX; MASK_COUNT];
        let files = G::CASTLING;
        let mut index = 0;
        while index < 4 {
            let (color, wing) = (Color::ALL[index / 2], Wing::ALL[index % 2]);
            let right = CastlingRights::mask(color, wing);
            let first = back_rank::<G>(color) as usize * G::Square::FILES as usize;
            masks[first + files.king_from as usize] &= !right;
            masks[first + files.rook_from[wing as usize] as usize] &= !right;
            index += 1;
        }
        masks
    };
}
