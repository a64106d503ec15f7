//! Castling: the king goes three points, the rook two.

use std::fmt;

use super::bitboard::Bitboard;
use super::point::Point;
use crate::game::Color;

/// Which rook the king castles with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Wing {
    /// With the rook on file `i`: `O-O`.
    Archbishop,
    /// With the rook on file `a`: `O-O-O`.
    Queen,
}

impl Wing {
    /// Both wings, in the order of the FEN letters.
    pub const ALL: [Wing; 2] = [Wing::Archbishop, Wing::Queen];
}

/// The points that one castling move is about.
#[derive(Clone, Copy)]
pub(super) struct CastlingPath {
    pub king_from: Point,
    pub king_to: Point,
    pub rook_from: Point,
    pub rook_to: Point,
    /// Every point between king and rook: all must be empty.
    pub between: Bitboard,
    /// What the king passes and lands on: none may be attacked.
    pub crossed: Bitboard,
}

const KING_FILE: u8 = 4;
/// Points that the king goes.
const KING_STEPS: usize = 3;

/// Whether a king's move is castling: its other moves are one step.
#[inline]
pub(super) const fn is_castling_distance(from: Point, to: Point) -> bool {
    from.index().abs_diff(to.index()) == KING_STEPS
}

const PATHS: [[CastlingPath; 2]; 2] = [
    [path(Color::White, Wing::Archbishop), path(Color::White, Wing::Queen)],
    [path(Color::Black, Wing::Archbishop), path(Color::Black, Wing::Queen)],
];

const fn path(color: Color, wing: Wing) -> CastlingPath {
    let rank = match color {
        Color::White => 0,
        Color::Black => Point::RANKS - 1,
    };
    let (king_to, rook_from, rook_to) = match wing {
        Wing::Archbishop => (7, Point::FILES - 1, 6),
        Wing::Queen => (1, 0, 2),
    };
    CastlingPath {
        king_from: Point::new(KING_FILE, rank),
        king_to: Point::new(king_to, rank),
        rook_from: Point::new(rook_from, rank),
        rook_to: Point::new(rook_to, rank),
        between: points_between(KING_FILE, rook_from, rank),
        crossed: points_between(KING_FILE, king_to, rank).with(Point::new(king_to, rank)),
    }
}

const fn points_between(a: u8, b: u8, rank: u8) -> Bitboard {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let mut set = Bitboard::EMPTY;
    let mut file = low + 1;
    while file < high {
        set = set.with(Point::new(file, rank));
        file += 1;
    }
    set
}

impl CastlingPath {
    /// The points of `color`'s castling on `wing`.
    #[inline]
    pub(super) const fn of(color: Color, wing: Wing) -> &'static CastlingPath {
        &PATHS[color.index()][wing as usize]
    }
}

/// The castling moves that are not yet forfeited.
///
/// ```
/// use qirkat::{Color, Position, Wing};
///
/// let rights = Position::start().castling();
/// assert!(rights.has(Color::Black, Wing::Queen));
/// assert_eq!(rights.to_string(), "KQkq");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// How many different values there are.
    pub(super) const COUNT: usize = 16;
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
        self.0 & (Self::mask(color, Wing::Archbishop) | Self::mask(color, Wing::Queen)) != 0
    }

    /// Whether nobody may castle any more.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rights with one more.
    #[must_use]
    pub const fn with(self, color: Color, wing: Wing) -> CastlingRights {
        CastlingRights(self.0 | Self::mask(color, wing))
    }

    /// The rights left after a piece has left, or was captured on, `point`.
    #[inline]
    #[must_use]
    pub(super) fn after_touching(self, point: Point) -> CastlingRights {
        CastlingRights(self.0 & KEPT[point.index()])
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The rights and their letters in FEN.
pub(super) const CASTLING_LETTERS: [(char, Color, Wing); 4] = [
    ('K', Color::White, Wing::Archbishop),
    ('Q', Color::White, Wing::Queen),
    ('k', Color::Black, Wing::Archbishop),
    ('q', Color::Black, Wing::Queen),
];

/// As in FEN: some of `KQkq`, or `-`.
impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (letter, color, wing) in CASTLING_LETTERS {
            if self.has(color, wing) {
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

/// Rights that survive when a point is touched.
static KEPT: [u8; Point::COUNT] = {
    let mut table = [u8::MAX; Point::COUNT];
    let mut color = 0;
    while color < 2 {
        let side = Color::ALL[color];
        let mut wing = 0;
        while wing < 2 {
            let right = CastlingRights::mask(side, Wing::ALL[wing]);
            let path = CastlingPath::of(side, Wing::ALL[wing]);
            table[path.king_from.index()] &= !right;
            table[path.rook_from.index()] &= !right;
            wing += 1;
        }
        color += 1;
    }
    table
};
