//! The engine as the analyst of a review.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::super::resources::SearchResources;
use super::options::ReviewBudget;
use crate::distance::Depth;
use crate::engine::{AnySearcher, SearchLimits, SearchLine};
use crate::game::Rules;
use crate::review::Analyst;
use crate::search::{Bound, SearchControl, TimeBudget};
use crate::variant::{AnyGame, AnyMove, Variant};

/// Time for a move when nothing bounds it.
const DEFAULT_TIME: Duration = Duration::from_millis(500);
/// Searches for each move, on average: moves that are to be blamed take more than one.
const SEARCHES_PER_MOVE: f64 = 1.6;
/// Plies added for each further effort where the depth is the limit.
const PLIES_PER_EFFORT: u32 = 1;

/// What a search may spend.
#[derive(Clone, Copy)]
enum Budget {
    Time(Duration),
    Nodes(u64),
    Depth(i16),
    /// All of it must be done by then.
    Until(Instant),
}

/// Searches for a review.
pub(in crate::cli) struct EngineAnalyst<'a> {
    resources: &'a SearchResources,
    /// Of the game that was reviewed last.
    searcher: Option<AnySearcher>,
    budget: Budget,
    stop: Arc<AtomicBool>,
    /// Moves still to be reviewed in all games, as far as that is known.
    moves_left: u64,
    bar: ProgressBar,
}

impl<'a> EngineAnalyst<'a> {
    /// An analyst for games with so many moves in all, which `stop` breaks off.
    pub fn new(
        budget: &ReviewBudget,
        resources: &'a SearchResources,
        moves: u64,
        stop: Arc<AtomicBool>,
    ) -> EngineAnalyst<'a> {
        let ReviewBudget { movetime, nodes, depth, total_time } = *budget;
        let budget = match (nodes, depth, total_time) {
            (Some(nodes), ..) => Budget::Nodes(nodes),
            (_, Some(depth), _) => Budget::Depth(depth),
            (.., Some(time)) => Budget::Until(Instant::now() + time),
            _ => Budget::Time(movetime.map_or(DEFAULT_TIME, Duration::from_millis)),
        };
        let bar = ProgressBar::hidden();
        EngineAnalyst { resources, searcher: None, budget, stop, moves_left: moves, bar }
    }

    /// Makes ready for another game, with nothing left over from the one before: its
    /// review does not depend on what came first.
    ///
    /// # Errors
    /// When the game cannot be evaluated as wanted, or memory is missing.
    pub fn begin(&mut self, variant: Variant, bar: ProgressBar) -> anyhow::Result<()> {
        self.bar = bar;
        match &mut self.searcher {
            Some(searcher) if searcher.variant() == variant => searcher.clear()?,
            _ => {
                // Two tables are never held at once.
                self.searcher = None;
                let SearchResources { threads, hash, eval_file } = self.resources;
                let evaluation = eval_file.evaluation(variant)?;
                self.searcher = Some(AnySearcher::with_resources(
                    evaluation,
                    usize::from(*threads),
                    *hash as usize,
                )?);
            }
        }
        Ok(())
    }

    fn limits(&self, effort: u32) -> SearchLimits {
        let mut limits = SearchLimits::default();
        match self.budget {
            Budget::Nodes(nodes) => limits.nodes = Some(nodes.saturating_mul(effort.into())),
            Budget::Depth(depth) => {
                let more = effort.saturating_sub(1) * PLIES_PER_EFFORT;
                limits.depth = Some(Depth::saturating(i64::from(depth) + i64::from(more)));
            }
            Budget::Time(time) => limits.time = fixed(time.saturating_mul(effort)),
            Budget::Until(end) => {
                let left = end.saturating_duration_since(Instant::now());
                let share = left.div_f64(self.moves_left.max(1) as f64 * SEARCHES_PER_MOVE);
                limits.time = fixed(share.saturating_mul(effort));
            }
        }
        limits
    }
}

fn fixed(time: Duration) -> TimeBudget {
    TimeBudget { soft: None, hard: Some(time) }
}

impl Analyst for EngineAnalyst<'_> {
    fn best_except(
        &mut self,
        game: &AnyGame,
        excluded: &[AnyMove],
        effort: u32,
    ) -> Option<SearchLine> {
        let mut limits = self.limits(effort);
        if !excluded.is_empty() {
            limits.search_moves = game.position().legal_moves();
            limits.search_moves.retain(|mv| !excluded.contains(mv));
        }
        let control = SearchControl::with_stop_flag(Arc::clone(&self.stop));
        let mut best: Option<SearchLine> = None;
        self.searcher.as_mut()?.search_under(&control, game, &limits, &mut |line: &SearchLine| {
            // A bound says less than the exact score of the iteration before, as long
            // as the move is the same.
            let is_better = best.as_ref().is_none_or(|known| {
                line.bound == Bound::Exact || known.moves.first() != line.moves.first()
            });
            if is_better {
                best = Some(line.clone());
            }
        });
        if self.stop.load(Ordering::Relaxed) { None } else { best }
    }

    fn reviewed(&mut self, _left: usize) {
        self.moves_left = self.moves_left.saturating_sub(1);
        self.bar.inc(1);
    }
}
