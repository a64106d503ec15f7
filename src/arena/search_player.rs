//! A player inside this process: Qirkat's own search, without pipes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::player::{Choice, Fault, Judgement, Player, Turn};
use crate::chesquerque::{SearchLimits, SearchLine, SearchTask, SearchThreads};
use crate::distance::Depth;
use crate::engine::EngineError;
use crate::evaluation::Evaluation;
use crate::network::Network;
use crate::search::{SearchControl, TableMemoryError, TimeBudget, TranspositionTable};

/// Qirkat's search as a player, with its own table and thread.
pub struct SearchPlayer {
    threads: SearchThreads,
    table: TranspositionTable,
    megabytes: usize,
    /// What judges positions; the evaluation made by hand if there is none.
    pub network: Option<Arc<Network>>,
    /// Whether an iteration that has begun is finished whatever its nodes.
    pub finishes_iterations: bool,
    /// The parameters it searches by.
    #[cfg(feature = "tuning")]
    pub params: crate::search::SearchParams,
}

impl SearchPlayer {
    /// A player with a table of this size and one thread.
    ///
    /// # Errors
    /// When the machine gives no thread or memory for it.
    pub fn new(megabytes: usize) -> Result<SearchPlayer, EngineError> {
        Ok(SearchPlayer {
            threads: SearchThreads::new(1)?,
            table: TranspositionTable::new(megabytes)?,
            megabytes,
            network: Network::embedded().cloned(),
            finishes_iterations: false,
            #[cfg(feature = "tuning")]
            params: crate::search::SearchParams::DEFAULT,
        })
    }
}

impl Player for SearchPlayer {
    fn start_game(&mut self) -> Result<(), Fault> {
        let no_memory = |error: TableMemoryError| Fault::NoStart(error.to_string());
        self.threads.forget();
        self.table = TranspositionTable::new(self.megabytes).map_err(no_memory)?;
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let started = Instant::now();
        let clock = turn.own_clock();
        let control = clock.control();
        let by_clock = clock.reading().map(|clock| TimeBudget::from_clock(clock, Duration::ZERO));
        let fixed = control.move_time.map(|time| TimeBudget::fixed(time, Duration::ZERO));
        let limits = SearchLimits {
            depth: control.depth.map(|depth| Depth(depth.min(Depth::MAX.0 as u16) as i16)),
            nodes: control.nodes.filter(|_| !self.finishes_iterations),
            soft_nodes: control.nodes.filter(|_| self.finishes_iterations),
            time: by_clock.unwrap_or_default().tighter(fixed.unwrap_or_default()),
            hurry_single_reply: true,
            ..SearchLimits::default()
        };
        self.table.age();
        let control = SearchControl::new(false, false);
        let evaluation = Evaluation::from(self.network.clone());
        let task = SearchTask::new(turn.game, &limits, &control, &self.table, &evaluation);
        #[cfg(feature = "tuning")]
        let task = SearchTask { params: &self.params, ..task };
        let result = self.threads.search(&task, &mut |_: &SearchLine| {});
        let mv = result.best.ok_or_else(|| Fault::IllegalMove("none".to_owned()))?;
        let judgement = match result.score.moves_to_mate() {
            Some(moves) => Judgement::Mate(i32::from(moves)),
            None => Judgement::Centipawns(result.score.value()),
        };
        Ok(Choice {
            mv,
            judgement: Some(judgement),
            depth: u32::try_from(result.depth.0).ok(),
            time: started.elapsed(),
        })
    }

    fn end_game(&mut self, _: Option<&Fault>) {}
}
