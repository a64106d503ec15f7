//! Move statistics: the history heuristic (J. Schaeffer, "The History Heuristic and Alpha-Beta
//! Search Enhancements in Practice", 1989). Quiet moves have a butterfly history, by from and to,
//! and continuation histories, by the moves one, two and four plies before; captures and promotions
//! have a capture history.
//!
//! The correction history holds how much the static evaluation has differed from search results,
//! for positions with the same pawns, pieces or last moves (after Stockfish and Caissa, 2024).

use super::params::SearchParams;
use qirkat_game::score::Score;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, Searchable, StructureHashes};
use qirkat_system::machine::prefer_huge_pages;

/// The absolute limit of history entries.
const HISTORY_MAX: i32 = 16_384;
/// Entries of a correction table by pawns or pieces, per side.
const CORRECTION_ENTRIES: usize = 1 << 14;
/// The absolute limit of correction entries.
const CORRECTION_MAX: i32 = 1024;
/// The most that one search can change a correction entry.
const BONUS_MAX: i32 = CORRECTION_MAX / 4;
/// Divides difference times depth to get a bonus.
const BONUS_DIVISOR: i32 = 8;
/// Divides entries times weights to get centipawns.
const WEIGHT_DIVISOR: i32 = 1024;

/// Side, piece and target of a move: the key of the continuation histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    /// No move, or a null move.
    pub const NONE: PieceTo = PieceTo(0);

    /// The piece that moves in this position, and its target.
    #[inline]
    pub fn of<G: Searchable>(position: &G, mv: G::Move) -> PieceTo {
        PieceTo(position.piece_to(mv) as u16 + 1)
    }
}

/// The moves one, two and four plies before.
pub(super) type MovesBefore = [PieceTo; 3];

pub(super) type CorrectionIndices = [usize; 4];

/// A thread's move statistics and corrections, kept between searches.
pub(super) struct Histories {
    /// Butterfly history: by side, from and to.
    quiet: Box<[i16]>,
    noisy: Box<[i16]>,
    continuation: Box<[i16]>,
    /// By the pawns, two hashes of the pieces, and the last two moves.
    corrections: [Box<[i16]>; 4],
}

/// The number of values of [`PieceTo`], including `NONE`.
const fn move_kinds<G: Searchable>() -> usize {
    assert!(G::PIECE_TO < u16::MAX as usize);
    G::PIECE_TO + 1
}

#[inline]
fn continuation_index<G: Searchable>(before: PieceTo, next: PieceTo) -> usize {
    usize::from(before.0) * const { move_kinds::<G>() } + usize::from(next.0)
}

#[inline]
fn quiet_index<G: Searchable>(position: &G, mv: G::Move) -> usize {
    position.side_to_move().index() * G::BUTTERFLY_SLOTS + position.butterfly_slot(mv)
}

#[inline]
fn correction_index(side: Color, hash: u64) -> usize {
    const MIXER: u64 = {
        let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
        splitmix64(&mut state) | 1
    };
    let mixed = (hash ^ hash >> 32).wrapping_mul(MIXER);
    side.index() * CORRECTION_ENTRIES + (mixed >> (64 - CORRECTION_ENTRIES.ilog2())) as usize
}

/// The correction indices of a position reached by these last two moves.
#[inline]
pub(super) fn correction_indices<G: Searchable>(
    position: &G,
    last: PieceTo,
    before: PieceTo,
) -> CorrectionIndices {
    let side = position.side_to_move();
    let StructureHashes { pawns, pieces } = position.structure_hashes();
    let [pawns, first, second] = [pawns, pieces[0], pieces[1]].map(|it| correction_index(side, it));
    [pawns, first, second, continuation_index::<G>(before, last)]
}

/// Adds a bonus to an entry, less the closer it is to its limit ("gravity").
#[inline]
fn update(entry: &mut i16, bonus: i32, max: i32) {
    let bonus = bonus.clamp(-max, max);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / max) as i16;
}

impl Histories {
    /// Memory is committed lazily, on first use.
    pub fn new<G: Searchable>() -> Histories {
        let table = |size: usize| vec![0; size].into_boxed_slice();
        let of_pairs = || {
            let entries = table(move_kinds::<G>() * move_kinds::<G>());
            prefer_huge_pages(&entries);
            entries
        };
        let of_positions = || table(2 * CORRECTION_ENTRIES);
        Histories {
            quiet: table(2 * G::BUTTERFLY_SLOTS),
            noisy: table(G::CAPTURE_SLOTS),
            continuation: of_pairs(),
            corrections: [of_positions(), of_positions(), of_positions(), of_pairs()],
        }
    }

    /// Clears all entries, which also commits the memory, so that no search waits for it.
    pub fn clear(&mut self) {
        let moves = [&mut self.quiet, &mut self.noisy, &mut self.continuation];
        moves.into_iter().chain(&mut self.corrections).for_each(|table| table.fill(0));
    }

    /// The history of a quiet move after these moves.
    #[inline(always)]
    pub fn quiet<G: Searchable>(&self, position: &G, mv: G::Move, before: &MovesBefore) -> i32 {
        let next = PieceTo::of(position, mv);
        let continuation: i32 = before
            .iter()
            .map(|&before| i32::from(self.continuation[continuation_index::<G>(before, next)]))
            .sum();
        i32::from(self.quiet[quiet_index(position, mv)]) + continuation
    }

    #[inline]
    pub fn noisy<G: Searchable>(&self, position: &G, mv: G::Move) -> i32 {
        i32::from(self.noisy[position.capture_slot(mv)])
    }

    pub fn update_quiet<G: Searchable>(
        &mut self,
        position: &G,
        mv: G::Move,
        before: &MovesBefore,
        bonus: i32,
    ) {
        update(&mut self.quiet[quiet_index(position, mv)], bonus, HISTORY_MAX);
        let next = PieceTo::of(position, mv);
        for &before in before.iter().filter(|&&before| before != PieceTo::NONE) {
            let index = continuation_index::<G>(before, next);
            update(&mut self.continuation[index], bonus, HISTORY_MAX);
        }
    }

    pub fn update_noisy<G: Searchable>(&mut self, position: &G, mv: G::Move, bonus: i32) {
        update(&mut self.noisy[position.capture_slot(mv)], bonus, HISTORY_MAX);
    }

    /// Centipawns to add to the evaluation.
    #[inline]
    pub fn correction(&self, indices: &CorrectionIndices, params: &SearchParams) -> i32 {
        let SearchParams { correction_pawns, correction_pieces, correction_moves, .. } = *params;
        let weights = [correction_pawns, correction_pieces, correction_pieces, correction_moves];
        let entry = |table: usize| i32::from(self.corrections[table][indices[table]]);
        (0..weights.len()).map(|table| weights[table] * entry(table)).sum::<i32>() / WEIGHT_DIVISOR
    }

    /// Learns from a search that found `score` where the corrected evaluation was `evaluation`.
    pub fn update_correction(
        &mut self,
        indices: &CorrectionIndices,
        depth: i32,
        score: Score,
        evaluation: Score,
    ) {
        let bonus = ((score - evaluation) * depth / BONUS_DIVISOR).clamp(-BONUS_MAX, BONUS_MAX);
        for (table, &index) in self.corrections.iter_mut().zip(indices) {
            update(&mut table[index], bonus, CORRECTION_MAX);
        }
    }
}
