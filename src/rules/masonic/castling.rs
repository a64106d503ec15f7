//! Castling: the king goes two cells, as in orthodox chess.

use super::bitboard::Bitboard;
use super::cell::Cell;
use crate::chess::{self, CastlingMasks, CastlingRights, Wing};
use qirkat_game::Color;

/// The cells of one castling move.
pub(super) type CastlingPath = chess::CastlingPath<Cell, Bitboard>;

const KING_FILE: u8 = 4;
/// Cells that the king goes.
const KING_STEPS: usize = 2;

/// Whether a king's move is castling: no other move of a king goes so far
/// along the rank.
#[inline]
pub(super) const fn is_castling_step(from: Cell, to: Cell) -> bool {
    from.index().abs_diff(to.index()) == KING_STEPS
}

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

/// The rights that are left after a move between two cells.
#[inline]
pub(super) fn after_move(rights: CastlingRights, from: Cell, to: Cell) -> CastlingRights {
    static MASKS: CastlingMasks<{ Cell::COUNT }> = CastlingMasks::new([
        [home(Color::White, Wing::King), home(Color::White, Wing::Queen)],
        [home(Color::Black, Wing::King), home(Color::Black, Wing::Queen)],
    ]);
    MASKS.after_move(rights, from.index(), to.index())
}

/// Where king and rook start.
const fn home(color: Color, wing: Wing) -> [usize; 2] {
    let path = CastlingPath::of(color, wing);
    [path.king_from.index(), path.rook_from.index()]
}
