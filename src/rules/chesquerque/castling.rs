//! Castling: the king goes three points, the rook two.

use super::bitboard::Bitboard;
use super::point::Point;
use crate::chess::{self, CastlingMasks, CastlingRights, Wing};
use qirkat_game::Color;

/// The points of one castling move.
pub(super) type CastlingPath = chess::CastlingPath<Point, Bitboard>;

const KING_FILE: u8 = 4;
/// Points that the king goes.
const KING_STEPS: usize = 3;

/// Whether a king's move is castling: its other moves are one step.
#[inline]
pub(super) const fn is_castling_step(from: Point, to: Point) -> bool {
    from.index().abs_diff(to.index()) == KING_STEPS
}

const PATHS: [[CastlingPath; 2]; 2] = [
    [path(Color::White, Wing::King), path(Color::White, Wing::Queen)],
    [path(Color::Black, Wing::King), path(Color::Black, Wing::Queen)],
];

const fn path(color: Color, wing: Wing) -> CastlingPath {
    let rank = match color {
        Color::White => 0,
        Color::Black => Point::RANKS - 1,
    };
    let (king_to, rook_from, rook_to) = match wing {
        Wing::King => (7, Point::FILES - 1, 6),
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

/// The rights that are left after a move between two points.
#[inline]
pub(super) fn after_move(rights: CastlingRights, from: Point, to: Point) -> CastlingRights {
    static MASKS: CastlingMasks<{ Point::COUNT }> = CastlingMasks::new([
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
