//! A search thread and its state.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

use super::SearchControl;
use super::control::Counters;
use super::history::{CorrectionIndices, Histories, MovesBefore, PieceTo};
use super::params::SearchParams;
use super::picker::{MovePicker, MoveStack};
use super::root::RootMoves;
use super::search_limits::SearchLimits;
use super::transposition_table::{Bound, TranspositionTable, TtAccess, TtEntry};
use qirkat_game::distance::{MAX_PLY, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, GameHistory, GameState, Rules, Searchable, Tablebase, Terminal};

pub(super) type MoveOf<E> = <<E as Evaluate>::Game as Rules>::Move;

/// What all threads of a search share: the game, the limits and the resources.
pub(super) struct SearchTask<'a, E: Evaluate> {
    pub game: &'a GameState<E::Game>,
    /// The only moves to consider; all if empty.
    pub search_moves: &'a [MoveOf<E>],
    pub limits: &'a SearchLimits,
    pub control: &'a SearchControl,
    pub tt: &'a TranspositionTable,
    pub evaluation: &'a E,
    /// The tablebase, if there is one and the search may probe it.
    pub tablebase: Option<&'a dyn Tablebase<E::Game>>,
    #[cfg(feature = "tuning")]
    pub params: &'a SearchParams,
}

/// One thread of a search.
pub(super) struct Worker<'a, E: Evaluate> {
    pub task: &'a SearchTask<'a, E>,
    pub evaluator: E::Evaluator<'a>,
    pub tt: TtAccess<'a>,
    /// This thread's statistics, kept between searches.
    pub histories: &'a mut Histories,
    pub root: RootMoves<E::Game>,
    pub path: Path<E::Game>,
    pub counters: Counters<'a>,
    /// Whether pruning and reductions are off, as for proving or excluding a mate.
    pub full_width: bool,
    /// The thread's index; thread 0 reports, and ends the search.
    pub index: usize,
}

impl<'a, E: Evaluate> Worker<'a, E> {
    pub fn new(
        task: &'a SearchTask<'a, E>,
        histories: &'a mut Histories,
        index: usize,
        oversubscribed: bool,
    ) -> Worker<'a, E> {
        let limits = task.limits;
        let position = task.game.position();
        let full_width = limits.mate.is_some();
        let weak_seed = limits.handicap.map(|handicap| handicap.seed);
        Worker {
            task,
            evaluator: task.evaluation.evaluator(position),
            tt: TtAccess::new(task.tt, full_width, weak_seed),
            histories,
            root: RootMoves::new(position, task.search_moves, limits),
            path: Path::new(position, task.game.history()),
            counters: Counters::new(task.control, limits, oversubscribed),
            full_width,
            index,
        }
    }

    #[cfg(not(feature = "tuning"))]
    #[inline]
    pub const fn params(&self) -> &'static SearchParams {
        &SearchParams::DEFAULT
    }

    #[cfg(feature = "tuning")]
    #[inline]
    pub fn params(&self) -> &'a SearchParams {
        self.task.params
    }

    /// Whether a weaker player overlooks a move.
    #[inline]
    pub fn overlooks(&self, position: &E::Game, mv: MoveOf<E>) -> bool {
        let handicap = self.task.limits.handicap.as_ref();
        handicap.is_some_and(|handicap| handicap.overlooks(position, mv))
    }

    /// The next move of a node; `before` are the moves that led to it.
    #[inline(always)]
    pub fn next_move(
        &mut self,
        picker: &mut MovePicker<MoveOf<E>>,
        position: &E::Game,
        before: &MovesBefore,
    ) -> Option<MoveOf<E>> {
        picker.next(position, self.histories, before, &mut self.path.moves, self.tt)
    }

    /// Makes a move and calls `look` with the position after it. The path is restored whatever the
    /// result, so that `?` can follow.
    #[inline(always)]
    pub fn descend<R>(
        &mut self,
        position: &E::Game,
        ply: Ply,
        mv: MoveOf<E>,
        look: impl FnOnce(&mut Self, &E::Game) -> R,
    ) -> R {
        // Copied here, since a returned position would be copied once more.
        let mut next = *position;
        next.make(mv);
        self.tt.prefetch(&next);
        self.descend_to(position, ply, PieceTo::of(position, mv), &next, look)
    }

    /// The same with a given next position. For a null move `piece_to` is [`PieceTo::NONE`].
    #[inline(always)]
    pub fn descend_to<R>(
        &mut self,
        position: &E::Game,
        ply: Ply,
        piece_to: PieceTo,
        next: &E::Game,
        look: impl FnOnce(&mut Self, &E::Game) -> R,
    ) -> R {
        self.path.stack[ply].piece_to = piece_to;
        self.path.stack.after(ply, 1).must_respond = next.must_respond();
        self.path.history.push(position);
        let result = look(self, next);
        self.path.history.pop();
        result
    }
}

pub(super) trait NodeKind {
    /// Whether the window is open: PVs are kept, and scores from the transposition table cause no cutoff.
    const IS_PV: bool;
    const IS_ROOT: bool;
}

pub(super) struct Root;
/// A node that may be on the PV.
pub(super) struct Pv;
/// Any other node, searched with a null window.
pub(super) struct NonPv;

impl NodeKind for Root {
    const IS_PV: bool = true;
    const IS_ROOT: bool = true;
}

impl NodeKind for Pv {
    const IS_PV: bool = true;
    const IS_ROOT: bool = false;
}

impl NodeKind for NonPv {
    const IS_PV: bool = false;
    const IS_ROOT: bool = false;
}

/// A node, and what is known before its moves are searched.
pub(super) struct Node<'p, G: Searchable> {
    pub position: &'p G,
    pub ply: Ply,
    pub tt_entry: Option<TtEntry>,
    pub tt_move: Option<G::Move>,
    pub tt_move_is_noisy: bool,
    /// The raw static evaluation, without correction, as the transposition table stores it.
    pub raw_evaluation: Option<Score>,
    /// The best estimate of the score: the corrected evaluation, or the TT score where its bound is
    /// tighter. A loss if the side to move must respond to a threat, since it is not evaluated.
    pub estimate: Score,
    /// The indices of the evaluation's correction, if it was evaluated.
    pub correction: Option<CorrectionIndices>,
    pub improving: bool,
    /// Whether the node is, or once was, in a PV.
    pub tt_pv: bool,
    pub cut_node: bool,
    pub before: MovesBefore,
    /// Where its moves begin on the move stack.
    pub moves_start: usize,
}

/// The score of a position without legal moves, `ply` plies from the root.
pub(super) fn score_without_moves<G: Searchable>(position: &G, ply: Ply) -> Score {
    match position.without_moves() {
        Terminal::Lost => Score::mated_at(ply),
        Terminal::Drawn => Score::DRAW,
    }
}

#[derive(Clone, Copy)]
pub(super) struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    pub const FULL: Window = Window { alpha: Score::LOWEST, beta: Score::INFINITE };

    #[inline]
    #[must_use]
    pub fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Null window: is the score above alpha?
    #[inline]
    #[must_use]
    pub fn null_at_alpha(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha.just_above() }
    }

    /// Null window: does the score reach beta?
    #[inline]
    #[must_use]
    pub fn null_at_beta(beta: Score) -> Window {
        Window { alpha: beta.just_below(), beta }
    }

    /// Whether a stored score causes a cutoff in this window.
    #[inline]
    pub fn is_decided_by(self, entry: &TtEntry) -> bool {
        match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score >= self.beta,
            Bound::Upper => entry.score <= self.alpha,
        }
    }

    /// The bound of a score found with this window.
    #[inline]
    pub fn bound_of(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

type Line<M> = ArrayVec<M, { MAX_PLY as usize }>;

/// A thread's position in the tree, with its data along the path from the root.
pub(super) struct Path<G: Searchable> {
    pub stack: Stack<G::Move>,
    /// The game so far, and the path from the root.
    pub history: GameHistory,
    /// The triangular PV table: the best line found below each ply.
    lines: Vec<Line<G::Move>>,
    /// The generated moves of the nodes on the path.
    pub moves: MoveStack<G::Move>,
    /// No null move is tried before this ply.
    pub null_move_from: Ply,
}

impl<G: Searchable> Path<G> {
    pub fn new(root: &G, history: &GameHistory) -> Path<G> {
        let mut stack = Stack::new();
        stack[Ply::ROOT].must_respond = root.must_respond();
        Path {
            stack,
            history: history.clone(),
            lines: vec![Line::new(); usize::from(MAX_PLY) + 2],
            moves: MoveStack::new(),
            null_move_from: Ply::ROOT,
        }
    }

    /// Whether the position is drawn by rule; not at the root.
    #[inline]
    pub fn is_draw(&self, position: &G, ply: Ply) -> bool {
        is_drawn_by_rule(position, &self.history, ply)
    }

    pub fn root_line(&self) -> &[G::Move] {
        &self.lines[0]
    }

    #[inline]
    pub fn clear_line(&mut self, ply: Ply) {
        self.lines[ply.index()].clear();
    }

    /// Sets the best line at this ply to the move followed by the best line below.
    pub fn extend_line(&mut self, ply: Ply, mv: G::Move) {
        let (above, below) = self.lines.split_at_mut(ply.index() + 1);
        let (Some(line), Some(rest)) = (above.last_mut(), below.first()) else { return };
        line.clear();
        line.push(mv);
        line.extend(rest.iter().copied().take(usize::from(MAX_PLY) - 1));
    }
}

/// Whether a position in the search is dead, repeated, or has reached the limit of reversible plies
/// and is not lost.
///
/// One repetition of a position after the root is enough, since the cycle can be played again; for
/// the root and the positions before it, it must be the third occurrence.
#[inline]
pub(super) fn is_drawn_by_rule<G: Searchable>(
    position: &G,
    history: &GameHistory,
    ply: Ply,
) -> bool {
    if position.is_dead() {
        return true;
    }
    if position.is_drawn_by_100_plies() {
        return position.without_moves() == Terminal::Drawn || position.has_legal_moves();
    }
    let mut repetitions = history.repetitions(position);
    repetitions
        .next()
        .is_some_and(|distance| distance < ply.index() || repetitions.next().is_some())
}

#[derive(Clone, Copy)]
pub(super) struct Frame<M> {
    /// See [`Searchable::must_respond`].
    pub must_respond: bool,
    /// The corrected static evaluation; none where the side must respond.
    pub evaluation: Option<Score>,
    pub piece_to: PieceTo,
    /// The excluded move, while a search tests whether it is singular.
    pub excluded: Option<M>,
    /// Beta cutoffs at this ply since the node two plies before began.
    pub cutoffs: u32,
}

/// Plies before the root that may be read.
const BEFORE: usize = 4;
/// Plies after the last that may be written to.
const AFTER: usize = 4;

/// The frames of all plies, with margins at both ends that save bounds checks.
pub(super) struct Stack<M> {
    frames: [Frame<M>; BEFORE + MAX_PLY as usize + AFTER],
}

impl<M: Copy> Stack<M> {
    pub fn new() -> Stack<M> {
        let empty = Frame {
            must_respond: false,
            evaluation: None,
            piece_to: PieceTo::NONE,
            excluded: None,
            cutoffs: 0,
        };
        Stack { frames: [empty; BEFORE + MAX_PLY as usize + AFTER] }
    }

    /// The frame some plies before, at most four.
    #[inline]
    pub fn before(&self, ply: Ply, plies: usize) -> &Frame<M> {
        &self.frames[BEFORE + ply.index() - plies]
    }

    /// The frame some plies later, at most four.
    #[inline]
    pub fn after(&mut self, ply: Ply, plies: usize) -> &mut Frame<M> {
        &mut self.frames[BEFORE + ply.index() + plies]
    }

    /// The moves that key the continuation history at this ply.
    #[inline]
    pub fn moves_before(&self, ply: Ply) -> MovesBefore {
        [1, 2, 4].map(|plies| self.before(ply, plies).piece_to)
    }

    /// Whether the static evaluation has risen since the side's previous turn, or the one before if
    /// that has none; true if neither has one.
    #[inline]
    pub fn is_improving(&self, ply: Ply) -> bool {
        let Some(now) = self[ply].evaluation else { return false };
        let earlier = self.before(ply, 2).evaluation.or(self.before(ply, 4).evaluation);
        earlier.is_none_or(|earlier| now > earlier)
    }
}

impl<M: Copy> Index<Ply> for Stack<M> {
    type Output = Frame<M>;

    #[inline]
    fn index(&self, ply: Ply) -> &Frame<M> {
        self.before(ply, 0)
    }
}

impl<M: Copy> IndexMut<Ply> for Stack<M> {
    #[inline]
    fn index_mut(&mut self, ply: Ply) -> &mut Frame<M> {
        self.after(ply, 0)
    }
}
