//! The engine: searches and other tasks in the background.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use parking_lot::Mutex;
use thiserror::Error;

use super::any_searcher::AnySearcher;
use super::book::Book;
use super::settings::Settings;
use super::{SearchLimits, SearchLine, SearchResult};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::distance::Depth;
use qirkat_game::{Rules, perft};
use qirkat_rules::match_game;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_search::{
    DEFAULT_HASH_MEGABYTES, ResourceError, SEARCH_STACK_BYTES, SearchControl, TableMemoryError,
};
use qirkat_system::host::random;
use qirkat_system::machine::ThreadsError;
use qirkat_system::parallel;
use qirkat_tablebase::AllTables;

pub enum SearchReport<'a> {
    Line(&'a SearchLine),
    /// The answer comes from the opening book, without a search: its depth is 0.
    Book(&'a SearchLine),
    /// The search has ended. Reported once, last.
    Finished(&'a SearchResult),
}

/// No memory for a new table; the engine continues with an empty one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{reason}; the setting stays at {megabytes} MB")]
pub struct HashError {
    pub reason: TableMemoryError,
    /// The size before, which was tried again; the table is minimal if even that failed.
    pub megabytes: usize,
}

/// The engine. Dropping it stops the running task.
pub struct Engine {
    /// Take effect at the next search.
    pub settings: Settings,
    /// Locked while a search runs; still usable after a search has panicked.
    searcher: Arc<Mutex<AnySearcher>>,
    threads: usize,
    /// The searcher's evaluation, accessible during a search.
    evaluation: AnyEvaluation,
    tablebases: Option<AllTables>,
    /// None for the embedded one, which is read when it is first asked.
    book: Option<Cow<'static, Book>>,
    running: Option<Running>,
}

/// The plies shown of a line of the opening book.
const BOOK_PLIES: usize = 16;

struct Running {
    control: Arc<SearchControl>,
    thread: JoinHandle<()>,
}

impl Engine {
    /// An engine with the default settings, one thread and the embedded network.
    pub fn new() -> Result<Engine, ResourceError> {
        let evaluation = AnyEvaluation::embedded(Variant::default());
        let searcher = AnySearcher::with_resources(evaluation.clone(), 1, DEFAULT_HASH_MEGABYTES)?;
        let mut engine = Engine {
            settings: Settings::default(),
            searcher: Arc::new(Mutex::new(searcher)),
            threads: 1,
            evaluation,
            tablebases: None,
            book: None,
            running: None,
        };
        engine.set_tablebases(Some(AllTables::with_embedded()));
        let network = engine.evaluation.network().map_or_else(
            || "no network".to_owned(),
            |network| format!("network {:08x}", network.checksum),
        );
        log::info!("engine ready: a table of {DEFAULT_HASH_MEGABYTES} MB, one thread, {network}");
        Ok(engine)
    }

    pub fn evaluation(&self) -> &AnyEvaluation {
        &self.evaluation
    }

    pub fn variant(&self) -> Variant {
        self.evaluation.variant()
    }

    /// Stops the running task and sets an evaluation, which may be for another game; table and
    /// histories become empty. Another game goes back to its embedded book.
    ///
    /// # Errors
    /// If the machine lacks resources for a searcher; nothing changes then. If only the table's
    /// memory is missing, the evaluation is set and the table becomes small.
    pub fn set_evaluation(&mut self, evaluation: AnyEvaluation) -> Result<(), ResourceError> {
        self.stop();
        let megabytes = self.searcher.lock().hash_megabytes();
        // Never holds two tables of full size at once.
        let mut searcher = AnySearcher::with_resources(evaluation.clone(), 1, 1)?;
        searcher.set_threads(self.threads)?;
        #[cfg(feature = "tuning")]
        searcher.params_mut().clone_from(self.searcher.lock().params_mut());
        *self.searcher.lock() = searcher;
        self.evaluation = evaluation;
        self.book.take_if(|book| book.variant() != self.evaluation.variant());
        self.searcher.lock().set_tablebases(self.tablebases.clone());
        Ok(self.searcher.lock().set_hash(megabytes)?)
    }

    /// An upper bound of the plies to a win for the side to move, if a certificate proves the win.
    pub fn proven_win_plies(&self, position: &AnyPosition) -> Option<u16> {
        let AnyPosition::Alquerque(position) = position else { return None };
        let (_, plies) = self.tablebases.as_ref()?.alquerque.certain_move(position)?;
        Some(plies)
    }

    /// Stops the running task and sets the tablebases to probe, or none.
    pub fn set_tablebases(&mut self, tablebases: Option<AllTables>) {
        self.stop();
        self.searcher.lock().set_tablebases(tablebases.clone());
        self.tablebases = tablebases;
    }

    /// The opening book of the game; none if the embedded one is invalid.
    pub fn book(&self) -> Option<&Book> {
        self.book.as_deref().or_else(|| Book::embedded(self.variant()))
    }

    pub fn set_book(&mut self, book: Cow<'static, Book>) {
        self.book = Some(book);
    }

    /// The book's answer to a search for a move to play, if the settings want it. Where the result
    /// is known for certain or a position recurs, a search finds the better move.
    fn book_line(&self, game: &AnyGame, limits: &SearchLimits) -> Option<SearchLine> {
        let (settings, position) = (&self.settings, game.position());
        let plays = settings.own_book && !settings.analyse_mode;
        let plies = 2 * u32::from(position.fullmove_number().saturating_sub(1))
            + position.side_to_move() as u32;
        if !plays
            || limits.infinite
            || limits.mate.is_some()
            || plies >= settings.book_depth
            || self.tablebases.as_ref().is_some_and(|tables| tables.known(position).is_some())
            || self.proven_win_plies(position).is_some()
            || game.history().repetitions(position).next().is_some()
        {
            return None;
        }
        let book = self.book()?;
        let known = book.probe(position)?;
        let good = known.good_moves(settings.book_variety);
        let chosen = good.get(random().checked_rem(good.len() as u64)? as usize)?;
        let line = book.line_from(position, chosen.mv, BOOK_PLIES);
        Some(SearchLine::new(Depth(0), chosen.score, line))
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Stops the running task and sets the number of threads.
    ///
    /// # Errors
    /// If the system refuses them; the old ones are kept.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        self.stop();
        self.searcher.lock().set_threads(threads)?;
        log::info!("{threads} search threads");
        self.threads = threads;
        Ok(())
    }

    /// Stops the running task and replaces the table by an empty one with this many megabytes.
    ///
    /// # Errors
    /// If there is no memory for it: see [`HashError`].
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), HashError> {
        self.stop();
        self.change_table(|searcher| searcher.set_hash(megabytes))?;
        log::info!("new hash table of {megabytes} MB");
        Ok(())
    }

    /// Stops the running task and clears the table and the histories.
    pub fn clear_hash(&mut self) -> Result<(), HashError> {
        self.stop();
        log::debug!("clearing the hash table and the histories");
        self.change_table(AnySearcher::clear)
    }

    /// Stops the running task and changes the search parameters.
    #[cfg(feature = "tuning")]
    pub fn change_params(&mut self, change: impl FnOnce(&mut qirkat_search::SearchParams)) {
        self.stop();
        change(self.searcher.lock().params_mut());
    }

    fn change_table(
        &self,
        change: impl FnOnce(&mut AnySearcher) -> Result<(), TableMemoryError>,
    ) -> Result<(), HashError> {
        let mut searcher = self.searcher.lock();
        change(&mut searcher).map_err(|reason| {
            log::warn!("{reason}");
            HashError { reason, megabytes: searcher.hash_megabytes() }
        })
    }

    /// Stops the running task and starts a background search, restricted to `search_moves` unless
    /// these are empty. The engine adds its handicap to the limits. A move from the opening book
    /// needs no search, and has no handicap.
    pub fn go(
        &mut self,
        game: &AnyGame,
        search_moves: Vec<AnyMove>,
        mut limits: SearchLimits,
        mut report: impl FnMut(SearchReport<'_>) + Send + 'static,
    ) -> Result<(), ResourceError> {
        self.stop();
        limits.handicap = self.settings.handicap();
        let control = SearchControl::new(limits.infinite, limits.ponder);
        let control = Arc::new(control.with_nodes_as_time(self.settings.nodestime));
        let searcher = Arc::clone(&self.searcher);
        let game = game.clone();
        let known = if search_moves.is_empty() { self.book_line(&game, &limits) } else { None };
        self.start(Arc::clone(&control), move || {
            let result = if let Some(line) = known {
                report(SearchReport::Book(&line));
                SearchResult::of_line(&line)
            } else {
                let mut show = |line: &SearchLine| report(SearchReport::Line(line));
                searcher.lock().search_under(&control, &game, &search_moves, &limits, &mut show)
            };
            if control.holds_answer_back() {
                log::debug!("the answer waits for a stop or a ponder hit");
            }
            control.wait_until_answer_is_due();
            report(SearchReport::Finished(&result));
        })
    }

    /// Stops the running task and runs another, which must check the control's stop flag.
    pub fn run(
        &mut self,
        task: impl FnOnce(&SearchControl) + Send + 'static,
    ) -> Result<(), ResourceError> {
        self.stop();
        let control = Arc::new(SearchControl::default());
        self.start(Arc::clone(&control), move || task(&control))
    }

    fn start(
        &mut self,
        control: Arc<SearchControl>,
        task: impl FnOnce() + Send + 'static,
    ) -> Result<(), ResourceError> {
        let thread = std::thread::Builder::new()
            .name("engine".to_owned())
            .stack_size(SEARCH_STACK_BYTES)
            .spawn(task)
            .map_err(|error| ThreadsError { threads: 1, reason: error.to_string() })?;
        self.running = Some(Running { control, thread });
        Ok(())
    }

    /// Stops the running task, if any, and waits until it has ended.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            log::debug!("stopping the running task");
            running.control.stop();
        }
        self.wait();
    }

    /// Waits until the running task ends by itself.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take()
            && running.thread.join().is_err()
        {
            log::error!("the running task has panicked");
        }
    }

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
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Subtrees up to this depth are counted without checking the stop flag.
const UNINTERRUPTED_DEPTH: u32 = 4;
/// Plies below the root moves that are shared among threads. Deeper subtrees are walked by one
/// thread: a waiting thread runs other tasks on top of its stack, where they would pile up.
const SHARED_PLIES: u32 = 3;

/// The perft of each legal move, on the threads of the current rayon pool. `on_count` is called
/// with the count of each finished subtree. Returns none if `stop` is set before the end.
pub fn perft_divide(
    position: &AnyPosition,
    depth: u32,
    stop: &AtomicBool,
    on_count: &(dyn Fn(u64) + Sync),
) -> Option<Vec<(AnyMove, u64)>> {
    let child_depth = depth.saturating_sub(1);
    match_game!(AnyPosition, position, position => {
        let moves = position.legal_moves();
        let counts = parallel::map(moves.len(), &|number| {
            watched_perft(&position.after(moves[number]), child_depth, SHARED_PLIES, stop, on_count)
        });
        let of_moves = moves.into_iter().map(AnyMove::from).zip(counts);
        of_moves.map(|(mv, count)| Some((mv, count?))).collect()
    })
}

fn watched_perft<P: Rules>(
    position: &P,
    depth: u32,
    shared_plies: u32,
    stop: &AtomicBool,
    on_count: &(dyn Fn(u64) + Sync),
) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= UNINTERRUPTED_DEPTH {
        let count = perft(position, depth);
        on_count(count);
        return Some(count);
    }
    let shared_below = shared_plies.saturating_sub(1);
    let moves = position.legal_moves();
    let count_child = |number: usize| {
        watched_perft(&position.after(moves[number]), depth - 1, shared_below, stop, on_count)
    };
    if shared_plies > 0 {
        parallel::map(moves.len(), &count_child).into_iter().sum()
    } else {
        (0..moves.len()).map(count_child).sum()
    }
}
