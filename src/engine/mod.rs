//! The engine behind every protocol: it owns threads, table and settings,
//! runs one task at a time in the background and can be stopped at any
//! moment.

mod bench;
mod options;
mod search_types;
mod strength;

pub use bench::{BENCH_DEPTH, BenchProgress, BenchResult, bench};
pub use options::{
    DEFAULT_HASH_MEGABYTES, DEFAULT_MOVE_OVERHEAD, EngineOption, OPTIONS, OptionError, OptionKind,
    OptionOutcome, Protocol, VARIANTS,
};
pub use search_types::{SearchLimits, SearchLine, SearchResult, Searcher, line_wdl};
pub use strength::FULL_SKILL;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::chesquerque::{Game, Position};
use crate::evaluation::Evaluation;
use crate::load_network::load_network;
use crate::machine::ThreadsError;
use crate::search::{
    Handicap, Reporter, ResourceError, SEARCH_STACK_BYTES, SearchControl, TableMemoryError,
};

/// What the options have set.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Lines to report.
    pub multi_pv: usize,
    /// Whether the GUI may ponder.
    pub ponder: bool,
    /// Time lost on each move on its way to the other side.
    pub move_overhead: Duration,
    /// Analysis rather than play: a single reply is searched all the same.
    pub analyse_mode: bool,
    /// Report chances to win, draw and lose.
    pub show_chances: bool,
    /// How well to play, up to [`FULL_SKILL`].
    pub skill_level: u32,
    /// Whether to play as strong as `elo` says instead.
    pub limit_strength: bool,
    /// The strength to play with.
    pub elo: u32,
    /// Whether it gives up games that are lost.
    pub resign: bool,
}

impl Settings {
    /// What holds the player back, if anything.
    fn handicap(&self) -> Option<Handicap> {
        let level = if self.limit_strength {
            strength::level_of(self.elo)
        } else {
            f64::from(self.skill_level)
        };
        strength::handicap(level, rand::random())
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multi_pv: 1,
            ponder: false,
            move_overhead: Duration::from_millis(u64::from(DEFAULT_MOVE_OVERHEAD)),
            analyse_mode: false,
            show_chances: false,
            skill_level: FULL_SKILL,
            limit_strength: false,
            elo: strength::ELO_RANGE.1,
            resign: false,
        }
    }
}

/// Receives what a search in the background finds.
pub trait SearchListener: Send + 'static {
    /// A line was finished.
    fn line(&mut self, line: &SearchLine);
    /// The search has ended and may answer. Called once, last.
    fn finished(&mut self, result: &SearchResult);
}

/// The engine. Dropping it stops what is running.
pub struct Engine {
    /// What the options have set.
    settings: Settings,
    /// In use while a search runs.
    searcher: Arc<Mutex<Searcher>>,
    threads: usize,
    /// The searcher's evaluation, also while that is in use.
    evaluation: Evaluation,
    running: Option<Running>,
}

struct Running {
    control: Arc<SearchControl>,
    thread: JoinHandle<()>,
}

impl Engine {
    /// An engine with the default options.
    ///
    /// # Errors
    /// When the machine has no thread or memory for it.
    pub fn new() -> Result<Engine, ResourceError> {
        let evaluation = Evaluation::embedded();
        let searcher = Searcher::with_resources(evaluation.clone(), 1, DEFAULT_HASH_MEGABYTES)?;
        let engine = Engine {
            settings: Settings::default(),
            searcher: Arc::new(Mutex::new(searcher)),
            threads: 1,
            evaluation,
            running: None,
        };
        let network = engine.evaluation.network().map_or_else(
            || "no network".to_owned(),
            |network| format!("network {:08x}", network.checksum()),
        );
        log::info!("engine ready: a table of {DEFAULT_HASH_MEGABYTES} MB, one thread, {network}");
        Ok(engine)
    }

    /// The static evaluation.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// How many threads search.
    pub fn thread_count(&self) -> usize {
        self.threads
    }

    /// What the options have set.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets an option from its text, after stopping what is running.
    ///
    /// # Errors
    /// When there is no such option, or it cannot take the value.
    pub fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<OptionOutcome, OptionError> {
        self.stop();
        options::set(self, name, value)
    }

    /// Forgets all that was learned in earlier games.
    ///
    /// # Errors
    /// When the memory for a clean table cannot be had.
    pub fn new_game(&mut self) -> Result<(), OptionError> {
        self.stop();
        log::debug!("new game: what was learned is forgotten");
        self.clear()
    }

    /// Starts a search in the background, after stopping what is running.
    ///
    /// # Errors
    /// When the thread for it cannot be started.
    pub fn go<L: SearchListener>(
        &mut self,
        game: &Game,
        limits: SearchLimits,
        listener: L,
    ) -> Result<(), ResourceError> {
        self.stop();
        let limits = SearchLimits { handicap: self.settings.handicap(), ..limits };
        let control = Arc::new(SearchControl::new(limits.infinite, limits.ponder));
        let searcher = Arc::clone(&self.searcher);
        let game = game.clone();
        self.start(control, move |control| {
            let mut reporter = ListenerReporter(listener);
            let result = lock(&searcher).search_under(control, &game, &limits, &mut reporter);
            if control.holds_answer_back() {
                log::debug!("the answer waits for a stop or a ponder hit");
            }
            control.wait_until_answer_is_due();
            reporter.0.finished(&result);
        })
    }

    /// Runs something else in the background, after stopping what is running.
    /// It must watch the control's stop flag.
    ///
    /// # Errors
    /// When the threads for it cannot be started.
    pub fn run<F>(&mut self, task: F) -> Result<(), ResourceError>
    where
        F: FnOnce(&SearchControl) + Send + 'static,
    {
        self.stop();
        self.start(Arc::new(SearchControl::new(false, false)), task)
    }

    fn start<F>(&mut self, control: Arc<SearchControl>, task: F) -> Result<(), ResourceError>
    where
        F: FnOnce(&SearchControl) + Send + 'static,
    {
        let for_thread = Arc::clone(&control);
        let thread = std::thread::Builder::new()
            .name("engine".to_owned())
            .stack_size(SEARCH_STACK_BYTES)
            .spawn(move || task(&for_thread))
            .map_err(|error| ThreadsError { threads: 1, reason: error.to_string() })?;
        self.running = Some(Running { control, thread });
        Ok(())
    }

    /// Stops what is running, if anything, and waits until it has ended.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            log::debug!("what is running is told to stop");
            running.control.stop();
        }
        self.wait();
    }

    /// Waits until what is running ends by itself.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take()
            && running.thread.join().is_err()
        {
            log::error!("the search thread has panicked");
        }
    }

    /// What holds the running task, if there is one.
    pub fn running(&self) -> Option<&SearchControl> {
        self.running.as_ref().map(|running| &*running.control)
    }

    /// Tells a pondering search that the expected move was played.
    pub fn ponder_hit(&self) {
        match &self.running {
            Some(running) => {
                log::debug!("ponder hit after {:.3} s", running.control.elapsed().as_secs_f64());
                running.control.ponder_hit();
            }
            None => log::debug!("ponder hit, but nothing is running"),
        }
    }

    fn searcher(&self) -> MutexGuard<'_, Searcher> {
        lock(&self.searcher)
    }

    fn set_hash(&mut self, megabytes: usize) -> Result<(), OptionError> {
        let mut searcher = self.searcher();
        let old = searcher.hash();
        searcher.set_hash(megabytes).map_err(|error| no_memory(&error, old))?;
        log::info!("a clean table of {megabytes} MB");
        Ok(())
    }

    fn clear(&mut self) -> Result<(), OptionError> {
        let mut searcher = self.searcher();
        let old = searcher.hash();
        searcher.clear().map_err(|error| no_memory(&error, old))
    }

    fn set_network(&mut self, name: &str) -> Result<(), OptionError> {
        let network = load_network(name).map_err(|error| {
            OptionError::Refused(format!("option EvalFile: {error}; nothing is changed"))
        })?;
        self.evaluation = Evaluation::from(network);
        let mut searcher = self.searcher();
        let old = searcher.hash();
        searcher.set_evaluation(self.evaluation.clone()).map_err(|error| no_memory(&error, old))
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), OptionError> {
        self.searcher()
            .set_threads(threads)
            .map_err(|error| OptionError::Refused(error.to_string()))?;
        log::info!("{threads} search threads");
        self.threads = threads;
        Ok(())
    }
}

/// The searcher. A search that has panicked leaves it usable.
fn lock(searcher: &Mutex<Searcher>) -> MutexGuard<'_, Searcher> {
    searcher.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_memory(error: &TableMemoryError, old: usize) -> OptionError {
    log::warn!("{error}");
    OptionError::Refused(format!("{error}; it stays at {old} MB"))
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Lets a search report to a listener.
struct ListenerReporter<L>(L);

impl<L: SearchListener> Reporter<Position> for ListenerReporter<L> {
    fn line(&mut self, line: &SearchLine) {
        self.0.line(line);
    }
}
