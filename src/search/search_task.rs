//! One search: where it starts, what bounds it, and what it works with.

use super::control::SearchControl;
#[cfg(feature = "tuning")]
use super::params::SearchParams;
use super::search_limits::SearchLimits;
use super::transposition_table::TranspositionTable;
use qirkat_game::{Evaluate, GameHistory, GameState, Tablebase};

/// What all threads of one search share.
pub struct SearchTask<'a, E: Evaluate> {
    /// The root position.
    pub position: &'a E::Game,
    /// The positions of the game before it.
    pub history: &'a GameHistory,
    /// When to end.
    pub limits: &'a SearchLimits<E::Game>,
    /// How others stop the search and follow it.
    pub control: &'a SearchControl,
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// The static evaluation.
    pub evaluation: &'a E,
    /// Endgame tables, if there are any and the search may ask them.
    pub tables: Option<&'a dyn Tablebase<E::Game>>,
    /// The parameters of pruning and reductions.
    #[cfg(feature = "tuning")]
    pub params: &'a SearchParams,
}

impl<'a, E: Evaluate> SearchTask<'a, E> {
    /// The task of searching where a game stands.
    pub fn new(
        game: &'a GameState<E::Game>,
        limits: &'a SearchLimits<E::Game>,
        control: &'a SearchControl,
        table: &'a TranspositionTable,
        evaluation: &'a E,
    ) -> SearchTask<'a, E> {
        SearchTask {
            position: game.position(),
            history: game.history(),
            limits,
            control,
            table,
            evaluation,
            tables: None,
            #[cfg(feature = "tuning")]
            params: &SearchParams::DEFAULT,
        }
    }
}
