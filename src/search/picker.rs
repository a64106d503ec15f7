//! Move ordering: the move of the transposition table first, then captures and promotions that
//! win material, most valuable victim first (MVV), then quiet moves by
//! history, then captures that lose material. Each stage is generated only
//! when the one before did not cut.

use super::history::{Histories, MovesBefore};
use super::transposition_table::TtAccess;
use qirkat_game::{MoveFilter, Searchable};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// The generated moves of all nodes on the path, each with its rank in the
/// order, those of the current node on top. One list that grows, so that a
/// position may have any number of moves.
///
/// Nobody takes the moves of a node off when it has been searched: the picker of a node
/// above does, when it is asked for its next move.
pub(super) struct MoveStack<M> {
    moves: Vec<(i32, M)>,
}

const MOVES_AT_FIRST: usize = 4096;

impl<M: Copy> MoveStack<M> {
    pub fn new() -> MoveStack<M> {
        MoveStack { moves: Vec::with_capacity(MOVES_AT_FIRST) }
    }

    /// Where the moves of a node begin that is searched now.
    #[inline]
    pub fn top(&self) -> usize {
        self.moves.len()
    }

    /// Puts the legal moves that pass a filter on top, without a rank. Here, where nothing
    /// is known of how they will be ranked, the generator is compiled once.
    fn add_moves<G: Searchable<Move = M>>(&mut self, position: &G, filter: MoveFilter) {
        position.add_moves(filter, &mut |mv| self.moves.push((0, mv)));
    }
}

/// The legal moves of a position, handed out best first. They lie on the thread's
/// [`MoveStack`].
pub(super) struct MovePicker<M> {
    stage: Stage,
    tt_move: Option<M>,
    start: usize,
    /// Where they end. Whatever lies above is left from nodes that have been searched.
    end: usize,
    /// Where the captures end that were put aside, from `start` on.
    bad_end: usize,
    next: usize,
    with_quiet: bool,
    /// The least that a good capture wins.
    threshold: i32,
}

/// Weighs the victim's value against the history of captures.
const VICTIM_WEIGHT: i32 = 32;

impl<M: Copy + Eq> MovePicker<M> {
    /// Hands out the captures and promotions that win at least `threshold`, then quiet
    /// moves if they are wanted, and losing captures at last. `start` is where the moves of
    /// the node begin: [`MoveStack::top`].
    pub fn new(
        start: usize,
        tt_move: Option<M>,
        with_quiet: bool,
        threshold: i32,
    ) -> MovePicker<M> {
        MovePicker {
            stage: Stage::TtMove,
            tt_move,
            start,
            end: start,
            bad_end: start,
            next: start,
            with_quiet,
            threshold,
        }
    }

    #[inline]
    pub fn skip_quiet(&mut self) {
        self.with_quiet = false;
        if self.stage == Stage::Quiet {
            self.begin_bad_noisy();
        }
    }

    fn begin_bad_noisy(&mut self) {
        self.next = self.start;
        self.stage = Stage::BadNoisy;
    }

    /// The next move. `before` are the moves that led here.
    pub fn next<G: Searchable<Move = M>>(
        &mut self,
        position: &G,
        history: &Histories,
        before: &MovesBefore,
        stack: &mut MoveStack<M>,
        tt: TtAccess<'_>,
    ) -> Option<M> {
        stack.moves.truncate(self.end);
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    self.tt_move = self.tt_move.filter(|&mv| self.wants(position, mv));
                    if let Some(mv) = self.tt_move {
                        tt.prefetch_after(position, mv);
                        return self.tt_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate(position, MoveFilter::Noisy, stack, |mv| {
                        tt.prefetch_after(position, mv);
                        VICTIM_WEIGHT * position.gain(mv) + history.noisy(position, mv)
                    });
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.select(stack) {
                    Some(mv) if Some(mv) == self.tt_move => {}
                    Some(mv) if position.see_ge(mv, self.threshold) => return Some(mv),
                    Some(mv) => self.put_aside(mv, stack),
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    if self.with_quiet {
                        stack.moves.truncate(self.bad_end);
                        self.generate(position, MoveFilter::Quiet, stack, |mv| {
                            history.quiet(position, mv, before)
                        });
                        self.stage = Stage::Quiet;
                    } else {
                        self.begin_bad_noisy();
                    }
                }
                Stage::Quiet => match self.select(stack) {
                    Some(mv) if Some(mv) == self.tt_move => {}
                    Some(mv) => {
                        tt.prefetch_after(position, mv);
                        return Some(mv);
                    }
                    None => self.begin_bad_noisy(),
                },
                Stage::BadNoisy => {
                    if self.next < self.bad_end {
                        self.next += 1;
                        return Some(stack.moves[self.next - 1].1);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Whether the move of the table is one to hand out. Another position's move may have come
    /// out of it.
    #[inline]
    fn wants<G: Searchable<Move = M>>(&self, position: &G, mv: M) -> bool {
        position.is_legal(mv)
            && (self.with_quiet || position.is_noisy(mv))
            && (self.threshold <= 0 || position.see_ge(mv, self.threshold))
    }

    /// Keeps a capture that loses material for the end. What has been handed out makes
    /// room for it.
    #[inline]
    fn put_aside(&mut self, mv: M, stack: &mut MoveStack<M>) {
        stack.moves[self.bad_end].1 = mv;
        self.bad_end += 1;
    }

    /// Whether the move just handed out is a capture that loses material.
    #[inline]
    pub fn is_at_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// Puts the moves that pass a filter on the stack, each with its rank.
    // Inlined, half of the generator would be hoisted out of the loop in
    // `next` and done for every single move: 5 % of the speed.
    #[inline(never)]
    fn generate<G: Searchable<Move = M>>(
        &mut self,
        position: &G,
        filter: MoveFilter,
        stack: &mut MoveStack<M>,
        rank: impl Fn(M) -> i32,
    ) {
        self.next = stack.moves.len();
        stack.add_moves(position, filter);
        self.end = stack.moves.len();
        for entry in &mut stack.moves[self.next..] {
            entry.0 = rank(entry.1);
        }
    }

    /// The best of what is left. Selects instead of sorting, since most nodes
    /// end after a few moves. The earliest of equals goes first.
    #[inline]
    fn select(&mut self, stack: &mut MoveStack<M>) -> Option<M> {
        let left = stack.moves.get_mut(self.next..)?;
        let mut best = 0;
        let mut best_rank = left.first()?.0;
        for (index, &(rank, _)) in left.iter().enumerate().skip(1) {
            if rank > best_rank {
                best = index;
                best_rank = rank;
            }
        }
        left.swap(0, best);
        self.next += 1;
        Some(left[0].1)
    }
}
