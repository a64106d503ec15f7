//! Correction history: how wrong the evaluation has been for such pawns, such
//! pieces and such last moves, learned from what the search found (after
//! Stockfish and Caissa, 2024).

use super::history::{Arrival, learn};
use super::tunables::Tunables;
use crate::position::{Bitboard, Color, PieceKind, Position};
use crate::score::Score;

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

/// Odd constants that mix the halves of a set (from splitmix64).
const MIX: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB];

/// Folds a set of points into a running hash.
#[inline]
fn mixed(hash: u64, set: Bitboard) -> u64 {
    let [low, high] = set.halves();
    let hash = (hash ^ low).wrapping_mul(MIX[0]);
    let hash = (hash ^ hash >> 29 ^ high).wrapping_mul(MIX[1]);
    hash ^ hash >> 32
}

fn entry_of(side: Color, hash: u64) -> usize {
    side.index() * ENTRIES + (hash.wrapping_mul(MIX[2]) >> (64 - ENTRIES.ilog2())) as usize
}

impl CorrectionPlaces {
    /// The places of a position that these last two moves led to.
    pub fn of(position: &Position, last: Arrival, before: Arrival) -> CorrectionPlaces {
        let side = position.side_to_move();
        let set = |color, kind| position.of(color, kind);
        let pawns =
            Color::ALL.into_iter().fold(0, |hash, color| mixed(hash, set(color, PieceKind::Pawn)));
        let pieces = Color::ALL.map(|color| {
            let hash =
                PieceKind::ALL[1..].iter().fold(0, |hash, &kind| mixed(hash, set(color, kind)));
            entry_of(side, hash)
        });
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
