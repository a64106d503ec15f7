//! Castling rights: which castling moves are not yet forfeited.

use std::fmt;

use qirkat_game::Color;

/// The rook with which the king castles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Wing {
    /// The rook on the last file, `O-O`. In Chesquerque that is the archbishop's wing.
    King,
    /// The rook on file `a`, `O-O-O`.
    Queen,
}

impl Wing {
    /// Both wings, in the order of the FEN letters.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The wing's castling move in algebraic notation.
    pub(super) const fn san(self) -> &'static str {
        match self {
            Wing::King => "O-O",
            Wing::Queen => "O-O-O",
        }
    }
}

/// The castling moves that are not yet forfeited.
///
/// ```
/// use qirkat_rules::chesquerque::{Color, Position, Wing};
///
/// let rights = Position::start().castling();
/// assert!(rights.has(Color::Black, Wing::Queen));
/// assert_eq!(rights.to_string(), "KQkq");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// How many different values there are.
    pub(crate) const COUNT: usize = 16;
    /// No castling any more.
    pub const NONE: CastlingRights = CastlingRights(0);

    #[inline]
    const fn mask(color: Color, wing: Wing) -> u8 {
        1 << (2 * color as u8 + wing as u8)
    }

    /// Whether `color` may still castle on `wing`.
    #[inline]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 & Self::mask(color, wing) != 0
    }

    /// Whether `color` may still castle at all.
    #[inline]
    pub const fn has_any(self, color: Color) -> bool {
        self.0 & (Self::mask(color, Wing::King) | Self::mask(color, Wing::Queen)) != 0
    }

    /// Whether neither side may castle any more.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These rights and one more.
    #[must_use]
    pub const fn with(self, color: Color, wing: Wing) -> CastlingRights {
        CastlingRights(self.0 | Self::mask(color, wing))
    }

    /// A bit for each right, the lowest first in the order of FEN, `KQkq`.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The place in tables of [`CastlingRights::COUNT`].
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The rights and their letters in FEN.
pub(super) const FEN_LETTERS: [(char, Color, Wing); 4] = [
    ('K', Color::White, Wing::King),
    ('Q', Color::White, Wing::Queen),
    ('k', Color::Black, Wing::King),
    ('q', Color::Black, Wing::Queen),
];

/// As in FEN: some of `KQkq`, or `-`.
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

/// The squares of one castling move.
#[derive(Clone, Copy)]
pub(crate) struct CastlingPath<S, B> {
    pub king_from: S,
    pub king_to: S,
    pub rook_from: S,
    pub rook_to: S,
    /// Every square between king and rook: all must be empty.
    pub between: B,
    /// The squares that the king crosses, and where it lands: none may be attacked.
    pub crossed: B,
}

/// Castling masks: for each square the rights that are left after a piece has left it or
/// was captured on it.
pub(crate) struct CastlingMasks<const SQUARES: usize>([u8; SQUARES]);

impl<const SQUARES: usize> CastlingMasks<SQUARES> {
    /// The masks for kings and rooks that start on these squares: `homes[color][wing]` has
    /// the king's and the rook's.
    pub(crate) const fn new(homes: [[[usize; 2]; 2]; 2]) -> CastlingMasks<SQUARES> {
        let mut masks = [u8::MAX; SQUARES];
        let mut index = 0;
        while index < 4 {
            let (color, wing) = (index / 2, index % 2);
            let [king, rook] = homes[color][wing];
            let right = CastlingRights::mask(Color::ALL[color], Wing::ALL[wing]);
            masks[king] &= !right;
            masks[rook] &= !right;
            index += 1;
        }
        CastlingMasks(masks)
    }

    /// What is left of `rights` after a move from one square to another.
    #[inline]
    pub(crate) fn after_move(
        &self,
        rights: CastlingRights,
        from: usize,
        to: usize,
    ) -> CastlingRights {
        CastlingRights(rights.0 & self.0[from] & self.0[to])
    }
}
