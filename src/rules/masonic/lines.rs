//! The lines of the board as compile-time tables (reach on an empty board, and cells between), and
//! the attacks of sliding pieces along them.
//!
//! They need no magic numbers, as in Chesquerque (`docs/inside/sliders.md`). A cant or diagonal has
//! one cell on each rank it crosses, and a rank is a byte, so a byte swap mirrors it. Ranks, whose
//! cells are adjacent bits, use a table of a kilobyte.

use super::cell::{Bitboard, Cell, DIAGONAL, KNIGHT, PerCell, ROOK};
use crate::chess::{Lines, ReverseBytes, rank_attacks};

pub(super) static LINES: PerCell<Lines<Bitboard>> = {
    let mut table = PerCell([Lines::none(Bitboard::EMPTY); Cell::COUNT]);
    let mut index = 0;
    while let Some(cell) = Cell::from_index(index) {
        let [right_up, left_up, left_down, right_down] = DIAGONAL;
        table.0[index] = Lines {
            straight_steps: Bitboard::steps(cell, &ROOK),
            diagonal_steps: Bitboard::steps(cell, &DIAGONAL),
            straight_lines: Bitboard::rays(cell, &ROOK),
            diagonal_lines: Bitboard::rays(cell, &DIAGONAL),
            knight_reach: Bitboard::steps(cell, &KNIGHT),
            pawn_sources: [
                Bitboard::steps(cell, &[left_down, right_down]),
                Bitboard::steps(cell, &[left_up, right_up]),
            ],
        };
        index += 1;
    }
    table
};

/// The cells strictly between two cells on one line.
pub(super) static BETWEEN: PerCell<PerCell<Bitboard>> = {
    let mut table = PerCell([PerCell([Bitboard::EMPTY; Cell::COUNT]); Cell::COUNT]);
    let mut index = 0;
    while let Some(from) = Cell::from_index(index) {
        Bitboard::add_between(&mut table.0[index].0, from, &ROOK);
        Bitboard::add_between(&mut table.0[index].0, from, &DIAGONAL);
        index += 1;
    }
    table
};

/// The lines through a cell that cross ranks, without the cell itself.
#[derive(Clone, Copy)]
struct Rays {
    /// Up and half a cell to the right, and back.
    rising_cant: u64,
    /// Up and half a cell to the left, and back.
    falling_cant: u64,
    /// Up and one and a half cells to the right, and back.
    rising_diagonal: u64,
    /// Up and one and a half cells to the left, and back.
    falling_diagonal: u64,
}

static RAYS: PerCell<Rays> = {
    let none = Rays { rising_cant: 0, falling_cant: 0, rising_diagonal: 0, falling_diagonal: 0 };
    let mut table = PerCell([none; Cell::COUNT]);
    let mut index = 0;
    while let Some(cell) = Cell::from_index(index) {
        table.0[index] = Rays {
            rising_cant: Bitboard::rays(cell, &[(1, 1), (-1, -1)]).bits(),
            falling_cant: Bitboard::rays(cell, &[(-1, 1), (1, -1)]).bits(),
            rising_diagonal: Bitboard::rays(cell, &[(3, 1), (-3, -1)]).bits(),
            falling_diagonal: Bitboard::rays(cell, &[(-3, 1), (3, -1)]).bits(),
        };
        index += 1;
    }
    table
};

/// Attacks along a rank by the slider's file and the six inner cells.
static RANK_ATTACKS: [[u16; 64]; Cell::FILES as usize] = rank_attacks();

/// The cells that a slider on `from` attacks along its rank and cants, up to and including the
/// first piece in each direction.
#[inline]
pub fn rook_lines(from: Cell, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[from];
    Bitboard::new(
        along(rays.rising_cant, from, occupied.bits())
            | along(rays.falling_cant, from, occupied.bits())
            | along_rank(from, occupied.bits()),
    )
}

/// The cells that a slider on `from` attacks along its diagonals.
#[inline]
pub fn diagonals(from: Cell, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[from];
    Bitboard::new(
        along(rays.rising_diagonal, from, occupied.bits())
            | along(rays.falling_diagonal, from, occupied.bits()),
    )
}

#[inline]
fn along(line: u64, from: Cell, occupied: u64) -> u64 {
    let slider = from.bit().bits();
    let pieces = occupied & line;
    let up = pieces.wrapping_sub(slider);
    let down = pieces.reverse_bytes().wrapping_sub(slider.reverse_bytes()).reverse_bytes();
    (up ^ down) & line
}

#[inline]
fn along_rank(from: Cell, occupied: u64) -> u64 {
    let shift = from.rank() * Cell::FILES;
    let inner = (occupied >> (shift + 1)) as usize & 0x3F;
    u64::from(RANK_ATTACKS[from.file() as usize][inner]) << shift
}
