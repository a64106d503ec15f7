//! The engine as the analyst of a review.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::analyst::Analyst;
use qirkat_engine::{AnySearcher, SearchLimits, SearchLine};
use qirkat_game::KnownResult;
use qirkat_game::distance::Depth;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_search::{Bound, SearchControl, TableMemoryError, TimeBudget};
use qirkat_system::host::Instant;

/// Searches for each move, on average: moves that are to be blamed take more than one, and
/// claims about them many.
const SEARCHES_PER_MOVE: f64 = 3.0;
/// However much a search is worth, it leaves most of the time that is left to others.
const MOST_OF_TIME_LEFT: u32 = 4;

/// The budget of a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnalystBudget {
    /// Time for each search.
    Time(Duration),
    /// Positions to visit in each search: the same review every time.
    Nodes(u64),
    /// Plies of each search: the same review every time.
    Depth(Depth),
    /// All moves must be reviewed by then.
    Until(Instant),
}

/// The listener that is told of each reviewed move: how many of the game are left.
type Told = Box<dyn FnMut(usize) + Send>;

/// The engine as an [`Analyst`], within an [`AnalystBudget`].
pub struct EngineAnalyst {
    /// Of the game that was reviewed last.
    searcher: Option<AnySearcher>,
    budget: AnalystBudget,
    stop: Arc<AtomicBool>,
    /// Moves still to be reviewed in all games, as far as that is known.
    moves_left: u64,
    gives_reasons: bool,
    told: Told,
}

impl EngineAnalyst {
    /// An analyst for games with this many moves in all (only [`AnalystBudget::Until`] has
    /// to know). Raising `stop` breaks a review off. It knows nothing before
    /// [`begin`](EngineAnalyst::begin).
    pub fn new(budget: AnalystBudget, moves: u64, stop: Arc<AtomicBool>) -> EngineAnalyst {
        let told: Told = Box::new(|_left| {});
        EngineAnalyst { searcher: None, budget, stop, moves_left: moves, gives_reasons: true, told }
    }

    /// The same analyst, but its reviews do not say why moves are marked: a few searches for each
    /// move, whatever it is worth.
    #[must_use]
    pub fn without_reasons(self) -> EngineAnalyst {
        EngineAnalyst { gives_reasons: false, ..self }
    }

    /// Makes ready for another game, with nothing left over from the one before: its
    /// review does not depend on what came first. `make` brings a searcher where there
    /// is none of this kind of game.
    ///
    /// # Errors
    /// When `make` fails, or memory is missing.
    pub fn begin<E: From<TableMemoryError>>(
        &mut self,
        variant: Variant,
        make: impl FnOnce() -> Result<AnySearcher, E>,
    ) -> Result<(), E> {
        match &mut self.searcher {
            Some(searcher) if searcher.variant() == variant => searcher.clear()?,
            _ => {
                // Two tables are never held at once.
                self.searcher = None;
                self.searcher = Some(make()?);
            }
        }
        Ok(())
    }

    /// Tells of each move that is reviewed from now on: how many of the game are left.
    pub fn on_reviewed(&mut self, told: impl FnMut(usize) + Send + 'static) {
        self.told = Box::new(told);
    }

    fn limits(&self, effort: u32) -> SearchLimits {
        let mut limits = SearchLimits::default();
        match self.budget {
            AnalystBudget::Nodes(nodes) => {
                limits.nodes = Some(nodes.saturating_mul(effort.into()));
            }
            AnalystBudget::Depth(depth) => {
                // Twice the effort takes a search about a ply deeper.
                let more = effort.max(1).ilog2();
                limits.depth = Some(Depth::saturating(i64::from(depth.0) + i64::from(more)));
            }
            AnalystBudget::Time(time) => limits.time = fixed(time.saturating_mul(effort)),
            AnalystBudget::Until(end) => {
                let left = end.saturating_duration_since(Instant::now());
                let share = left.div_f64(self.moves_left.max(1) as f64 * SEARCHES_PER_MOVE);
                limits.time = fixed(share.saturating_mul(effort).min(left / MOST_OF_TIME_LEFT));
            }
        }
        limits
    }
}

fn fixed(time: Duration) -> TimeBudget {
    TimeBudget { soft: None, hard: Some(time) }
}

impl Analyst for EngineAnalyst {
    fn best_except(
        &mut self,
        game: &AnyGame,
        excluded: &[AnyMove],
        effort: u32,
    ) -> Option<SearchLine> {
        let limits = self.limits(effort);
        let control = SearchControl::with_stop_flag(Arc::clone(&self.stop));
        let mut best: Option<SearchLine> = None;
        let mut report = |line: &SearchLine| {
            // A bound says less than the exact score of the iteration before, as long
            // as the move is the same.
            let is_better = best.as_ref().is_none_or(|known| {
                line.bound == Bound::Exact || known.moves.first() != line.moves.first()
            });
            if is_better {
                best = Some(line.clone());
            }
        };
        self.searcher.as_mut()?.search_except(&control, game, excluded, &limits, &mut report);
        if self.stop.load(Ordering::Relaxed) { None } else { best }
    }

    fn known(&self, position: &AnyPosition) -> Option<KnownResult> {
        self.searcher.as_ref()?.known(position)
    }

    fn gives_reasons(&self) -> bool {
        self.gives_reasons
    }

    fn reviewed(&mut self, left: usize) {
        self.moves_left = self.moves_left.saturating_sub(1);
        (self.told)(left);
    }
}
