//! How well moves have done so far: the history heuristic (J. Schaeffer, "The
//! History Heuristic and Alpha-Beta Search Enhancements in Practice", 1989).
//! Quiet moves have a butterfly history, by from and to, and continuation
//! histories, by the moves one, two and four plies before; captures and
//! promotions have a capture history.

use std::marker::PhantomData;

use qirkat_game::{Color, Searchable};
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

    /// The place of a move after another.
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

/// The statistics of one thread about moves.
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

    /// How well a capture or promotion has done.
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
