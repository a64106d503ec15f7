//! How a search uses the transposition table: under which key each position is
//! kept.

use super::{Ply, TableEntry, TranspositionTable};
use crate::game::{Game, Key};

/// From so many reversible plies on a position is kept in the table for that
/// number alone: its score depends on how near the draw is.
const CLOCK_MATTERS: usize = 60;
/// Sets the numbers of plies apart: a large odd number.
const CLOCK_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Sets apart what is found while nothing is pruned.
const FULL_WIDTH: u64 = 0xD1B5_4A32_D192_ED03;

/// The table as one search sees it.
#[derive(Clone, Copy)]
pub(super) struct TableAccess<'a> {
    table: &'a TranspositionTable,
    /// Mixed into every key.
    salt: u64,
}

impl<'a> TableAccess<'a> {
    /// A search at full width must prove, so it does not believe what others
    /// found, which have pruned moves.
    pub fn new(table: &'a TranspositionTable, full_width: bool) -> TableAccess<'a> {
        TableAccess { table, salt: if full_width { FULL_WIDTH } else { 0 } }
    }

    /// What the table knows of a position.
    #[inline]
    pub fn probe<G: Game>(self, position: &G, ply: Ply) -> Option<TableEntry> {
        self.table.probe(self.key(position), ply)
    }

    /// Keeps in the table what was found for a position.
    #[inline]
    pub fn store<G: Game>(self, position: &G, ply: Ply, entry: TableEntry) {
        self.table.store(self.key(position), ply, entry);
    }

    /// Has the table's part for a position fetched, to be at hand soon.
    #[inline]
    pub fn prefetch<G: Game>(self, position: &G) {
        self.table.prefetch(self.key(position));
    }

    /// The key under which the table keeps a position.
    #[inline]
    fn key<G: Game>(self, position: &G) -> Key {
        let plies = position.reversible_plies();
        let key = position.key().0 ^ self.salt;
        Key(if plies < CLOCK_MATTERS { key } else { key ^ (plies as u64).wrapping_mul(CLOCK_STEP) })
    }
}
