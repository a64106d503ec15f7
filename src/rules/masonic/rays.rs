//! Attacks of sliding pieces, without magic numbers, as in Chesquerque (`docs/inside/sliders.md`).
//!
//! A cant or diagonal has one cell on each rank it crosses, and a rank is a
//! byte, so a byte swap mirrors it. Ranks, whose cells are adjacent bits, are
//! looked up in a table of a kilobyte.

use super::bitboard::Bitboard;
use super::cell::{Cell, PerCell};
use super::lines::ray;
use crate::chess::{ReverseBytes, rank_attacks};

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
            rising_cant: ray(cell, (1, 1)).bits() | ray(cell, (-1, -1)).bits(),
            falling_cant: ray(cell, (-1, 1)).bits() | ray(cell, (1, -1)).bits(),
            rising_diagonal: ray(cell, (3, 1)).bits() | ray(cell, (-3, -1)).bits(),
            falling_diagonal: ray(cell, (-3, 1)).bits() | ray(cell, (3, -1)).bits(),
        };
        index += 1;
    }
    table
};

/// Attacks along a rank by file of the slider and the six inner cells.
static RANK_ATTACKS: [[u16; 64]; Cell::FILES as usize] = rank_attacks();

/// Cells that a slider on `from` attacks along its rank and cants, up to and
/// including the first piece met in each direction.
#[inline]
pub fn rook_lines(from: Cell, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[from];
    Bitboard::new(
        along(rays.rising_cant, from, occupied.bits())
            | along(rays.falling_cant, from, occupied.bits())
            | along_rank(from, occupied.bits()),
    )
}

/// Cells that a slider on `from` attacks along its diagonals.
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

#[cfg(test)]
mod tests {
    use super::super::direction::{DIAGONAL, ROOK, Step};
    use super::*;
    use qirkat_game::splitmix::splitmix64;

    fn walked(from: Cell, directions: &[Step], occupied: Bitboard) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for &(half_files, ranks) in directions {
            let mut next = from.offset(half_files, ranks);
            while let Some(cell) = next {
                reached |= cell.bit();
                next = if occupied.contains(cell) { None } else { cell.offset(half_files, ranks) };
            }
        }
        reached
    }

    #[test]
    fn subtraction_finds_what_walking_finds() {
        let mut state = 1;
        for round in 0..2_000 {
            let mut occupied = splitmix64(&mut state);
            for _ in 0..round % 4 {
                occupied &= splitmix64(&mut state);
            }
            let occupied = Bitboard::new(occupied);
            for from in Cell::all() {
                assert_eq!(rook_lines(from, occupied), walked(from, &ROOK, occupied));
                assert_eq!(diagonals(from, occupied), walked(from, &DIAGONAL, occupied));
            }
        }
    }
}
