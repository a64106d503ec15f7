//! The judge of a review: the engine within a budget, and the values derived from its answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::board_facts::has_choice;
use super::game_review::{MoveReview, Phase, RatedLine};
use qirkat_engine::{AnySearcher, SearchLimits, SearchLine, line_chances};
use qirkat_evaluation::{Chances, WdlModel};
use qirkat_game::distance::{Depth, MAX_PLY, Ply};
use qirkat_game::score::Score;
use qirkat_game::{KnownResult, Outcome};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_search::{Bound, SearchControl, TableMemoryError, TimeBudget};
use qirkat_system::host::Instant;

/// The value of a position: by the rules where the game has ended, else by a search.
pub(crate) fn value_of(
    game: &AnyGame,
    effort: u32,
    analyst: &mut EngineAnalyst,
) -> Option<RatedLine> {
    let ended = |score, chances| RatedLine { moves: Vec::new(), score, chances, depth: Depth(0) };
    match game.outcome() {
        Some(Outcome::Draw(_)) => Some(ended(Score::DRAW, Chances::DRAWN)),
        Some(_) => {
            let lost = Score::mated_at(Ply::ROOT);
            Some(ended(lost, WdlModel::fitted(game.position().variant()).chances(lost)))
        }
        None => Some(rated(game, &analyst.best_except(game, &[], effort)?)),
    }
}

pub fn rated(game: &AnyGame, line: &SearchLine) -> RatedLine {
    let chances = line_chances(game.position().variant(), line);
    RatedLine { moves: line.moves.clone(), score: line.score, chances, depth: line.depth }
}

/// The most moves kept of a line: where the game goes on as well as possible, the line of each of
/// its moves is all the rest, and a file may hold games of any length.
const LONGEST_LINE: usize = 1000;

/// The value of a move that leads to a position with this value.
pub(crate) fn one_ply_back(mv: AnyMove, next: &RatedLine) -> RatedLine {
    let score = match next.score.plies_to_mate() {
        None => -next.score,
        Some(plies) => {
            let further = Ply((plies.unsigned_abs() + 1).min(MAX_PLY));
            if plies > 0 { Score::mated_at(further) } else { Score::mating_at(further) }
        }
    };
    RatedLine {
        moves: std::iter::once(mv).chain(next.moves.iter().copied()).take(LONGEST_LINE).collect(),
        score,
        chances: next.chances.flipped(),
        depth: Depth(next.depth.0.saturating_add(1)),
    }
}

/// The best other move, if there is a choice. The outer `None` if the analyst stops.
pub(crate) fn other_than(
    game: &AnyGame,
    mv: AnyMove,
    analyst: &mut EngineAnalyst,
) -> Option<Option<RatedLine>> {
    if !has_choice(game.position()) {
        return Some(None);
    }
    Some(Some(rated(game, &analyst.best_except(game, &[mv], 1)?)))
}

/// A move's review before any loss is known.
pub(crate) fn unjudged(
    game: &AnyGame,
    played: AnyMove,
    line: RatedLine,
    alternative: Option<RatedLine>,
) -> MoveReview {
    let position = *game.position();
    MoveReview {
        phase: Phase::of(&position),
        position,
        played,
        line,
        alternative,
        loss: 0.0,
        mark: None,
        is_only_move: false,
        missed_win: false,
        reason: None,
    }
}

pub(crate) fn loss(line: &RatedLine, best: &RatedLine) -> f64 {
    (best.chances.expected() - line.chances.expected()).max(0.0)
}

// Effort: the size of a search, in multiples of the budget for a single search.

/// The average effort to review a move: one search, and another before it is blamed.
const EFFORT_OF_MOVE: f64 = 2.0;
/// The most effort that a move takes in a review without reasons. An average would not do: the
/// review may be of a single move, and that one blamed.
const EFFORT_WITHOUT_REASONS: f64 = 3.0;
/// The average effort for reasons per move of a game: a blunder's take about sixty.
const EFFORT_OF_REASONS: f64 = 6.0;
/// The minimum for a game, however short.
const LEAST_EFFORT_OF_REASONS: f64 = 30.0;
/// The time to spare is shared equally between this reason and one for every so many later moves.
const MOVES_PER_REASON: f64 = 32.0;
/// The most time of a review per move on average, in multiples of the budget.
const MAX_TIME_FACTOR: u32 = 2;
/// A search for a reason gets at least this fraction of the planned time.
const LEAST_SHARE_OF_PLAN: f64 = 0.75;
const LEAST_TIME: Duration = Duration::from_millis(1);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnalystBudget {
    /// Time per move. Searches for reasons may take longer; the average is at most twice this.
    Time(Duration),
    /// Nodes for a plain search; those that verify a mark or a reason take up to 16 times as many.
    /// The review is reproducible.
    Nodes(u64),
    /// Plies of a plain search; those that verify go up to 4 plies deeper. The review is
    /// reproducible.
    Depth(Depth),
    Until(Instant),
}

/// Called after each reviewed move with the number of moves left.
type ReviewListener = Box<dyn FnMut(usize) + Send>;

pub struct EngineAnalyst {
    searcher: Option<AnySearcher>,
    budget: AnalystBudget,
    stop: Arc<AtomicBool>,
    /// Moves still to be reviewed: of this game if each move has its own time, else of all games.
    moves_left: u64,
    plan: Option<Plan>,
    /// Whether the review explains its marks. Each claim is verified by further searches: for a
    /// blunder they take some twenty times as long as the rest of its review.
    pub(super) gives_reasons: bool,
    on_reviewed: ReviewListener,
}

#[derive(Clone, Copy)]
struct Plan {
    end: Instant,
    planned_at_start: f64,
}

impl EngineAnalyst {
    /// An analyst for this many moves in all games (only needed for [`AnalystBudget::Until`]).
    /// Raising `stop` cancels a review. Call [`begin`](EngineAnalyst::begin) before use.
    pub fn new(budget: AnalystBudget, moves: u64, stop: Arc<AtomicBool>) -> EngineAnalyst {
        let on_reviewed: ReviewListener = Box::new(|_left| {});
        EngineAnalyst {
            searcher: None,
            budget,
            stop,
            moves_left: moves,
            plan: None,
            gives_reasons: true,
            on_reviewed,
        }
    }

    /// Makes its reviews omit reasons: just a few searches per move, even for a blunder.
    #[must_use]
    pub fn without_reasons(self) -> EngineAnalyst {
        EngineAnalyst { gives_reasons: false, ..self }
    }

    /// Prepares for another game and clears what was learned, so that its review does not depend on
    /// earlier ones. `make` creates a searcher if there is none for this kind of game.
    pub fn begin<E: From<TableMemoryError>>(
        &mut self,
        variant: Variant,
        make: impl FnOnce() -> Result<AnySearcher, E>,
    ) -> Result<(), E> {
        match &mut self.searcher {
            Some(searcher) if searcher.variant() == variant => searcher.clear()?,
            _ => {
                // Never holds two tables at once.
                self.searcher = None;
                self.searcher = Some(make()?);
            }
        }
        Ok(())
    }

    pub fn on_reviewed(&mut self, on_reviewed: impl FnMut(usize) + Send + 'static) {
        self.on_reviewed = Box::new(on_reviewed);
    }

    fn limits(&self, effort: u32) -> SearchLimits {
        let mut limits = SearchLimits::default();
        match (self.budget, self.plan) {
            (AnalystBudget::Nodes(nodes), _) => {
                limits.nodes = Some(nodes.saturating_mul(effort.into()));
            }
            (AnalystBudget::Depth(depth), _) => {
                // Twice the effort gets a search about a ply deeper.
                let more = effort.max(1).ilog2();
                limits.depth = Some(Depth::saturating(i64::from(depth.0) + i64::from(more)));
            }
            (_, Some(plan)) => {
                let left = self.left(plan);
                let time = (f64::from(effort) * left.unit()).min(left.time);
                bound(&mut limits, Duration::from_secs_f64(time), left.time);
            }
            (AnalystBudget::Time(time), None) => {
                let time = time.saturating_mul(effort);
                bound(&mut limits, time, time.as_secs_f64());
            }
            (AnalystBudget::Until(end), None) => {
                let left = end.saturating_duration_since(Instant::now());
                bound(&mut limits, left, left.as_secs_f64());
            }
        }
        limits
    }

    fn left(&self, plan: Plan) -> Remaining {
        let most = match self.budget {
            AnalystBudget::Time(time) => time.as_secs_f64(),
            _ => f64::INFINITY,
        };
        Remaining {
            time: plan.end.saturating_duration_since(Instant::now()).as_secs_f64(),
            moves: self.moves_left.max(1) as f64,
            gives_reasons: self.gives_reasons,
            planned_at_start: plan.planned_at_start,
            most,
        }
    }
}

struct Remaining {
    /// Seconds left.
    time: f64,
    /// The moves to share it, this one included.
    moves: f64,
    gives_reasons: bool,
    /// Seconds planned at the start for a search.
    planned_at_start: f64,
    /// The most seconds for a search.
    most: f64,
}

impl Remaining {
    fn effort(&self) -> (f64, f64) {
        if self.gives_reasons {
            let reasons = (EFFORT_OF_REASONS * self.moves).max(LEAST_EFFORT_OF_REASONS);
            (EFFORT_OF_MOVE * self.moves, reasons)
        } else {
            (EFFORT_WITHOUT_REASONS * self.moves, 0.0)
        }
    }

    /// Seconds for a search of effort 1, on average.
    fn planned(&self) -> f64 {
        let (moves, reasons) = self.effort();
        self.time / (moves + reasons)
    }

    /// Seconds for a search of effort 1: more than planned at the start if reasons took less than
    /// average; less only if the time would not suffice even without further reasons.
    fn unit(&self) -> f64 {
        let (moves, _) = self.effort();
        self.planned().max(self.planned_at_start.min(self.time / moves)).min(self.most)
    }

    /// Whether there is time for searches of this effort, and a fair share for later moves. A
    /// search much shorter than planned is not worth running.
    fn affords(&self, effort: u32) -> bool {
        let (unit, others) = (self.unit(), self.moves - 1.0);
        let to_spare = self.time - EFFORT_OF_MOVE * others * unit;
        unit > 0.0
            && unit >= LEAST_SHARE_OF_PLAN * self.planned_at_start
            && f64::from(effort) * unit <= to_spare / (1.0 + others / MOVES_PER_REASON)
    }
}

/// Limits a search by time, given the seconds left in all. If these are used up, it searches one
/// ply: every move gets an answer, and a thousand of them overrun only slightly.
fn bound(limits: &mut SearchLimits, time: Duration, left: f64) {
    if left < LEAST_TIME.as_secs_f64() {
        limits.depth = Some(Depth(1));
    } else {
        limits.time = TimeBudget { soft: None, hard: Some(time.max(LEAST_TIME)) };
    }
}

impl EngineAnalyst {
    /// The best line in this position without the moves in `excluded` at the root; another move
    /// exists. A harder question deserves an `effort` above 1. None if the review is cancelled.
    pub(super) fn best_except(
        &mut self,
        game: &AnyGame,
        excluded: &[AnyMove],
        effort: u32,
    ) -> Option<SearchLine> {
        let limits = self.limits(effort);
        let control = SearchControl::with_stop_flag(Arc::clone(&self.stop));
        let mut best: Option<SearchLine> = None;
        let mut report = |line: &SearchLine| {
            // If the move is the same, a bound is worth less than the previous exact score.
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

    /// The tablebases' result of a position, if known.
    pub(super) fn known(&self, position: &AnyPosition) -> Option<KnownResult> {
        self.searcher.as_ref()?.known(position)
    }

    /// Plans the time of a review of this many moves.
    pub(super) fn plan_time(&mut self, moves: usize) {
        let end = match self.budget {
            AnalystBudget::Time(time) => {
                self.moves_left = moves as u64;
                let moves = u32::try_from(moves.max(1)).unwrap_or(u32::MAX);
                let whole = time.saturating_mul(MAX_TIME_FACTOR).saturating_mul(moves);
                // Checked addition, since the budget may be centuries.
                Instant::now().checked_add(whole)
            }
            AnalystBudget::Until(end) => Some(end),
            AnalystBudget::Nodes(_) | AnalystBudget::Depth(_) => None,
        };
        self.plan = match (self.budget, self.plan) {
            // Covers all games together.
            (AnalystBudget::Until(_), Some(plan)) => Some(plan),
            _ => end.map(|end| {
                let plan = Plan { end, planned_at_start: 0.0 };
                Plan { planned_at_start: self.left(plan).planned(), ..plan }
            }),
        };
    }

    /// Whether there is time to verify a claim with this total effort. If not, it is left out.
    pub(super) fn affords(&self, effort: u32) -> bool {
        self.plan.is_none_or(|plan| self.left(plan).affords(effort))
    }

    /// Called after each reviewed move; `left` moves remain.
    pub(super) fn reviewed(&mut self, left: usize) {
        self.moves_left = self.moves_left.saturating_sub(1);
        (self.on_reviewed)(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::Rules;
    use qirkat_game::splitmix::splitmix64;

    #[test]
    fn values_are_backed_up_with_mates_one_ply_further() {
        let variant = Variant::Chesquerque;
        let mv = variant.start().legal_moves()[0];
        let chances = |score| WdlModel::fitted(variant).chances(score);
        let value =
            |score| RatedLine { moves: vec![], score, chances: chances(score), depth: Depth(5) };
        for (next, score) in [
            (Score::centipawns(40), Score::centipawns(-40)),
            (Score::mated_at(Ply::ROOT), Score::mating_at(Ply(1))),
            (Score::mating_at(Ply(1)), Score::mated_at(Ply(2))),
            (Score::mated_at(Ply(2)), Score::mating_at(Ply(3))),
            // However long a game is, a mate stays a mate.
            (Score::mating_at(Ply(MAX_PLY)), Score::mated_at(Ply(MAX_PLY))),
        ] {
            let back = one_ply_back(mv, &value(next));
            assert_eq!((back.score, back.moves.len()), (score, 1), "{next}");
            let expected = chances(next).flipped().expected();
            assert!((back.chances.expected() - expected).abs() < 1e-9, "{next}");
        }
    }

    /// Simulates the time of a review with the searches of `review_game`, where one move in
    /// `blunders` is marked. Returns the time taken, the least and the most time for a search of
    /// effort 1, and how many moves were marked and how many of them had reasons.
    fn review(moves: u32, blunders: u64, gives_reasons: bool) -> (f64, [f64; 2], [usize; 2]) {
        let whole = f64::from(moves) * f64::from(MAX_TIME_FACTOR);
        let left = Remaining {
            time: whole,
            moves: moves.into(),
            gives_reasons,
            planned_at_start: 0.0,
            most: 1.0,
        };
        let mut left = Remaining { planned_at_start: left.planned(), ..left };
        let (mut seed, mut units, mut told) = (1, [f64::INFINITY, 0.0], [0, 0]);
        let mut shortest_for_reasons = f64::INFINITY;
        let search = |left: &mut Remaining, units: &mut [f64; 2], effort: u32| {
            let unit = left.unit();
            *units = [units[0].min(unit), units[1].max(unit)];
            left.time -= (f64::from(effort) * unit).min(left.time);
        };
        // Where the game ends.
        search(&mut left, &mut units, 1);
        while left.moves >= 1.0 {
            search(&mut left, &mut units, 1);
            if splitmix64(&mut seed).is_multiple_of(blunders) {
                told[0] += 1;
                search(&mut left, &mut units, 2);
                // Two lines and whether there was one good move.
                for parts in [[4, 16, 4], [4, 16, 4], [1, 4, 16]] {
                    if gives_reasons && left.affords(parts.iter().sum()) {
                        told[1] += usize::from(parts[0] == 1);
                        for effort in parts {
                            shortest_for_reasons = left.unit().min(shortest_for_reasons);
                            search(&mut left, &mut units, effort);
                        }
                    }
                }
            }
            left.moves -= 1.0;
        }
        assert!(shortest_for_reasons >= 0.5 * left.planned_at_start, "{shortest_for_reasons}");
        (whole - left.time, units, told)
    }

    #[test]
    fn one_ply_must_do_where_no_time_is_left() {
        let (now, hour) = (Instant::now(), Duration::from_secs(3600));
        for (budget, depth) in [
            (AnalystBudget::Until(now), Some(Depth(1))),
            (AnalystBudget::Until(now + hour), None),
            (AnalystBudget::Time(Duration::ZERO), Some(Depth(1))),
            (AnalystBudget::Time(hour), None),
        ] {
            let mut analyst = EngineAnalyst::new(budget, 1000, Arc::default());
            for has_begun in [false, true] {
                if has_begun {
                    analyst.plan_time(100);
                }
                for effort in [1, 2, 16] {
                    let limits = analyst.limits(effort);
                    assert_eq!(limits.depth, depth, "{budget:?} {has_begun} {effort}");
                    assert_eq!(limits.time.hard.is_none(), depth.is_some(), "{budget:?}");
                }
            }
        }
    }

    /// All that a review takes is within its time, whatever it has to say, no search becomes
    /// much shorter than planned, and usual games have nearly all their reasons.
    #[test]
    fn reasons_keep_within_the_time_of_the_moves() {
        for moves in [1, 2, 4, 10, 30, 80, 200, 1000] {
            for blunders in [1, 3, 6, 12, 40, 1_000_000] {
                for gives_reasons in [true, false] {
                    let (time, [least, most], [marked, told]) =
                        review(moves, blunders, gives_reasons);
                    let case = format!("{moves} {blunders} {gives_reasons}: {time} {least} {most}");
                    assert!(time <= f64::from(MAX_TIME_FACTOR * moves) && most <= 1.0, "{case}");
                    assert!(blunders < 3 || least >= if moves < 10 { 0.02 } else { 0.1 }, "{case}");
                    if gives_reasons && moves >= 80 && blunders >= 12 {
                        assert!(5 * told >= 4 * marked, "{case}: {told} of {marked}");
                    }
                    // Time that no reason needed went to the searches of the moves.
                    assert!(blunders < 1000 || moves < 80 || most == 1.0, "{case}");
                }
            }
        }
    }
}
