//! Static evaluation, as the search calls it.

use super::searchable::Searchable;
use crate::distance::Ply;
use crate::score::Score;

/// The static evaluation of a game, shared by all threads: a network, or material
/// and placement.
///
/// An evaluation of your own makes a searcher of its own:
///
/// ```
/// use qirkat::game::{Evaluate, Evaluator, Rules};
/// use qirkat::search::Searcher;
/// use qirkat::{Game, Limits, Ply, Position, Score};
///
/// /// Every piece counts the same.
/// #[derive(Default)]
/// struct PieceCount;
///
/// impl Evaluate for PieceCount {
///     type Game = Position;
///     type Evaluator<'a> = &'a PieceCount;
///
///     fn evaluator(&self, _: &Position) -> &PieceCount {
///         self
///     }
/// }
///
/// impl Evaluator<Position> for &PieceCount {
///     fn evaluate(&mut self, position: &Position, _: Ply) -> Score {
///         let count = |color| position.of_color(color).len() as i32;
///         let us = position.side_to_move();
///         Score::centipawns(100 * (count(us) - count(!us)))
///     }
/// }
///
/// let mut searcher = Searcher::<PieceCount>::new()?;
/// let game = Game::from_position("4k4/9/9/9/p8/9/9/9/R3K4 w - - 0 1".parse()?);
/// let result = searcher.search(&game, &Limits::depth(1));
/// assert_eq!(result.best, Some("a1a5".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluate: Send + Sync {
    /// The game.
    type Game: Searchable;
    /// The evaluator of one thread.
    type Evaluator<'a>: Evaluator<Self::Game>
    where
        Self: 'a;

    /// An evaluator for a search from this position.
    fn evaluator(&self, root: &Self::Game) -> Self::Evaluator<'_>;
}

/// One thread's evaluator. It may keep state that speeds up the next evaluation, such as
/// the accumulators of a network.
pub trait Evaluator<G: Searchable> {
    /// The static evaluation of a position, `ply` plies from the root, for the
    /// side to move.
    fn evaluate(&mut self, position: &G, ply: Ply) -> Score;
}
