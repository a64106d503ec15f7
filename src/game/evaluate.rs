//! Static evaluation, as the search calls it.

use super::Game;
use crate::distance::Ply;
use crate::score::Score;

/// What evaluates the positions of a game, shared by all threads: a network,
/// or rules made by hand.
///
/// An evaluation of your own makes a searcher of its own:
pub trait Evaluate: Send + Sync {
    /// The game.
    type Game: Game;
    /// What one thread evaluates with.
    type Evaluator<'a>: Evaluator<Self::Game>
    where
        Self: 'a;

    /// An evaluator for a search from this position.
    fn evaluator(&self, root: &Self::Game) -> Self::Evaluator<'_>;
}

/// One thread's evaluator. It may keep what helps with the next position, such
/// as the accumulators of a network.
pub trait Evaluator<G: Game> {
    /// The static evaluation of a position, `ply` plies from the root, for the
    /// side to move.
    fn evaluate(&mut self, position: &G, ply: Ply) -> Score;
}
