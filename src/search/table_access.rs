//! How a search asks the table for positions: under which key each is kept.

use super::worker::Worker;
use super::{Ply, TableEntry};
use crate::position::{Key, Position};

/// From this clock on a position is kept in the table for its clock alone:
/// what it is worth depends on how near the 100 plies are.
const CLOCK_MATTERS: u16 = 60;
/// Sets the clocks apart: a large odd number.
const CLOCK_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Sets apart what is found while nothing is skipped.
const FULL_WIDTH: u64 = 0xD1B5_4A32_D192_ED03;

impl Worker<'_> {
    /// What the table knows of a position.
    #[inline]
    pub fn probe(&self, position: &Position, ply: Ply) -> Option<TableEntry> {
        self.task.table.probe(self.table_key(position), ply)
    }

    /// Keeps in the table what was found for a position.
    #[inline]
    pub fn store(&self, position: &Position, ply: Ply, entry: TableEntry) {
        self.task.table.store(self.table_key(position), ply, entry);
    }

    /// Has the table's part for a position fetched, to be at hand soon.
    #[inline]
    pub fn prefetch(&self, position: &Position) {
        self.task.table.prefetch(self.table_key(position));
    }

    /// The key under which the table keeps a position. A search that must prove
    /// does not believe what others found, which have skipped moves.
    #[inline]
    fn table_key(&self, position: &Position) -> Key {
        let key = table_key(position);
        if self.full_width { Key(key.0 ^ FULL_WIDTH) } else { key }
    }
}

/// A position's own key, but for high clocks.
#[inline]
fn table_key(position: &Position) -> Key {
    let clock = position.halfmove_clock();
    let key = position.key();
    if clock < CLOCK_MATTERS { key } else { Key(key.0 ^ u64::from(clock).wrapping_mul(CLOCK_STEP)) }
}
