//! The entry point of the search, which owns its resources.

use std::sync::{Arc, Mutex, PoisonError};

use super::control::SearchControl;
use super::deepening::ThreadResult;
use super::history::Histories;
#[cfg(feature = "tuning")]
use super::params::SearchParams;
use super::search_limits::{SearchLimits, TimeBudget};
use super::search_report::{Reporter, SearchLine, SearchResult};
use super::search_threads::{for_each, run_together, usable_threads};
use super::tablebase::{RootProbe, probe_root};
use super::transposition_table::TranspositionTable;
use super::worker::{MoveOf, SearchTask, Worker};
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, GameState, KnownResult, Rules, Searchable, Tablebase};
use qirkat_system::machine::{ResourceError, TableMemoryError, ThreadsError, cores};

pub const DEFAULT_HASH_MEGABYTES: usize = 16;

/// Searches positions of a game. Owns the threads ("Lazy SMP"), transposition table, histories and
/// evaluation. Later searches reuse table and histories until they are cleared.
///
/// It is generic over the evaluation, and thereby over the game. For Chesquerque:
///
/// ```
/// use qirkat_evaluation::Evaluation;
/// use qirkat_rules::chesquerque::Game;
/// use qirkat_search::{SearchLimits as Limits, Searcher};
///
/// let mut searcher = Searcher::<Evaluation>::new()?;
/// let result = searcher.search(&Game::default(), &Limits::depth(4));
/// assert!(result.best.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher<E: Evaluate> {
    evaluation: E,
    tt: TranspositionTable,
    megabytes: usize,
    /// The histories of each thread, kept between searches; the threads themselves start with each
    /// search. One per core is allocated at once, others on their first search, since hundreds take
    /// gigabytes and seconds. Memory is committed after [`Searcher::clear`], or on first use.
    histories: Vec<Mutex<Option<Histories>>>,
    tablebase: Option<Arc<dyn Tablebase<E::Game>>>,
    #[cfg(feature = "tuning")]
    params: SearchParams,
}

impl<E: Evaluate + Default> Searcher<E> {
    /// A searcher with the game's default evaluation, one thread and a table of 16 MB.
    ///
    /// # Errors
    /// When there is too little memory.
    pub fn new() -> Result<Searcher<E>, ResourceError> {
        Searcher::with_evaluation(E::default())
    }
}

/// Checks that the system allows this many threads, and prepares their histories.
fn histories<G: Searchable>(threads: usize) -> Result<Vec<Mutex<Option<Histories>>>, ThreadsError> {
    let (threads, cores) = (usable_threads(threads.max(1))?, cores());
    let of_thread = |index| Mutex::new((index < cores).then(Histories::new::<G>));
    Ok((0..threads).map(of_thread).collect())
}

impl<E: Evaluate> Searcher<E> {
    /// A searcher with the given evaluation.
    ///
    /// # Errors
    /// When there is too little memory.
    pub fn with_evaluation(evaluation: E) -> Result<Searcher<E>, ResourceError> {
        Searcher::with_resources(evaluation, 1, DEFAULT_HASH_MEGABYTES)
    }

    /// A searcher with this many threads and a table of this many megabytes. Without the feature
    /// `threads` it uses only the calling thread. Memory is committed on first use, since table and
    /// histories are often replaced before the first search. [`Searcher::set_hash`] commits a
    /// table of at most 256 MB, [`Searcher::set_threads`] the histories, [`Searcher::clear`] both.
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
    /// When the system refuses them.
    pub fn with_resources(
        evaluation: E,
        threads: usize,
        megabytes: usize,
    ) -> Result<Searcher<E>, ResourceError> {
        Ok(Searcher {
            evaluation,
            histories: histories::<E::Game>(threads)?,
            tt: TranspositionTable::new(megabytes)?,
            megabytes,
            tablebase: None,
            #[cfg(feature = "tuning")]
            params: SearchParams::DEFAULT,
        })
    }

    /// Searches the current position of a game until a limit is reached. The caller's stack should
    /// have [`SEARCH_STACK_BYTES`](super::SEARCH_STACK_BYTES). Time limits need the feature
    /// `clock`, or a control with a clock ([`SearchControl::with_clock`]).
    ///
    /// ```
    /// use qirkat_evaluation::Evaluation;
    /// use qirkat_rules::chesquerque::{Game, Position};
    /// use qirkat_search::{SearchLimits as Limits, Searcher};
    ///
    /// let position: Position = "k8/9/K8/9/9/9/9/8R/9 w - - 0 1".parse()?;
    /// let game = Game::from_position(position);
    /// let result = Searcher::<Evaluation>::new()?.search(&game, &Limits::depth(4));
    /// assert_eq!(result.score.to_string(), "mate 1");
    /// assert_eq!(result.best, Some("i2i9".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search(
        &mut self,
        game: &GameState<E::Game>,
        limits: &SearchLimits,
    ) -> SearchResult<E::Game> {
        self.search_reporting(game, limits, &mut |_| {})
    }

    /// Searches like [`Searcher::search`], and reports each line as soon as it is found.
    ///
    /// ```
    /// use qirkat_evaluation::Evaluation;
    /// use qirkat_rules::chesquerque::Game;
    /// use qirkat_search::{SearchLimits as Limits, Searcher};
    ///
    /// let game = Game::default();
    /// let mut last = None;
    /// let result = Searcher::<Evaluation>::new()?.search_reporting(
    ///     &game,
    ///     &Limits::nodes(3000),
    ///     &mut |line| {
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
        limits: &SearchLimits,
        reporter: &mut Reporter<'_, E::Game>,
    ) -> SearchResult<E::Game> {
        let control = SearchControl::new(limits.infinite, limits.ponder);
        self.search_under(&control, game, &[], limits, reporter)
    }

    /// Searches under a control, through which another thread can stop it. Considers only
    /// `search_moves` unless that is empty. The first thread reports and ends the search; all
    /// threads vote on the move.
    ///
    /// ```
    /// use qirkat_evaluation::Evaluation;
    /// use qirkat_game::Rules;
    /// use qirkat_rules::chesquerque::Game;
    /// use qirkat_search::{SearchControl, SearchLimits as Limits, Searcher};
    ///
    /// let (mut searcher, game) = (Searcher::<Evaluation>::new()?, Game::default());
    /// let control = SearchControl::default();
    /// let result = std::thread::scope(|scope| {
    ///     scope.spawn(|| control.stop());
    ///     searcher.search_under(&control, &game, &[], &Limits::default(), &mut |_| {})
    /// });
    /// assert!(game.position().is_legal(result.best.ok_or("no move")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    // Never inlined, so that the instances in the evaluation's `COMPILED_SEARCHES` are reused.
    #[inline(never)]
    pub fn search_under(
        &mut self,
        control: &SearchControl,
        game: &GameState<E::Game>,
        search_moves: &[MoveOf<E>],
        limits: &SearchLimits,
        reporter: &mut Reporter<'_, E::Game>,
    ) -> SearchResult<E::Game> {
        // A mate search must prove its mate by moves, and a weaker player uses no tablebase.
        let may_probe = limits.mate.is_none() && limits.handicap.is_none();
        let task = SearchTask {
            game,
            search_moves,
            limits,
            control,
            tt: &self.tt,
            evaluation: &self.evaluation,
            tablebase: self.tablebase.as_deref().filter(|_| may_probe),
            #[cfg(feature = "tuning")]
            params: &self.params,
        };
        let known_moves;
        let task = match probe_root(&task, reporter) {
            RootProbe::Decided(result) => {
                self.tt.age();
                return result;
            }
            RootProbe::Among(moves) => {
                known_moves = moves;
                SearchTask { search_moves: &known_moves, ..task }
            }
            RootProbe::Best(best) => {
                return self.search_below(&best, control, game, search_moves, limits, reporter);
            }
            RootProbe::Unknown => task,
        };
        let started = control.elapsed();
        let threads = self.threads();
        log::debug!("search of {} by {threads} threads, {limits:?}", game.position());
        if !control.has_clock() && limits.time != TimeBudget::default() {
            log::warn!("there is no clock: a search that is bounded by time ends at once");
        }
        control.begin_search();
        let search_as = |index: usize, reporter: Option<&mut Reporter<'_, E::Game>>| {
            let mut histories =
                self.histories[index].lock().unwrap_or_else(PoisonError::into_inner);
            let histories = histories.get_or_insert_with(Histories::new::<E::Game>);
            Worker::new(&task, histories, index, threads > cores()).deepen(reporter)
        };
        let is_over = || control.search_is_over();
        let thread_results = run_together(threads, &mut *reporter, &search_as, &is_over);
        let result = decide(&task, thread_results, reporter);
        log::debug!(
            "search ended{}: depth {}, {}, {} nodes, {:.3} s, best {}",
            if control.stopped() { " by a stop" } else { "" },
            result.depth.0,
            result.score,
            result.nodes,
            (control.elapsed() - started).as_secs_f64(),
            result.best.map_or_else(|| "none".to_owned(), |mv| mv.to_string())
        );
        self.tt.age();
        result
    }

    /// Searches the other MultiPV lines after a known best one, reported first at each depth.
    fn search_below(
        &mut self,
        best: &SearchLine<E::Game>,
        control: &SearchControl,
        game: &GameState<E::Game>,
        search_moves: &[MoveOf<E>],
        limits: &SearchLimits,
        reporter: &mut Reporter<'_, E::Game>,
    ) -> SearchResult<E::Game> {
        let mut others = search_moves.to_vec();
        if others.is_empty() {
            others = game.position().legal_moves();
        }
        others.retain(|mv| best.moves.first() != Some(mv));
        let limits = limits.clone().with_multi_pv(limits.multi_pv.get() - 1);
        let result = self.search_under(control, game, &others, &limits, &mut |line| {
            if line.rank == 1 {
                let SearchLine { depth, nodes, time, .. } = *line;
                reporter(&SearchLine { depth, nodes, time, ..best.clone() });
            }
            reporter(&SearchLine { rank: line.rank + 1, ..line.clone() });
        });
        let SearchResult { nodes, depth, .. } = result;
        SearchResult { nodes, depth, ..SearchResult::of_line(best) }
    }

    /// Sets the endgame tablebase to probe, or none.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use qirkat::tablebase::Tables;
    /// use qirkat::{Game, Limits, Searcher};
    ///
    /// let mut searcher = Searcher::new()?;
    /// searcher.set_tablebase(Some(Arc::new(Tables::with_embedded())));
    /// let game = Game::from_position("9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1".parse()?);
    /// let result = searcher.search(&game, &Limits::depth(1));
    /// assert!(result.score.is_win());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Tablebase<E::Game>>>) {
        self.tablebase = tablebase;
    }

    /// The tablebase's result of a position; none if it does not cover it.
    pub fn known(&self, position: &E::Game) -> Option<KnownResult> {
        let tablebase = self.tablebase.as_ref().filter(|it| it.may_know(position, Depth::MAX))?;
        tablebase.known(position)
    }

    pub fn evaluation(&self) -> &E {
        &self.evaluation
    }

    pub fn threads(&self) -> usize {
        self.histories.len()
    }

    /// Sets the number of search threads, with empty histories.
    ///
    /// # Errors
    /// When the system refuses them; the old ones are then kept.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        self.histories = histories::<E::Game>(threads)?;
        self.clear_histories();
        Ok(())
    }

    /// The size of the transposition table, in megabytes.
    pub fn hash(&self) -> usize {
        self.megabytes
    }

    /// Replaces the transposition table by an empty one of this many megabytes. The old one is
    /// freed first, so that two never exist at once.
    ///
    /// # Errors
    /// When there is too little memory. The table is then empty and has its old size, or the
    /// smallest if even that is not available any more.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), TableMemoryError> {
        self.tt = TranspositionTable::smallest();
        let new_table = |megabytes| {
            let mut table = TranspositionTable::new(megabytes)?;
            table.clear();
            Ok(table)
        };
        match new_table(megabytes) {
            Ok(table) => {
                self.tt = table;
                self.megabytes = megabytes;
                Ok(())
            }
            Err(error) => {
                if let Ok(table) = new_table(self.megabytes) {
                    self.tt = table;
                }
                Err(error)
            }
        }
    }

    /// Clears the transposition table and histories.
    ///
    /// # Errors
    /// When there is no memory for an empty table; see [`Searcher::set_hash`].
    pub fn clear(&mut self) -> Result<(), TableMemoryError> {
        self.clear_histories();
        if self.tt.clear() { Ok(()) } else { self.set_hash(self.megabytes) }
    }

    /// Clears the allocated histories, which commits their memory before the next search.
    fn clear_histories(&self) {
        for_each(&self.histories, &|histories| {
            let mut histories = histories.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(histories) = histories.as_mut() {
                histories.clear();
            }
        });
    }

    #[cfg(feature = "tuning")]
    pub fn params_mut(&mut self) -> &mut SearchParams {
        &mut self.params
    }
}

/// Centipawns added to each thread's lead over the worst score, so that the worst votes too.
const VOTE_OFFSET: i64 = 14;

/// Combines the results of all threads, in thread order, into that of the search. Reports its line
/// if it differs from the last one reported.
pub(super) fn decide<E: Evaluate>(
    task: &SearchTask<'_, E>,
    mut thread_results: Vec<ThreadResult<E::Game>>,
    reporter: &mut Reporter<'_, E::Game>,
) -> SearchResult<E::Game> {
    let limits = task.limits;
    // MultiPV, mate searches and a weaker player's choice use only the first thread.
    let all_vote = limits.is_single_line() && limits.mate.is_none() && limits.handicap.is_none();
    let chosen = if all_vote { choose(&thread_results) } else { 0 };
    let reported = thread_results.first().and_then(|leader| Some(leader.line.as_ref()?.depth));
    let ThreadResult { mut result, line } = thread_results.swap_remove(chosen);
    let is_another = chosen != 0 || (limits.handicap.is_some() && limits.is_single_line());
    if is_another && let Some(mut line) = line {
        // Reported values never decrease.
        line.depth = line.depth.max(reported.unwrap_or_default());
        line.nodes = task.control.nodes();
        line.time = task.control.elapsed();
        reporter(&line);
    }
    result.nodes = task.control.nodes() - task.control.nodes_before_search();
    result
}

/// The index of the thread whose move is played. Threads without a complete iteration do not vote.
fn choose<G: Searchable>(thread_results: &[ThreadResult<G>]) -> usize {
    let voters = || {
        thread_results.iter().enumerate().filter_map(|(index, thread_result)| {
            let best = thread_result.result.best?;
            (thread_result.result.depth.0 > 0).then_some((index, best, &thread_result.result))
        })
    };
    let worst = voters().map(|(.., result)| result.score).min().unwrap_or(Score::DRAW);
    let weight = |result: &SearchResult<G>| {
        (i64::from(result.score - worst) + VOTE_OFFSET) * i64::from(result.depth.0)
    };
    let votes = |mv: G::Move| -> i64 {
        voters().filter(|&(_, best, _)| best == mv).map(|(.., result)| weight(result)).sum()
    };
    // A mate wins without a vote, the shortest first. Among equals the first is taken, so that a
    // single thread decides for itself.
    voters()
        .max_by_key(|&(index, mv, result)| {
            let mate = if result.score.is_mate() { result.score.value() } else { 0 };
            (mate.max(0), votes(mv), weight(result), std::cmp::Reverse(index))
        })
        .map_or(0, |(index, ..)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::Rules;
    use qirkat_game::distance::{Depth, Ply};
    use qirkat_rules::chesquerque::{Move, Position};

    fn vote(mv: Move, score: Score, depth: i16) -> ThreadResult<Position> {
        let result =
            SearchResult { best: Some(mv), score, depth: Depth(depth), ..SearchResult::default() };
        ThreadResult { result, line: None }
    }

    #[test]
    fn threads_vote_for_the_best_move() {
        let moves = Position::start().legal_moves();
        let (a, b) = (moves[0], moves[1]);
        let cp = Score::centipawns;
        let mate = Score::mating_at(Ply(5));
        for (thread_results, chosen) in [
            (vec![vote(a, cp(10), 9)], 0),
            (vec![vote(a, cp(10), 9), vote(a, cp(10), 9)], 0),
            (vec![vote(a, cp(10), 9), vote(b, cp(60), 9)], 1),
            (vec![vote(a, cp(10), 9), vote(b, cp(10), 9), vote(b, cp(11), 9)], 2),
            (vec![vote(a, cp(900), 20), vote(b, mate, 9)], 1),
            (vec![vote(a, cp(10), 9), vote(b, cp(500), 0)], 0),
            (vec![], 0),
        ] {
            assert_eq!(choose(&thread_results), chosen);
        }
    }
}
