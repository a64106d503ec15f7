//! Background work that is polled for results: the engine as an opponent, and reviews.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use anyhow::anyhow;
use indicatif::ProgressBar;

use super::PlayOptions;
use crate::shared::options::SearchResources;
use crate::shared::review_report::{self, ReportStyle};
use crate::shared::terminal;
use qirkat_analysis::casual::Strength;
use qirkat_analysis::review::{AnalystBudget, EngineAnalyst, GameReview, review_game};
use qirkat_engine::{Engine, SearchLimits, SearchReport};
use qirkat_game::score::Score;
use qirkat_rules::pgn::PgnGame;
use qirkat_rules::variant::{AnyGame, AnyMove, Variant};
use qirkat_search::SEARCH_STACK_BYTES;

/// Work on its own thread. Dropping it cancels it.
pub(crate) struct Background<T> {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<anyhow::Result<T>>>,
}

impl<T: Send + 'static> Background<T> {
    /// Starts work that ends soon after its flag is set.
    pub fn start(
        name: &str,
        work: impl FnOnce(Arc<AtomicBool>) -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<Background<T>> {
        let stop = Arc::new(AtomicBool::new(false));
        let for_thread = Arc::clone(&stop);
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .stack_size(SEARCH_STACK_BYTES)
            .spawn(move || work(for_thread))?;
        Ok(Background { stop, thread: Some(thread) })
    }

    pub fn result(&mut self) -> Option<anyhow::Result<T>> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        Some(thread.join().unwrap_or_else(|_| Err(anyhow!("the search has failed"))))
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the search has failed");
        }
    }
}

/// A search report with the search's number: reports of older searches are ignored.
enum Finding {
    Score(u64, Score),
    Finished(u64, Option<AnyMove>),
}

pub(crate) struct Opponent {
    engine: Engine,
    sender: Sender<Finding>,
    findings: Receiver<Finding>,
    number: u64,
    pub is_running: bool,
    /// The score of its last search, from its own side.
    pub last_score: Option<Score>,
}

struct Listener {
    number: u64,
    sender: Sender<Finding>,
}

impl Listener {
    fn receive(&self, report: SearchReport<'_>) {
        let finding = match report {
            SearchReport::Line(line) if line.rank > 1 => return,
            SearchReport::Line(line) => Finding::Score(self.number, line.score),
            SearchReport::Finished(result) => Finding::Finished(self.number, result.best),
        };
        // The receiver may be gone.
        let _ = self.sender.send(finding);
    }
}

/// A panicking search reports that it found nothing, so that nobody waits for it.
impl Drop for Listener {
    fn drop(&mut self) {
        // Ignored if the search has already finished.
        let _ = self.sender.send(Finding::Finished(self.number, None));
    }
}

impl Opponent {
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

    pub fn variant(&self) -> Variant {
        self.engine.variant()
    }

    pub fn think(
        &mut self,
        game: &AnyGame,
        limits: SearchLimits,
        strength: Strength,
    ) -> anyhow::Result<()> {
        self.stop();
        strength.apply(&mut self.engine.settings);
        let listener = Listener { number: self.number, sender: self.sender.clone() };
        self.engine.go(game, Vec::new(), limits, move |report| listener.receive(report))?;
        self.is_running = true;
        Ok(())
    }

    pub fn stop(&mut self) {
        self.engine.stop();
        self.number += 1;
        self.is_running = false;
    }

    /// The move found, once the search has ended; `Some(None)` if there is none.
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

/// Nodes per move: a long game takes about ten seconds.
const NODES: u64 = 40_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    Graph,
    Report,
}

/// A running review. Dropping it cancels it.
pub(crate) struct ReviewTask {
    pub wanted: Wanted,
    pub game: PgnGame,
    bar: ProgressBar,
    pub work: Background<GameReview>,
}

impl ReviewTask {
    pub fn start(
        game: PgnGame,
        wanted: Wanted,
        options: &Arc<PlayOptions>,
    ) -> anyhow::Result<ReviewTask> {
        let bar = ProgressBar::hidden();
        let (record, told, options) = (game.clone(), bar.clone(), Arc::clone(options));
        let work = Background::start("review", move |stop| {
            let moves = record.moves.len() as u64;
            let mut analyst = EngineAnalyst::new(AnalystBudget::Nodes(NODES), moves, stop);
            let variant = record.start.variant();
            analyst.begin(variant, || options.resources.searcher(variant))?;
            analyst.on_reviewed(move |_| told.inc(1));
            Ok(review_game(&record, &mut analyst))
        })?;
        Ok(ReviewTask { wanted, game, bar, work })
    }

    /// Moves reviewed, and moves in total.
    pub fn progress(&self) -> (u64, usize) {
        (self.bar.position(), self.game.moves.len())
    }
}

const MARGIN: usize = 1;

pub(crate) fn page(game: &PgnGame, review: &GameReview, wanted: Wanted, ascii: bool) -> News {
    let unicode = terminal::shows_unicode() && !ascii;
    let width = terminal::width() - 2 * MARGIN;
    match wanted {
        Wanted::Graph => News::Page {
            title: "White's chances, by a search of each position".to_owned(),
            text: review_report::graph(review, width, unicode),
        },
        Wanted::Report => {
            let style = ReportStyle { all_moves: true, width, unicode };
            News::Page {
                title: "Review".to_owned(),
                text: review_report::text(game, 1, review, style),
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum News {
    Said(String),
    Refused(String),
    /// A move was made, as in `3. Nc3`.
    Moved {
        text: String,
        by_engine: bool,
    },
    Ended(String),
    Page {
        title: String,
        text: String,
    },
    Board,
    Leave,
}

impl News {
    /// An error message as a sentence, with a capital and a full stop.
    pub fn refused(reason: &str) -> News {
        let mut letters = reason.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        let stop = if reason.ends_with(['.', '!', '?']) { "" } else { "." };
        News::Refused(format!("{first}{}{stop}", letters.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_become_sentences() {
        for (reason, sentence) in [
            ("the way is blocked", "The way is blocked."),
            ("`x` is no move", "`x` is no move."),
            ("", "."),
        ] {
            assert_eq!(News::refused(reason), News::Refused(sentence.to_owned()));
        }
    }
}
