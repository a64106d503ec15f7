//! A player that is Qirkat's own search in this process.

use std::time::{Duration, Instant};

use qirkat_engine::{AnySearcher, SearchLimits};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::distance::Depth;
use qirkat_search::{ResourceError, TimeBudget};

use crate::info_line::ReportedScore;
use crate::player::{ChosenMove, EngineFault, Player, SearchInfo, Thought, Turn};

/// Searches on the thread of the game.
pub struct SearchPlayer {
    searcher: AnySearcher,
    /// Whether a started iteration is completed even beyond the node limit.
    pub finishes_iterations: bool,
}

impl SearchPlayer {
    pub fn new(evaluation: AnyEvaluation, megabytes: usize) -> Result<SearchPlayer, ResourceError> {
        let searcher = AnySearcher::with_resources(evaluation, 1, megabytes)?;
        Ok(SearchPlayer { searcher, finishes_iterations: false })
    }

    #[cfg(feature = "tuning")]
    pub fn params_mut(&mut self) -> &mut qirkat_search::SearchParams {
        self.searcher.params_mut()
    }
}

impl Player for SearchPlayer {
    fn start_game(&mut self) -> Result<Option<EngineFault>, EngineFault> {
        self.searcher.clear().map_err(|error| EngineFault::NoStart(error.to_string()))?;
        Ok(None)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<ChosenMove, EngineFault> {
        let started = Instant::now();
        let clock = turn.own_clock();
        let control = clock.control();
        let by_clock = clock.reading().map(|clock| TimeBudget::from_clock(clock, Duration::ZERO));
        let fixed = control.move_time.map(|time| TimeBudget::fixed(time, Duration::ZERO));
        let time = by_clock.unwrap_or_default().tighter(fixed.unwrap_or_default());
        let mut limits = SearchLimits::time(time);
        limits.depth = control.depth.map(|depth| Depth(depth.min(Depth::MAX.0 as u16) as i16));
        limits.nodes = control.nodes.filter(|_| !self.finishes_iterations);
        limits.soft_nodes = control.nodes.filter(|_| self.finishes_iterations);
        limits.hurry_single_reply = true;
        let result = self.searcher.search(turn.game, &limits);
        let mv = result
            .best
            .ok_or_else(|| EngineFault::IllegalMove { text: "none".to_owned(), why: None })?;
        let score = match result.score.moves_to_mate() {
            Some(moves) => ReportedScore::Mate(i32::from(moves)),
            None => ReportedScore::Centipawns(result.score.value()),
        };
        let info = SearchInfo {
            score: Some(score),
            depth: u32::try_from(result.depth.0).ok(),
            ..SearchInfo::default()
        };
        let thought = Thought { info, time: started.elapsed() };
        Ok(ChosenMove { mv, thought, started, expected: None, lines: Vec::new() })
    }

    fn end_game(&mut self, _: Option<&EngineFault>) {}
}
