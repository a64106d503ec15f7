//! The lines of the board as tables, made at compile time: what each cell
//! would reach on an empty board, and what may stand in the way.

use super::bitboard::Bitboard;
use super::cell::{Cell, PerCell};
use super::direction::{DIAGONAL, KNIGHT, ROOK, Step};

/// The cells that a cell is joined to, on an empty board.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    /// Neighbours along the rank and the cants.
    pub rook_steps: Bitboard,
    /// Neighbours along the diagonals.
    pub diagonal_steps: Bitboard,
    /// All cells on the same rank or cants.
    pub rook_lines: Bitboard,
    /// All cells on the same diagonals.
    pub diagonal_lines: Bitboard,
    /// Where a knight may go or come from; the relation is symmetric.
    pub knight_leaps: Bitboard,
    /// Where a pawn of White or Black attacks this cell from.
    pub pawn_sources: [Bitboard; 2],
}

pub(super) static LINES: PerCell<Lines> = {
    let empty = Lines {
        rook_steps: Bitboard::EMPTY,
        diagonal_steps: Bitboard::EMPTY,
        rook_lines: Bitboard::EMPTY,
        diagonal_lines: Bitboard::EMPTY,
        knight_leaps: Bitboard::EMPTY,
        pawn_sources: [Bitboard::EMPTY; 2],
    };
    let mut table = PerCell([empty; Cell::COUNT]);
    let mut index = 0;
    while let Some(cell) = Cell::from_index(index) {
        let [right_up, left_up, left_down, right_down] = DIAGONAL;
        table.0[index] = Lines {
            rook_steps: steps(cell, &ROOK),
            diagonal_steps: steps(cell, &DIAGONAL),
            rook_lines: rays(cell, &ROOK),
            diagonal_lines: rays(cell, &DIAGONAL),
            knight_leaps: steps(cell, &KNIGHT),
            pawn_sources: [
                steps(cell, &[left_down, right_down]),
                steps(cell, &[left_up, right_up]),
            ],
        };
        index += 1;
    }
    table
};

/// For two cells on one line, those strictly between them.
static BETWEEN: PerCell<PerCell<Bitboard>> = {
    let mut table = PerCell([PerCell([Bitboard::EMPTY; Cell::COUNT]); Cell::COUNT]);
    let mut index = 0;
    while let Some(from) = Cell::from_index(index) {
        let mut direction = 0;
        while direction < ROOK.len() {
            walk_between(&mut table.0[index], from, ROOK[direction]);
            direction += 1;
        }
        direction = 0;
        while direction < DIAGONAL.len() {
            walk_between(&mut table.0[index], from, DIAGONAL[direction]);
            direction += 1;
        }
        index += 1;
    }
    table
};

/// The cells strictly between two on one line, which must be empty for a
/// piece on one of them to attack the other from a distance. None where no line
/// joins them.
#[inline]
pub(super) fn between(a: Cell, b: Cell) -> Bitboard {
    BETWEEN[a][b]
}

/// The cells one step away in any of the directions.
const fn steps(from: Cell, directions: &[Step]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut direction = 0;
    while direction < directions.len() {
        let (half_files, ranks) = directions[direction];
        if let Some(cell) = from.offset(half_files, ranks) {
            set = set.with(cell);
        }
        direction += 1;
    }
    set
}

/// The cells any number of steps away in one of the directions.
const fn rays(from: Cell, directions: &[Step]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut direction = 0;
    while direction < directions.len() {
        set = Bitboard::new(set.bits() | ray(from, directions[direction]).bits());
        direction += 1;
    }
    set
}

/// The cells any number of steps away in one direction.
pub(super) const fn ray(from: Cell, (half_files, ranks): Step) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut next = from.offset(half_files, ranks);
    while let Some(cell) = next {
        set = set.with(cell);
        next = cell.offset(half_files, ranks);
    }
    set
}

const fn walk_between(row: &mut PerCell<Bitboard>, from: Cell, (half_files, ranks): Step) {
    let mut passed = Bitboard::EMPTY;
    let mut next = from.offset(half_files, ranks);
    while let Some(cell) = next {
        row.0[cell.index()] = passed;
        passed = passed.with(cell);
        next = cell.offset(half_files, ranks);
    }
}
