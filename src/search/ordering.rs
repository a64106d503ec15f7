//! Which move to try first: the table's, then captures and promotions that
//! win material, then quiet moves, then captures that lose material.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::evaluation::EXCHANGE_VALUES;
use crate::position::{MAX_MOVES, Move, MoveFilter, MoveList, PieceKind, Position};

/// The moves of a position, handed out best first.
pub(super) struct OrderedMoves {
    ranked: ArrayVec<(i32, Move), MAX_MOVES>,
    /// How many have been handed out.
    used: usize,
}

const TABLE_MOVE: i32 = 1_000_000;
const GOOD_CAPTURE: i32 = 100_000;
const BAD_CAPTURE: i32 = -100_000;
/// Weighs the victim's value so that the attacker's only breaks ties.
const VICTIM_WEIGHT: i32 = 16;

impl OrderedMoves {
    /// No moves yet. Filled in place, since returning a full one would copy
    /// several kilobytes.
    pub fn new() -> OrderedMoves {
        OrderedMoves { ranked: ArrayVec::new(), used: 0 }
    }

    /// Takes all legal moves.
    pub fn fill(&mut self, position: &Position, table_move: Option<Move>) {
        let mut list = MoveList::new();
        position.add_moves(MoveFilter::All, &mut list);
        self.ranked.extend(list.iter().map(|&mv| {
            let rank = if Some(mv) == table_move { TABLE_MOVE } else { rank_of(position, mv) };
            (rank, mv)
        }));
    }

    /// Takes the captures and promotions that lose no material.
    pub fn fill_winning(&mut self, position: &Position) {
        let mut list = MoveList::new();
        position.add_moves(MoveFilter::Noisy, &mut list);
        let ranked = list.iter().map(|&mv| (rank_of(position, mv), mv));
        self.ranked.extend(ranked.filter(|&(rank, _)| rank >= 0));
    }

    /// Whether there was no move at all.
    pub fn is_empty(&self) -> bool {
        self.ranked.is_empty()
    }
}

impl Iterator for OrderedMoves {
    type Item = Move;

    /// Selects instead of sorting, since most nodes end after a few moves.
    /// The earliest of equals goes first.
    fn next(&mut self) -> Option<Move> {
        let left = self.ranked.get_mut(self.used..)?;
        let best = left
            .iter()
            .enumerate()
            .max_by_key(|&(index, &(rank, _))| (rank, Reverse(index)))
            .map(|(index, _)| index)?;
        left.swap(0, best);
        self.used += 1;
        Some(left[0].1)
    }
}

/// Most valuable victim first, by the least valuable attacker.
fn rank_of(position: &Position, mv: Move) -> i32 {
    let value = |kind: Option<PieceKind>| kind.map_or(0, |kind| EXCHANGE_VALUES.0[kind.index()]);
    let captured = position.captured(mv);
    if captured.is_none() && mv.promotion.is_none() {
        return 0;
    }
    let gain =
        VICTIM_WEIGHT * (value(captured) + value(mv.promotion)) - value(position.kind_on(mv.from));
    let loses = position.exchange_value(mv, &EXCHANGE_VALUES) < 0;
    gain + if loses { BAD_CAPTURE } else { GOOD_CAPTURE }
}
