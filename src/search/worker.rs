//! One thread of a search and the state it carries.

use super::SearchControl;
use super::correction::CorrectionHistory;
use super::counters::Counters;
use super::history::{MoveHistory, MovesBefore, PieceTo};
use super::params::SearchParams;
use super::path::Path;
use super::picker::MovePicker;
use super::root::RootState;
use super::search_limits::SearchLimits;
use super::transposition_table::TranspositionTable;
use super::tt_access::TtAccess;
use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Evaluator, GameState, Rules, Searchable, Tablebase};

/// A move of the game that an evaluation is for.
pub(super) type MoveOf<E> = <<E as Evaluate>::Game as Rules>::Move;

/// One search: where it starts, when it ends, and what it works with, which all its threads
/// share.
pub(super) struct SearchTask<'a, E: Evaluate> {
    pub game: &'a GameState<E::Game>,
    /// The only moves of the position to consider; all when empty.
    pub search_moves: &'a [MoveOf<E>],
    pub limits: &'a SearchLimits,
    /// How others stop the search and follow it.
    pub control: &'a SearchControl,
    pub tt: &'a TranspositionTable,
    pub evaluation: &'a E,
    /// The endgame tables, if there are any and the search may probe them.
    pub tablebase: Option<&'a dyn Tablebase<E::Game>>,
    #[cfg(feature = "tuning")]
    pub params: &'a SearchParams,
}

/// The statistics that a thread keeps from one move of the game to the next. They change the order and depth of its search, never the rules.
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

/// One thread's part in a search.
pub(super) struct Worker<'a, E: Evaluate> {
    pub task: &'a SearchTask<'a, E>,
    pub evaluator: E::Evaluator<'a>,
    pub tt: TtAccess<'a>,
    /// The statistics that this thread has gathered in earlier searches.
    pub histories: &'a mut Histories<E::Game>,
    pub root: RootState<E::Game>,
    pub path: Path<E::Game>,
    pub counters: Counters<'a>,
    /// Whether nothing may be pruned or reduced, as when a mate is to be
    /// proved or excluded.
    pub full_width: bool,
    /// Which thread this is; 0 reports and decides.
    pub index: usize,
}

impl<'a, E: Evaluate> Worker<'a, E> {
    pub fn new(
        task: &'a SearchTask<'a, E>,
        histories: &'a mut Histories<E::Game>,
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
            root: RootState::new(position, task.search_moves, limits),
            path: Path::new(position, task.game.history()),
            counters: Counters::new(task.control, limits.time, limits.max_nodes(), oversubscribed),
            full_width,
            index,
        }
    }

    /// The parameters of the search.
    #[cfg(not(feature = "tuning"))]
    #[inline]
    pub const fn params(&self) -> &'static SearchParams {
        &SearchParams::DEFAULT
    }

    /// The parameters of the search.
    #[cfg(feature = "tuning")]
    #[inline]
    pub fn params(&self) -> &'a SearchParams {
        self.task.params
    }

    /// Whether a weaker player does not see a move.
    #[inline]
    pub fn overlooks(&self, position: &E::Game, mv: MoveOf<E>) -> bool {
        let handicap = self.task.limits.handicap.as_ref();
        handicap.is_some_and(|handicap| handicap.overlooks(position, mv))
    }

    /// The static evaluation of a position for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &E::Game, ply: Ply) -> Score {
        self.evaluator.evaluate(position, ply)
    }

    /// The next move of a node, `before` being the moves that led to it.
    #[inline(always)]
    pub fn next_move(
        &mut self,
        picker: &mut MovePicker<MoveOf<E>>,
        position: &E::Game,
        before: &MovesBefore,
    ) -> Option<MoveOf<E>> {
        picker.next(position, &self.histories.moves, before, &mut self.path.moves, self.tt)
    }

    /// Makes a move and looks at the position that it leads to. What was noted on the way is
    /// taken back whatever the result, so that `?` can follow.
    #[inline(always)]
    pub fn descend<R>(
        &mut self,
        position: &E::Game,
        ply: Ply,
        mv: MoveOf<E>,
        look: impl FnOnce(&mut Self, &E::Game) -> R,
    ) -> R {
        // A copy here, since a position that is returned would be copied once more.
        let mut next = *position;
        next.make(mv);
        self.tt.prefetch(&next);
        self.descend_to(position, ply, PieceTo::of(position, mv), &next, look)
    }

    /// The same where the next position is there already; a null move moves no piece.
    #[inline(always)]
    pub fn descend_to<R>(
        &mut self,
        position: &E::Game,
        ply: Ply,
        piece_to: PieceTo,
        next: &E::Game,
        look: impl FnOnce(&mut Self, &E::Game) -> R,
    ) -> R {
        self.path.enter(position, ply, piece_to, next);
        let result = look(self, next);
        self.path.leave();
        result
    }
}
