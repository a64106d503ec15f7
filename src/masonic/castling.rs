//! Castling: the king goes two cells, as in orthodox chess.

use super::bitboard::Bitboard;
use super::cell::Cell;
use crate::game::Color;

/// Which rook the king castles with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wing {
    /// With the rook on file `h`: `O-O`.
    King,
    /// With the rook on file `a`: `O-O-O`.
    Queen,
}

impl Wing {
    /// Both wings, in the order of the FEN letters.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];
}

/// The cells that one castling move is about.
#[derive(Clone, Copy)]
pub(super) struct CastlingPath {
    pub king_from: Cell,
    pub king_to: Cell,
    pub rook_from: Cell,
    pub rook_to: Cell,
    /// Every cell between king and rook: all must be empty.
    pub between: Bitboard,
    /// What the king passes and lands on: none may be attacked.
    pub crossed: Bitboard,
}

const KING_FILE: u8 = 4;
const PATHS: [[CastlingPath; 2]; 2] = [
    [path(Color::White, Wing::King), path(Color::White, Wing::Queen)],
    [path(Color::Black, Wing::King), path(Color::Black, Wing::Queen)],
];

const fn path(color: Color, wing: Wing) -> CastlingPath {
    let rank = match color {
        Color::White => 0,
        Color::Black => Cell::RANKS - 1,
    };
    let (king_to, rook_from, rook_to) = match wing {
        Wing::King => (6, Cell::FILES - 1, 5),
        Wing::Queen => (2, 0, 3),
    };
    CastlingPath {
        king_from: Cell::new(KING_FILE, rank),
        king_to: Cell::new(king_to, rank),
        rook_from: Cell::new(rook_from, rank),
        rook_to: Cell::new(rook_to, rank),
        between: cells_between(KING_FILE, rook_from, rank),
        crossed: cells_between(KING_FILE, king_to, rank).with(Cell::new(king_to, rank)),
    }
}

const fn cells_between(a: u8, b: u8, rank: u8) -> Bitboard {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let mut set = Bitboard::EMPTY;
    let mut file = low + 1;
    while file < high {
        set = set.with(Cell::new(file, rank));
        file += 1;
    }
    set
}

impl CastlingPath {
    /// The cells of `color`'s castling on `wing`.
    #[inline]
    pub(super) const fn of(color: Color, wing: Wing) -> &'static CastlingPath {
        &PATHS[color.index()][wing as usize]
    }
}

/// The castling moves that are not yet forfeited.
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
        self.0 & (Self::mask(color, Wing::King) | Self::mask(color, Wing::Queen)) != 0
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

    /// The rights left after a piece has left, or was captured on, `cell`.
    #[inline]
    #[must_use]
    pub(super) fn after_touching(self, cell: Cell) -> CastlingRights {
        CastlingRights(self.0 & KEPT[cell.index()])
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Rights that survive when a cell is touched.
static KEPT: [u8; Cell::COUNT] = {
    let mut table = [u8::MAX; Cell::COUNT];
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
