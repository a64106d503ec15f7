//! Correction history: how wrong the evaluation has been for such pawns, such
//! pieces and such last moves, learned from what the search found (after
//! Stockfish and Caissa, 2024).

use super::history::{Arrival, learn};
use super::tunables::Tunables;
use crate::position::{Color, PieceKind, Position};
use crate::score::Score;
use crate::splitmix::splitmix64;

/// Entries of each table for a side.
const ENTRIES: usize = 1 << 14;
/// Entries stay within this on either side of zero.
const MOST: i32 = 1024;
/// The most that one search teaches.
const MOST_AT_ONCE: i32 = MOST / 4;
/// Difference times depth is divided by this to make a lesson.
const LESSON_DIVISOR: i32 = 8;
/// Entries times weights are divided by this to make centipawns.
const WEIGHT_DIVISOR: i32 = 1024;

/// What one thread has learned about the evaluation.
pub(super) struct Corrections {
    pawns: Box<[i16]>,
    /// By whose pieces they are.
    pieces: [Box<[i16]>; 2],
    moves: Box<[i16]>,
}

/// The places in the tables that belong to a position.
#[derive(Clone, Copy)]
pub(super) struct CorrectionPlaces {
    pawns: usize,
    pieces: [usize; 2],
    moves: usize,
}

/// Odd numbers, one for each half of each side's set of each kind.
const MULTIPLIERS: [[[u64; 2]; PieceKind::COUNT]; 2] = {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut multipliers = [[[0; 2]; PieceKind::COUNT]; 2];
    let mut index = 0;
    while index < 4 * PieceKind::COUNT {
        multipliers[index % 2][index / 4][index / 2 % 2] = splitmix64(&mut state) | 1;
        index += 1;
    }
    multipliers
};

/// A hash of where men stand: products summed up, so that none waits for
/// another. Only the high bits are good.
#[inline]
fn hash_of(position: &Position, color: Color, kinds: &[PieceKind]) -> u64 {
    kinds.iter().fold(0, |sum: u64, &kind| {
        let [low, high] = position.of(color, kind).halves();
        let [for_low, for_high] = MULTIPLIERS[color.index()][kind.index()];
        // High bits would only move higher in a product: fold them down.
        let low = (low ^ low >> 32).wrapping_mul(for_low);
        let high = high.wrapping_mul(for_high);
        sum.wrapping_add(low).wrapping_add(high)
    })
}

/// The place in a table for a hash.
#[inline]
fn entry_of(side: Color, hash: u64) -> usize {
    let mixed = (hash ^ hash >> 32).wrapping_mul(MULTIPLIERS[0][0][0]);
    side.index() * ENTRIES + (mixed >> (64 - ENTRIES.ilog2())) as usize
}

impl CorrectionPlaces {
    /// The places of a position that these last two moves led to.
    pub fn of(position: &Position, last: Arrival, before: Arrival) -> CorrectionPlaces {
        let side = position.side_to_move();
        let pawns = Color::ALL.into_iter().fold(0, |sum: u64, color| {
            sum.wrapping_add(hash_of(position, color, &[PieceKind::Pawn]))
        });
        let pieces =
            Color::ALL.map(|color| entry_of(side, hash_of(position, color, &PieceKind::ALL[1..])));
        CorrectionPlaces { pawns: entry_of(side, pawns), pieces, moves: before.pair_index(last) }
    }
}

impl Corrections {
    pub fn new() -> Corrections {
        let table = || vec![0; 2 * ENTRIES].into_boxed_slice();
        Corrections { pawns: table(), pieces: [table(), table()], moves: Arrival::pair_table() }
    }

    pub fn forget(&mut self) {
        self.pawns.fill(0);
        self.pieces.iter_mut().for_each(|table| table.fill(0));
        self.moves.fill(0);
    }

    /// Centipawns to be added to the evaluation.
    #[inline]
    pub fn correction(&self, places: &CorrectionPlaces, weights: &Tunables) -> i32 {
        let pieces = i32::from(self.pieces[0][places.pieces[0]])
            + i32::from(self.pieces[1][places.pieces[1]]);
        (weights.correction_pawns * i32::from(self.pawns[places.pawns])
            + weights.correction_pieces * pieces
            + weights.correction_moves * i32::from(self.moves[places.moves]))
            / WEIGHT_DIVISOR
    }

    /// A search of this depth found `score` where the corrected evaluation
    /// had said `evaluation`.
    pub fn learn(
        &mut self,
        places: &CorrectionPlaces,
        depth: i32,
        score: Score,
        evaluation: Score,
    ) {
        let lesson =
            ((score - evaluation) * depth / LESSON_DIVISOR).clamp(-MOST_AT_ONCE, MOST_AT_ONCE);
        learn(&mut self.pawns[places.pawns], lesson, MOST);
        learn(&mut self.pieces[0][places.pieces[0]], lesson, MOST);
        learn(&mut self.pieces[1][places.pieces[1]], lesson, MOST);
        learn(&mut self.moves[places.moves], lesson, MOST);
    }
}
