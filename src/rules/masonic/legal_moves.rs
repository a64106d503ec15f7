//! What is asked of the move generator: the legal moves, how many there are, whether there
//! is any.

use super::generate::{ALL, NOISY, QUIET};
use super::move_list::{Move, MoveList};
use super::position::Position;
use crate::chess::{Any, Counter, Each};
use qirkat_game::MoveFilter;

impl Position {
    /// The legal moves.
    pub fn legal_moves(&self) -> MoveList {
        self.moves(MoveFilter::All)
    }

    /// The legal moves that pass a filter.
    pub fn moves(&self, filter: MoveFilter) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_move(filter, &mut |mv| list.push(mv));
        list
    }

    /// Calls `sink` with each legal move that passes a filter.
    #[inline]
    pub(super) fn for_each_move(&self, filter: MoveFilter, sink: &mut impl FnMut(Move)) {
        let mut sink = Each(sink);
        match filter {
            MoveFilter::All => self.generate::<_, ALL>(&mut sink),
            MoveFilter::Noisy => self.generate::<_, NOISY>(&mut sink),
            MoveFilter::Quiet => self.generate::<_, QUIET>(&mut sink),
        }
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        self.generate::<Counter, ALL>(&mut counter);
        counter.0
    }

    /// Whether there is any legal move.
    pub fn has_legal_moves(&self) -> bool {
        let mut any = Any(false);
        self.generate::<Any, ALL>(&mut any);
        any.0
    }
}
