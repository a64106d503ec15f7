//! How well moves have done so far: the history heuristic (J. Schaeffer, "The
//! History Heuristic and Alpha-Beta Search Enhancements in Practice", 1989).
//! Quiet moves have a butterfly history, by from and to, and continuation
//! histories, by the moves one, two and four plies before; captures and
//! promotions have a capture history.

use std::marker::PhantomData;

use super::params::SearchParams;
use qirkat_game::score::Score;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, Searchable, StructureHashes};
use qirkat_system::machine::prefer_huge_pages;

/// Entries stay within this on either side of zero.
const HISTORY_MAX: i32 = 16_384;

/// Moves an entry towards a bound; the nearer it is, the less ("gravity"), so
/// that surprises count for more than confirmations.
#[inline]
pub(super) fn update(entry: &mut i16, bonus: i32, max: i32) {
    let bonus = bonus.clamp(-max, max);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / max) as i16;
}

/// Whose piece of what kind has moved where: all that later moves know of a
/// move before them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    /// No move, or a null move.
    pub const NONE: PieceTo = PieceTo(0);

    /// The piece that a move moves here, and where to.
    #[inline]
    pub fn of<G: Searchable>(position: &G, mv: G::Move) -> PieceTo {
        PieceTo(position.piece_to(mv) as u16 + 1)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A table with an entry for each pair of moves, as far as [`PieceTo`]
/// distinguishes them.
pub(super) struct ContinuationTable<G> {
    entries: Box<[i16]>,
    game: PhantomData<G>,
}

impl<G: Searchable> ContinuationTable<G> {
    /// Moves that are distinguished, none included.
    const COUNT: usize = {
        assert!(G::PIECE_TO < u16::MAX as usize);
        G::PIECE_TO + 1
    };

    pub fn new() -> ContinuationTable<G> {
        let entries = vec![0; Self::COUNT * Self::COUNT].into_boxed_slice();
        prefer_huge_pages(&entries);
        ContinuationTable { entries, game: PhantomData }
    }

    pub fn clear(&mut self) {
        self.entries.fill(0);
    }

    #[inline]
    pub fn index(before: PieceTo, next: PieceTo) -> usize {
        before.index() * Self::COUNT + next.index()
    }

    #[inline]
    pub fn get(&self, index: usize) -> i32 {
        i32::from(self.entries[index])
    }

    #[inline]
    pub fn entry(&mut self, index: usize) -> &mut i16 {
        &mut self.entries[index]
    }
}

/// The moves one, two and four plies before.
pub(super) type MovesBefore = [PieceTo; 3];

pub(super) struct MoveHistory<G> {
    /// Butterfly history: by side, from and to.
    quiet: Box<[i16]>,
    noisy: Box<[i16]>,
    continuation: ContinuationTable<G>,
}

#[inline]
fn quiet_index<G: Searchable>(side: Color, position: &G, mv: G::Move) -> usize {
    side.index() * G::BUTTERFLY_SLOTS + position.butterfly_slot(mv)
}

impl<G: Searchable> MoveHistory<G> {
    pub fn new() -> MoveHistory<G> {
        let table = |size: usize| vec![0; size].into_boxed_slice();
        MoveHistory {
            quiet: table(2 * G::BUTTERFLY_SLOTS),
            noisy: table(G::CAPTURE_SLOTS),
            continuation: ContinuationTable::new(),
        }
    }

    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.noisy.fill(0);
        self.continuation.clear();
    }

    /// How well a quiet move has done, after these moves.
    #[inline(always)]
    pub fn quiet(&self, position: &G, mv: G::Move, before: &MovesBefore) -> i32 {
        let next = PieceTo::of(position, mv);
        let continuation: i32 = before
            .iter()
            .map(|&before| self.continuation.get(ContinuationTable::<G>::index(before, next)))
            .sum();
        i32::from(self.quiet[quiet_index(position.side_to_move(), position, mv)]) + continuation
    }

    #[inline]
    pub fn noisy(&self, position: &G, mv: G::Move) -> i32 {
        i32::from(self.noisy[position.capture_slot(mv)])
    }

    pub fn update_quiet(&mut self, position: &G, mv: G::Move, before: &MovesBefore, bonus: i32) {
        let index = quiet_index(position.side_to_move(), position, mv);
        update(&mut self.quiet[index], bonus, HISTORY_MAX);
        let next = PieceTo::of(position, mv);
        for &before in before.iter().filter(|&&before| before != PieceTo::NONE) {
            let index = ContinuationTable::<G>::index(before, next);
            update(self.continuation.entry(index), bonus, HISTORY_MAX);
        }
    }

    pub fn update_noisy(&mut self, position: &G, mv: G::Move, bonus: i32) {
        update(&mut self.noisy[position.capture_slot(mv)], bonus, HISTORY_MAX);
    }
}

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

/// The statistics that a thread keeps from one move of the game to the next. They change the
/// order and depth of its search, never the rules.
pub(super) struct Histories<G: Searchable> {
    pub moves: MoveHistory<G>,
    pub corrections: CorrectionHistory<G>,
}

impl<G: Searchable> Histories<G> {
    /// The system finds memory for it as it is used.
    pub fn new() -> Histories<G> {
        Histories { moves: MoveHistory::new(), corrections: CorrectionHistory::new() }
    }

    /// As new, but all of its memory is there, so that no move waits for it.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.corrections.clear();
    }
}
