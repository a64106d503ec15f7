//! Looking ahead: iterative deepening alpha-beta on several threads that
//! share a transposition table ("Lazy SMP").
//!
//! The search prints nothing. It tells its lines to a [`Reporter`], is held
//! by a [`SearchControl`], and ends with a [`SearchResult`].

mod control;
mod correction;
mod deepening;
mod handicap;
mod history;
mod huge_pages;
mod judge;
mod limits;
mod memory;
mod moves;
mod node;
mod picker;
mod principal;
mod quiescence;
mod reduction;
mod report;
mod root;
mod root_lines;
mod stack;
mod table;
mod table_access;
mod threads;
mod timing;
mod tree;
mod tunables;
mod vote;
mod window;
mod worker;

pub use control::SearchControl;
pub use handicap::Handicap;
pub use limits::{Clock, SearchLimits, TimeBudget};
pub use report::{Reporter, SearchLine, SearchResult, nodes_per_second};
pub use table::{Bound, TableEntry, TableMemoryError, TranspositionTable};
pub use threads::{MAX_THREADS, SearchThreads, ThreadsError, cores, thread_pool};
#[cfg(feature = "tuning")]
pub use tunables::{TUNABLES, Tunables};

use crate::distance::{Depth, Ply};
use crate::network::Network;
use crate::position::{Game, GameHistory, Position};
use crate::score::Score;

/// What all threads of one search share.
pub struct SearchTask<'a> {
    /// Where to start.
    pub position: &'a Position,
    /// How the game came there.
    pub history: &'a GameHistory,
    /// When to end.
    pub limits: &'a SearchLimits,
    /// What others hold the search by.
    pub control: &'a SearchControl,
    /// What earlier searches found out.
    pub table: &'a TranspositionTable,
    /// What judges positions; the evaluation made by hand if there is none.
    pub network: Option<&'a Network>,
    /// The numbers that tune the search.
    #[cfg(feature = "tuning")]
    pub tunables: &'a Tunables,
}

impl<'a> SearchTask<'a> {
    /// The task of searching where a game stands, judged by a network or, if
    /// there is none, by the evaluation made by hand.
    pub fn new(
        game: &'a Game,
        limits: &'a SearchLimits,
        control: &'a SearchControl,
        table: &'a TranspositionTable,
        network: Option<&'a Network>,
    ) -> SearchTask<'a> {
        SearchTask {
            position: game.position(),
            history: game.history(),
            limits,
            control,
            table,
            network,
            #[cfg(feature = "tuning")]
            tunables: &Tunables::DEFAULT,
        }
    }
}
