//! A search of any game.

use super::mate_search::{MateKnowledge, prove_mate};
use super::search_types::{SearchLimits, SearchLine, SearchResult};
use qirkat_evaluation::{AlquerqueEvaluation, AnyEvaluation, Evaluation, MasonicEvaluation};
use qirkat_game::KnownResult;
use qirkat_game::distance::Depth;
use qirkat_rules::variant::{AnyGame, AnyPosition, Member, Variant};
#[cfg(feature = "tuning")]
use qirkat_search::SearchParams;
use qirkat_search::{
    CompiledSearch, Reporter, ResourceError, SearchControl, Searcher, TableMemoryError,
};
use qirkat_system::machine::ThreadsError;
use qirkat_tablebase::AllTables;

/// A [`Searcher`] of one game or another. Each is compiled by itself; what goes
/// in and comes out is of any game.
pub enum AnySearcher {
    /// Of Chesquerque.
    Chesquerque(Searcher<Evaluation>),
    /// Of Masonic chess.
    Masonic(Searcher<MasonicEvaluation>),
    /// Of Alquerque.
    Alquerque(Searcher<AlquerqueEvaluation>),
}

/// The same for a searcher of each game.
macro_rules! of_each {
    ($any:expr, $searcher:ident => $value:expr) => {
        match $any {
            AnySearcher::Chesquerque($searcher) => $value,
            AnySearcher::Masonic($searcher) => $value,
            AnySearcher::Alquerque($searcher) => $value,
        }
    };
}

impl AnySearcher {
    /// A searcher with this many threads and megabytes for its table.
    ///
    /// # Errors
    /// When the machine does not give them.
    pub fn with_resources(
        evaluation: AnyEvaluation,
        threads: usize,
        megabytes: usize,
    ) -> Result<AnySearcher, ResourceError> {
        Ok(match evaluation {
            AnyEvaluation::Chesquerque(evaluation) => {
                AnySearcher::Chesquerque(Searcher::with_resources(evaluation, threads, megabytes)?)
            }
            AnyEvaluation::Masonic(evaluation) => {
                AnySearcher::Masonic(Searcher::with_resources(evaluation, threads, megabytes)?)
            }
            AnyEvaluation::Alquerque(evaluation) => {
                AnySearcher::Alquerque(Searcher::with_resources(evaluation, threads, megabytes)?)
            }
        })
    }

    /// The game.
    pub const fn variant(&self) -> Variant {
        match self {
            AnySearcher::Chesquerque(_) => Variant::Chesquerque,
            AnySearcher::Masonic(_) => Variant::Masonic,
            AnySearcher::Alquerque(_) => Variant::Alquerque,
        }
    }

    /// Searches where a game stands until a limit is reached. A game that is
    /// not this searcher's has no best move.
    pub fn search(&mut self, game: &AnyGame, limits: &SearchLimits) -> SearchResult {
        let control = SearchControl::new(limits.infinite, limits.ponder);
        self.search_under(&control, game, limits, &mut |_: &SearchLine| {})
    }

    /// The same under a control by which others can stop the search.
    pub fn search_under(
        &mut self,
        control: &SearchControl,
        game: &AnyGame,
        limits: &SearchLimits,
        reporter: &mut dyn Reporter<AnyPosition>,
    ) -> SearchResult {
        of_each!(self, searcher => search_own(searcher, control, game, limits, reporter))
    }

    /// Asks its game's endgame tables among these from now on, or none.
    pub fn set_tables(&mut self, tables: Option<AllTables>) {
        match self {
            AnySearcher::Chesquerque(searcher) => {
                searcher.set_tables(tables.map(|tables| tables.chesquerque as _));
            }
            AnySearcher::Masonic(searcher) => {
                searcher.set_tables(tables.map(|tables| tables.masonic as _));
            }
            // Alquerque has none.
            AnySearcher::Alquerque(_) => (),
        }
    }

    /// What its endgame tables know of a position.
    pub fn known(&self, position: &AnyPosition) -> Option<KnownResult> {
        of_each!(self, searcher => searcher.known(Member::own_position(position)?))
    }

    /// Searches on this many threads from now on, with empty histories.
    ///
    /// # Errors
    /// When the system refuses them; the old ones stay then.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        of_each!(self, searcher => searcher.set_threads(threads))
    }

    /// The size of the table in megabytes.
    pub fn hash(&self) -> usize {
        of_each!(self, searcher => searcher.hash())
    }

    /// Takes an empty table of this many megabytes.
    ///
    /// # Errors
    /// When there is no memory for it; see [`Searcher::set_hash`].
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), TableMemoryError> {
        of_each!(self, searcher => searcher.set_hash(megabytes))
    }

    /// Clears all that was learned in earlier searches.
    ///
    /// # Errors
    /// When there is no memory for a clean table; see
    /// [`Searcher::set_hash`].
    pub fn clear(&mut self) -> Result<(), TableMemoryError> {
        of_each!(self, searcher => searcher.clear())
    }

    /// The parameters of the search, to be changed.
    #[cfg(feature = "tuning")]
    pub fn params_mut(&mut self) -> &mut SearchParams {
        of_each!(self, searcher => searcher.params_mut())
    }
}

/// Searches by a game's own searcher.
fn search_own<E: CompiledSearch<Game: Member>>(
    searcher: &mut Searcher<E>,
    control: &SearchControl,
    game: &AnyGame,
    limits: &SearchLimits,
    reporter: &mut dyn Reporter<AnyPosition>,
) -> SearchResult {
    let Some(game) = E::Game::own_state(game) else { return SearchResult::default() };
    let limits = match prove_mate(control, &game, limits, searcher.hash(), reporter) {
        MateKnowledge::Answer(result) => return result,
        MateKnowledge::NoMate => own_limits::<E::Game>(&without_mate(limits)),
        MateKnowledge::Nothing => own_limits::<E::Game>(limits),
    };
    let mut report =
        |line: &qirkat_search::SearchLine<E::Game>| reporter.line(&line.converted(Into::into));
    let result = searcher.search_under(control, &game, &limits, &mut report);
    SearchResult {
        best: result.best.map(Into::into),
        ponder: result.ponder.map(Into::into),
        score: result.score,
        nodes: result.nodes,
        depth: result.depth,
    }
}

/// The limits of an ordinary search as deep as the mate that is not there.
fn without_mate(limits: &SearchLimits) -> SearchLimits {
    let depth = limits.mate.map(|moves| Depth::saturating(2 * i64::from(moves)));
    SearchLimits { mate: None, depth, ..limits.clone() }
}

fn own_limits<G: Member>(limits: &SearchLimits) -> qirkat_search::SearchLimits<G> {
    qirkat_search::SearchLimits {
        depth: limits.depth,
        nodes: limits.nodes,
        soft_nodes: limits.soft_nodes,
        mate: limits.mate,
        time: limits.time,
        search_moves: limits.search_moves.iter().filter_map(|&mv| G::own_move(mv)).collect(),
        multi_pv: limits.multi_pv,
        handicap: limits.handicap,
        hurry_single_reply: limits.hurry_single_reply,
        infinite: limits.infinite,
        ponder: limits.ponder,
    }
}
