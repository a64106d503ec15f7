//! Everything a search needs, in one piece.

use std::sync::Arc;

use thiserror::Error;

use super::compiled_search::CompiledSearch;
use super::control::SearchControl;
#[cfg(feature = "tuning")]
use super::params::SearchParams;
use super::search_limits::SearchLimits;
use super::search_report::{Reporter, SearchLine, SearchResult};
use super::search_task::SearchTask;
use super::threads::SearchThreads;
use super::transposition_table::{TableMemoryError, TranspositionTable};
use qirkat_game::{Evaluate, GameState, KnownResult, Tablebase};
use qirkat_system::machine::ThreadsError;

/// The machine does not give what a search needs.
#[derive(Debug, Error)]
pub enum ResourceError {
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// There is no memory for a table.
    #[error(transparent)]
    Table(#[from] TableMemoryError),
}

/// The size of a transposition table when nobody says another.
pub const DEFAULT_HASH_MEGABYTES: usize = 16;

/// Searches the positions of a game: threads, transposition table, histories
/// and evaluation. What it has learned helps with the next search, until it is
/// cleared.
///
/// It is generic over the evaluation and thereby over the game.
/// [`qirkat_search::Searcher`](crate::Searcher) is the one for Chesquerque:
///
/// ```
/// use qirkat::{Game, Limits, Searcher};
///
/// let mut searcher = Searcher::new()?;
/// let result = searcher.search(&Game::default(), &Limits::depth(4));
/// assert!(result.best.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher<E: Evaluate> {
    evaluation: E,
    threads: SearchThreads<E::Game>,
    table: TranspositionTable,
    megabytes: usize,
    tables: Option<Arc<dyn Tablebase<E::Game>>>,
    #[cfg(feature = "tuning")]
    params: SearchParams,
}

impl<E: CompiledSearch + Default> Searcher<E> {
    /// A searcher with the game's usual evaluation, one thread and a table of
    /// 16 MB.
    ///
    /// # Errors
    /// When the machine has no memory for it.
    pub fn new() -> Result<Searcher<E>, ResourceError> {
        Searcher::with_evaluation(E::default())
    }
}

impl<E: CompiledSearch> Searcher<E> {
    /// The same with another evaluation.
    ///
    /// ```
    /// use qirkat::{Evaluation, Searcher};
    ///
    /// let searcher = Searcher::with_evaluation(Evaluation::HandMade)?;
    /// assert!(searcher.evaluation().network().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the machine has no memory for it.
    pub fn with_evaluation(evaluation: E) -> Result<Searcher<E>, ResourceError> {
        Searcher::with_resources(evaluation, 1, DEFAULT_HASH_MEGABYTES)
    }

    /// A searcher with this many threads and megabytes for its table. Without the
    /// feature `threads` it has one, the one that calls it. The system finds the memory of
    /// table and histories as they are used, since they are often replaced before the first
    /// search. That of the table is there after [`Searcher::set_hash`], that of the
    /// histories after [`Searcher::set_threads`], both after [`Searcher::clear`].
    ///
    /// ```
    /// use qirkat::{Evaluation, Searcher};
    ///
    /// let searcher = Searcher::with_resources(Evaluation::default(), 2, 4)?;
    /// assert_eq!(searcher.hash(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the machine does not give them.
    pub fn with_resources(
        evaluation: E,
        threads: usize,
        megabytes: usize,
    ) -> Result<Searcher<E>, ResourceError> {
        Ok(Searcher {
            evaluation,
            threads: SearchThreads::new(threads)?,
            table: TranspositionTable::new(megabytes)?,
            megabytes,
            tables: None,
            #[cfg(feature = "tuning")]
            params: SearchParams::DEFAULT,
        })
    }

    /// Searches the current position of a game until a limit is reached, on a stack
    /// that should have [`SEARCH_STACK_BYTES`](super::SEARCH_STACK_BYTES). Limits of
    /// time take the feature `clock`, or a control with a clock
    /// ([`SearchControl::with_clock`]).
    ///
    /// ```
    /// use qirkat::{Game, Limits, Position, Searcher};
    ///
    /// let position: Position = "k8/9/K8/9/9/9/9/8R/9 w - - 0 1".parse()?;
    /// let game = Game::from_position(position);
    /// let result = Searcher::new()?.search(&game, &Limits::depth(4));
    /// assert_eq!(result.score.to_string(), "mate 1");
    /// assert_eq!(result.best, Some("i2i9".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search(
        &mut self,
        game: &GameState<E::Game>,
        limits: &SearchLimits<E::Game>,
    ) -> SearchResult<E::Game> {
        self.search_reporting(game, limits, &mut |_: &SearchLine<E::Game>| {})
    }

    /// The same, and reports each line as soon as it is found.
    ///
    /// ```
    /// use qirkat::{Game, Limits, SearchLine, Searcher};
    ///
    /// let game = Game::default();
    /// let mut last = None;
    /// let result = Searcher::new()?.search_reporting(
    ///     &game,
    ///     &Limits::nodes(3000),
    ///     &mut |line: &SearchLine| {
    ///         let moves = game.position().san_line(&line.moves).join(" ");
    ///         println!("depth {:2}  {:>8}  {moves}", line.depth, line.score);
    ///         last = line.moves.first().copied();
    ///     },
    /// );
    /// assert_eq!(result.best, last);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search_reporting(
        &mut self,
        game: &GameState<E::Game>,
        limits: &SearchLimits<E::Game>,
        reporter: &mut dyn Reporter<E::Game>,
    ) -> SearchResult<E::Game> {
        let control = SearchControl::new(limits.infinite, limits.ponder);
        self.search_under(&control, game, limits, reporter)
    }

    /// The same under a control by which another thread can stop the search.
    ///
    /// ```
    /// use qirkat::search::SearchControl;
    /// use qirkat::{Game, Limits, SearchLine, Searcher};
    ///
    /// let (mut searcher, game) = (Searcher::new()?, Game::default());
    /// let control = SearchControl::default();
    /// let result = std::thread::scope(|scope| {
    ///     scope.spawn(|| control.stop());
    ///     searcher.search_under(&control, &game, &Limits::default(), &mut |_: &SearchLine| {})
    /// });
    /// assert!(game.position().is_legal(result.best.ok_or("no move")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search_under(
        &mut self,
        control: &SearchControl,
        game: &GameState<E::Game>,
        limits: &SearchLimits<E::Game>,
        reporter: &mut dyn Reporter<E::Game>,
    ) -> SearchResult<E::Game> {
        let task = SearchTask::new(game, limits, control, &self.table, &self.evaluation);
        #[cfg(feature = "tuning")]
        let task = SearchTask { params: &self.params, ..task };
        // A mate is to be proved by moves, and a weaker player knows no tables.
        let is_whole = limits.mate.is_none() && limits.handicap.is_none();
        let tables = self.tables.as_deref().filter(|_| is_whole);
        let task = SearchTask { tables, ..task };
        let result = E::search(&self.threads, task, reporter);
        self.table.age();
        result
    }

    /// Asks these endgame tables from now on, or none.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use qirkat::tablebase::Tables;
    /// use qirkat::{Game, Limits, Searcher};
    ///
    /// let mut searcher = Searcher::new()?;
    /// searcher.set_tables(Some(Arc::new(Tables::with_embedded())));
    /// let game = Game::from_position("9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1".parse()?);
    /// let result = searcher.search(&game, &Limits::depth(1));
    /// assert!(result.score.is_win());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_tables(&mut self, tables: Option<Arc<dyn Tablebase<E::Game>>>) {
        self.tables = tables;
    }

    /// What its endgame tables know of a position.
    pub fn known(&self, position: &E::Game) -> Option<KnownResult> {
        self.tables.as_ref().filter(|tables| tables.may_know(position))?.known(position)
    }

    /// The static evaluation.
    pub fn evaluation(&self) -> &E {
        &self.evaluation
    }

    /// Evaluates by something else from now on. What the table knows comes
    /// from the evaluation that goes, so everything is cleared.
    ///
    /// # Errors
    /// See [`Searcher::clear`].
    pub fn set_evaluation(&mut self, evaluation: E) -> Result<(), TableMemoryError> {
        self.evaluation = evaluation;
        self.clear()
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Searches on this many threads from now on, with empty histories.
    ///
    /// # Errors
    /// When the system refuses them; the old ones stay then.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        self.threads = SearchThreads::new(threads)?;
        self.threads.clear();
        Ok(())
    }

    /// The size of the table in megabytes.
    pub fn hash(&self) -> usize {
        self.megabytes
    }

    /// Takes an empty table of this many megabytes. Two tables are never held
    /// at once: the old one goes first.
    ///
    /// # Errors
    /// When the memory cannot be had. The table is empty then and has its old
    /// size, or the smallest if even that cannot be had any more.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), TableMemoryError> {
        self.table = TranspositionTable::smallest();
        let at_hand = |megabytes| TranspositionTable::new(megabytes).inspect(|it| it.touch());
        match at_hand(megabytes) {
            Ok(table) => {
                self.table = table;
                self.megabytes = megabytes;
                Ok(())
            }
            Err(error) => {
                if let Ok(table) = at_hand(self.megabytes) {
                    self.table = table;
                }
                Err(error)
            }
        }
    }

    /// Clears all that was learned in earlier searches: table and histories.
    ///
    /// # Errors
    /// When the memory for a clean table cannot be had; see
    /// [`Searcher::set_hash`].
    pub fn clear(&mut self) -> Result<(), TableMemoryError> {
        self.threads.clear();
        self.set_hash(self.megabytes)
    }

    /// The parameters of the search, to be changed.
    #[cfg(feature = "tuning")]
    pub fn params_mut(&mut self) -> &mut SearchParams {
        &mut self.params
    }
}
