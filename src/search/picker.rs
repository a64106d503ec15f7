//! Move ordering: the table move first, then winning captures and promotions, most valuable victim
//! first (MVV), then quiet moves by history, then losing captures. Each stage is generated only if
//! the previous one caused no cutoff.

use super::history::{Histories, MovesBefore};
use super::transposition_table::TtAccess;
use qirkat_game::{MoveFilter, RankedMove, Searchable};

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

/// The generated moves of all nodes on the path with their scores, those of the current node on
/// top. It is one growing list, so that a position may have any number of moves.
///
/// A node's moves are removed when its parent's picker returns the next move.
pub(super) struct MoveStack<M> {
    moves: Vec<RankedMove<M>>,
}

const MOVES_AT_FIRST: usize = 4096;

impl<M: Copy> MoveStack<M> {
    pub fn new() -> MoveStack<M> {
        MoveStack { moves: Vec::with_capacity(MOVES_AT_FIRST) }
    }

    /// Where the moves of a new node start.
    #[inline]
    pub fn top(&self) -> usize {
        self.moves.len()
    }
}

/// Returns the legal moves of a position, best first. They are on the thread's [`MoveStack`].
pub(super) struct MovePicker<M> {
    stage: Stage,
    tt_move: Option<M>,
    start: usize,
    /// The end of its moves. Those above belong to finished nodes.
    end: usize,
    /// The end of the losing captures, which are set aside from `start` on.
    bad_end: usize,
    next: usize,
    with_quiet: bool,
    /// The minimum gain of a good capture, by SEE; none if all are good.
    threshold: Option<i32>,
}

/// The weight of the victim's value against the capture history.
const VICTIM_WEIGHT: i32 = 32;

impl<M: Copy + Eq> MovePicker<M> {
    /// Returns captures and promotions that win at least `threshold`, then quiet moves unless they
    /// are skipped, then losing captures. `start` is [`MoveStack::top`].
    pub fn new(
        start: usize,
        tt_move: Option<M>,
        with_quiet: bool,
        threshold: Option<i32>,
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
                    Some(mv) if self.is_good(position, mv) => return Some(mv),
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
                        return Some(stack.moves[self.next - 1].mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Whether to return the table move, which may belong to another position.
    #[inline]
    fn wants<G: Searchable<Move = M>>(&self, position: &G, mv: M) -> bool {
        position.is_legal(mv)
            && (self.with_quiet || position.is_noisy(mv))
            && (self.threshold <= Some(0) || self.is_good(position, mv))
    }

    #[inline]
    fn is_good<G: Searchable<Move = M>>(&self, position: &G, mv: M) -> bool {
        self.threshold.is_none_or(|threshold| position.see_ge(mv, threshold))
    }

    /// Sets a losing capture aside for the end, in a slot of a move already returned.
    #[inline]
    fn put_aside(&mut self, mv: M, stack: &mut MoveStack<M>) {
        stack.moves[self.bad_end].mv = mv;
        self.bad_end += 1;
    }

    /// Whether the move just returned is a losing capture.
    #[inline]
    pub fn is_at_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// Pushes the moves that pass a filter, with their scores. If inlined, half of the generator is
    /// hoisted out of the loop in `next`, which costs 5 % of the speed.
    #[inline(never)]
    fn generate<G: Searchable<Move = M>>(
        &mut self,
        position: &G,
        filter: MoveFilter,
        stack: &mut MoveStack<M>,
        rank: impl Fn(M) -> i32,
    ) {
        self.next = stack.moves.len();
        position.push_moves(filter, &mut stack.moves);
        self.end = stack.moves.len();
        for entry in &mut stack.moves[self.next..] {
            entry.rank = rank(entry.mv);
        }
    }

    /// The best remaining move, the first of equals. Most nodes end before a sort pays off.
    #[inline]
    fn select(&mut self, stack: &mut MoveStack<M>) -> Option<M> {
        let left = stack.moves.get_mut(self.next..)?;
        let mut best = 0;
        let mut best_rank = left.first()?.rank;
        for (index, &RankedMove { rank, .. }) in left.iter().enumerate().skip(1) {
            if rank > best_rank {
                best = index;
                best_rank = rank;
            }
        }
        left.swap(0, best);
        self.next += 1;
        Some(left[0].mv)
    }
}
