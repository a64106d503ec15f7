//! The engine as an opponent: it thinks in the background and is asked now and then
//! whether it has found something.

use std::sync::mpsc::{Receiver, Sender, channel};

use crate::shared::options::SearchResources;
use qirkat_analysis::casual::Strength;
use qirkat_engine::{Engine, SearchLimits, SearchLine, SearchListener, SearchResult};
use qirkat_game::score::Score;
use qirkat_rules::variant::{AnyGame, AnyMove, Variant};

/// A report of a search, with its number: an older search is not heard any more.
enum Finding {
    Score(u64, Score),
    Finished(u64, Option<AnyMove>),
}

/// The engine, and what it thinks about.
pub(super) struct Opponent {
    engine: Engine,
    sender: Sender<Finding>,
    findings: Receiver<Finding>,
    /// Of the last search.
    number: u64,
    is_running: bool,
    last_score: Option<Score>,
}

/// Tells what a search finds.
struct Listener {
    number: u64,
    sender: Sender<Finding>,
}

impl SearchListener for Listener {
    fn line(&mut self, line: &SearchLine) {
        if line.rank == 1 {
            // Nobody may be there any more.
            let _ = self.sender.send(Finding::Score(self.number, line.score));
        }
    }

    fn finished(&mut self, result: &SearchResult) {
        let _ = self.sender.send(Finding::Finished(self.number, result.best));
    }
}

/// A search that breaks down has found nothing, and nobody waits for it.
impl Drop for Listener {
    fn drop(&mut self) {
        // Behind the end of a search this is not heard.
        let _ = self.sender.send(Finding::Finished(self.number, None));
    }
}

impl Opponent {
    /// An engine for a game.
    ///
    /// # Errors
    /// When the machine does not give what it needs, or the network does not fit.
    pub fn new(variant: Variant, resources: &SearchResources) -> anyhow::Result<Opponent> {
        let mut engine = Engine::new()?;
        let is_other = resources.eval_file.other_than_embedded().is_some();
        if engine.variant() != variant || is_other {
            engine.set_evaluation(resources.eval_file.evaluation(variant)?)?;
        }
        engine.set_threads(resources.threads(1))?;
        engine.set_hash(resources.hash as usize)?;
        engine.set_tablebases(resources.tables()?);
        let (sender, findings) = channel();
        Ok(Opponent { engine, sender, findings, number: 0, is_running: false, last_score: None })
    }

    /// The game that it plays.
    pub fn variant(&self) -> Variant {
        self.engine.variant()
    }

    pub fn is_running(&self) -> bool {
        self.is_running
    }

    /// The score of its last search for a move, for its own side.
    pub fn last_score(&self) -> Option<Score> {
        self.last_score
    }

    /// Begins to think, in place of what it thought about before.
    ///
    /// # Errors
    /// When the thread for it cannot be started.
    pub fn think(
        &mut self,
        game: &AnyGame,
        limits: SearchLimits,
        strength: Strength,
    ) -> anyhow::Result<()> {
        self.stop();
        strength.apply(&mut self.engine.settings);
        let listener = Listener { number: self.number, sender: self.sender.clone() };
        self.engine.go(game, Vec::new(), limits, listener)?;
        self.is_running = true;
        Ok(())
    }

    /// Stops thinking. What was found is lost.
    pub fn stop(&mut self) {
        self.engine.stop();
        self.number += 1;
        self.is_running = false;
    }

    /// The move that it has found, if it has done; none where there is none.
    pub fn found(&mut self) -> Option<Option<AnyMove>> {
        while let Ok(finding) = self.findings.try_recv() {
            match finding {
                Finding::Score(number, score) if number == self.number => {
                    self.last_score = Some(score);
                }
                Finding::Finished(number, best) if number == self.number => {
                    return std::mem::take(&mut self.is_running).then_some(best);
                }
                Finding::Score(..) | Finding::Finished(..) => {}
            }
        }
        None
    }
}
