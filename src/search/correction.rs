//! Correction history: by how much the static evaluation has differed from
//! what searches found, for positions with such pawns, such pieces and such
//! last moves (after Stockfish and Caissa, 2024).

use super::history::{ContinuationTable, PieceTo, update};
use super::params::SearchParams;
use qirkat_game::score::Score;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, Searchable, StructureHashes};

/// Entries of each table for a side.
const ENTRIES: usize = 1 << 14;
/// Entries stay within this on either side of zero.
const CORRECTION_MAX: i32 = 1024;
/// The most that one search changes an entry.
const BONUS_MAX: i32 = CORRECTION_MAX / 4;
/// Difference times depth is divided by this to make a bonus.
const BONUS_DIVISOR: i32 = 8;
/// Entries times weights are divided by this to make centipawns.
const WEIGHT_DIVISOR: i32 = 1024;

/// The statistics of one thread about the evaluation.
pub(super) struct CorrectionHistory<G> {
    pawns: Box<[i16]>,
    pieces: [Box<[i16]>; 2],
    continuation: ContinuationTable<G>,
}

/// The places in the tables that belong to a position.
#[derive(Clone, Copy)]
pub(super) struct CorrectionIndex {
    pawns: usize,
    pieces: [usize; 2],
    continuation: usize,
}

/// A large odd number, to mix hashes with.
const MIXER: u64 = {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    splitmix64(&mut state) | 1
};

/// The place in a table for a hash.
#[inline]
fn entry_of(side: Color, hash: u64) -> usize {
    let mixed = (hash ^ hash >> 32).wrapping_mul(MIXER);
    side.index() * ENTRIES + (mixed >> (64 - ENTRIES.ilog2())) as usize
}

impl CorrectionIndex {
    /// The places of a position that these last two moves led to.
    #[inline]
    pub fn of<G: Searchable>(position: &G, last: PieceTo, before: PieceTo) -> CorrectionIndex {
        let side = position.side_to_move();
        let StructureHashes { pawns, pieces } = position.structure_hashes();
        CorrectionIndex {
            pawns: entry_of(side, pawns),
            pieces: pieces.map(|hash| entry_of(side, hash)),
            continuation: ContinuationTable::<G>::index(before, last),
        }
    }
}

impl<G: Searchable> CorrectionHistory<G> {
    pub fn new() -> CorrectionHistory<G> {
        let table = || vec![0; 2 * ENTRIES].into_boxed_slice();
        CorrectionHistory {
            pawns: table(),
            pieces: [table(), table()],
            continuation: ContinuationTable::new(),
        }
    }

    pub fn clear(&mut self) {
        self.pawns.fill(0);
        self.pieces.iter_mut().for_each(|table| table.fill(0));
        self.continuation.clear();
    }

    /// Centipawns to be added to the evaluation.
    #[inline]
    pub fn correction(&self, index: &CorrectionIndex, params: &SearchParams) -> i32 {
        let pieces =
            i32::from(self.pieces[0][index.pieces[0]]) + i32::from(self.pieces[1][index.pieces[1]]);
        (params.correction_pawns * i32::from(self.pawns[index.pawns])
            + params.correction_pieces * pieces
            + params.correction_moves * self.continuation.get(index.continuation))
            / WEIGHT_DIVISOR
    }

    /// A search of this depth found `score` where the corrected evaluation
    /// had said `evaluation`.
    pub fn update(&mut self, index: &CorrectionIndex, depth: i32, score: Score, evaluation: Score) {
        let bonus = ((score - evaluation) * depth / BONUS_DIVISOR).clamp(-BONUS_MAX, BONUS_MAX);
        update(&mut self.pawns[index.pawns], bonus, CORRECTION_MAX);
        update(&mut self.pieces[0][index.pieces[0]], bonus, CORRECTION_MAX);
        update(&mut self.pieces[1][index.pieces[1]], bonus, CORRECTION_MAX);
        update(self.continuation.entry(index.continuation), bonus, CORRECTION_MAX);
    }
}
