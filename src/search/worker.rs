//! One thread of a search and the state it carries.

use super::counters::Counters;
use super::histories::Histories;
use super::params::SearchParams;
use super::path::Path;
use super::root::RootState;
use super::search_task::SearchTask;
use super::table_access::TableAccess;
use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Evaluator, Rules};

/// One thread's part in a search.
pub(super) struct Worker<'a, E: Evaluate> {
    pub task: &'a SearchTask<'a, E>,
    pub evaluator: E::Evaluator<'a>,
    pub table: TableAccess<'a>,
    /// What this thread has learned in earlier searches.
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
        let full_width = limits.mate.is_some();
        Worker {
            task,
            evaluator: task.evaluation.evaluator(task.position),
            table: TableAccess::new(
                task.table,
                full_width,
                limits.handicap.map(|handicap| handicap.seed),
            ),
            histories,
            root: RootState::new(task.position, limits),
            path: Path::new(task.position, task.history),
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
    pub fn overlooks(&self, position: &E::Game, mv: <E::Game as Rules>::Move) -> bool {
        let handicap = self.task.limits.handicap.as_ref();
        handicap.is_some_and(|handicap| handicap.overlooks(position, mv))
    }

    /// The static evaluation of a position for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &E::Game, ply: Ply) -> Score {
        self.evaluator.evaluate(position, ply)
    }
}
