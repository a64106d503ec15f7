//! Which move to try first: the table's, then captures and promotions that
//! win material, then quiet moves by history, then captures that lose
//! material. Each stage is made only when the one before did not cut.

use arrayvec::ArrayVec;

use super::history::{MoveHistory, MovesBefore};
use crate::evaluation::EXCHANGE_VALUES;
use crate::position::{MAX_MOVES, Move, MoveFilter, MoveList, PieceKind, Position};

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
    MakeNoisy,
    GoodNoisy,
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// The legal moves of a position, handed out best first.
pub(super) struct MovePicker {
    stage: Stage,
    table_move: Option<Move>,
    ranked: ArrayVec<(i32, Move), MAX_MOVES>,
    /// How many of `ranked` have been handed out or put aside.
    used: usize,
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    with_quiet: bool,
    /// What a capture must at least win to be good.
    threshold: i32,
}

/// Weighs the victim's value against the history of captures.
const VICTIM_WEIGHT: i32 = 32;

impl MovePicker {
    /// Hands out all moves.
    pub fn all(table_move: Option<Move>) -> MovePicker {
        MovePicker::new(table_move, true, 0)
    }

    /// Hands out the captures and promotions that win at least `threshold`.
    pub fn winning(table_move: Option<Move>, threshold: i32) -> MovePicker {
        MovePicker::new(table_move, false, threshold)
    }

    fn new(table_move: Option<Move>, with_quiet: bool, threshold: i32) -> MovePicker {
        MovePicker {
            stage: Stage::TableMove,
            table_move,
            ranked: ArrayVec::new(),
            used: 0,
            bad_noisy: ArrayVec::new(),
            with_quiet,
            threshold,
        }
    }

    /// No more quiet moves are wanted.
    #[inline]
    pub fn skip_quiet(&mut self) {
        self.with_quiet = false;
        if self.stage == Stage::Quiet {
            self.begin_bad_noisy();
        }
    }

    fn begin_bad_noisy(&mut self) {
        self.used = 0;
        self.stage = Stage::BadNoisy;
    }

    /// The next move. `before` are the moves that led here.
    pub fn next(
        &mut self,
        position: &Position,
        history: &MoveHistory,
        before: &MovesBefore,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::MakeNoisy;
                    // Another position's move may have come out of the table.
                    self.table_move = self.table_move.filter(|&mv| {
                        position.is_legal(mv)
                            && (self.with_quiet || position.is_noisy(mv))
                            && (self.threshold <= 0
                                || position.exchange_wins(mv, self.threshold, &EXCHANGE_VALUES))
                    });
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::MakeNoisy => {
                    let mut list = MoveList::new();
                    position.add_moves(MoveFilter::Noisy, &mut list);
                    self.ranked
                        .extend(list.iter().map(|&mv| (noisy_rank(position, history, mv), mv)));
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.select() {
                    Some(mv) if Some(mv) == self.table_move => {}
                    Some(mv) => {
                        if position.exchange_wins(mv, self.threshold, &EXCHANGE_VALUES) {
                            return Some(mv);
                        }
                        self.bad_noisy.push(mv);
                    }
                    None => self.stage = Stage::MakeQuiet,
                },
                Stage::MakeQuiet => {
                    if self.with_quiet {
                        self.ranked.clear();
                        self.used = 0;
                        let mut list = MoveList::new();
                        position.add_moves(MoveFilter::Quiet, &mut list);
                        self.ranked.extend(
                            list.iter().map(|&mv| (history.quiet(position, mv, before), mv)),
                        );
                        self.stage = Stage::Quiet;
                    } else {
                        self.begin_bad_noisy();
                    }
                }
                Stage::Quiet => match self.select() {
                    Some(mv) if Some(mv) == self.table_move => {}
                    Some(mv) => return Some(mv),
                    None => self.begin_bad_noisy(),
                },
                Stage::BadNoisy => {
                    let mv = self.bad_noisy.get(self.used).copied();
                    self.used += 1;
                    if mv.is_none() {
                        self.stage = Stage::Done;
                    }
                    return mv;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Whether the move just handed out is a capture that loses material.
    #[inline]
    pub fn is_at_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// The best of what is left. Selects instead of sorting, since most nodes
    /// end after a few moves. The earliest of equals goes first.
    #[inline]
    fn select(&mut self) -> Option<Move> {
        let left = self.ranked.get_mut(self.used..)?;
        let mut best = 0;
        let mut best_rank = left.first()?.0;
        for (index, &(rank, _)) in left.iter().enumerate().skip(1) {
            if rank > best_rank {
                best = index;
                best_rank = rank;
            }
        }
        left.swap(0, best);
        self.used += 1;
        Some(left[0].1)
    }
}

/// Most valuable victim first, told apart by how captures of the kind did.
fn noisy_rank(position: &Position, history: &MoveHistory, mv: Move) -> i32 {
    VICTIM_WEIGHT * gain_at_sight(position, mv) + history.noisy(position, mv)
}

/// What a move captures and promotes to, in centipawns, whatever it may lose.
#[inline]
pub(super) fn gain_at_sight(position: &Position, mv: Move) -> i32 {
    let value = |kind: Option<PieceKind>| kind.map_or(0, |kind| EXCHANGE_VALUES.of(kind));
    value(position.captured(mv)) + value(mv.promotion)
}
