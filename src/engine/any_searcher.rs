//! A search of any game.

use derive_more::From;

use super::{SearchLimits, SearchLine, SearchResult};
use qirkat_evaluation::{AlquerqueEvaluation, AnyEvaluation, Evaluation, MasonicEvaluation};
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_game::{GameState, KnownResult, Rules};
use qirkat_problem::{MAX_MOVES, MateProof, ProofControl, ProofTable, shortest_mate};
use qirkat_rules::match_game;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant, VariantGame};
#[cfg(feature = "tuning")]
use qirkat_search::SearchParams;
use qirkat_search::{Reporter, ResourceError, SearchControl, Searcher, TableMemoryError};
use qirkat_system::machine::ThreadsError;
use qirkat_tablebase::AllTables;

/// A [`Searcher`] of any game. The search is compiled for each game; inputs and results are converted.
#[derive(From)]
pub enum AnySearcher {
    Chesquerque(Searcher<Evaluation>),
    Masonic(Searcher<MasonicEvaluation>),
    Alquerque(Searcher<AlquerqueEvaluation>),
}

impl AnySearcher {
    /// A searcher with this many threads and megabytes of hash table.
    pub fn with_resources(
        evaluation: AnyEvaluation,
        threads: usize,
        megabytes: usize,
    ) -> Result<AnySearcher, ResourceError> {
        Ok(match_game!(AnyEvaluation, evaluation, evaluation => {
            Searcher::with_resources(evaluation, threads, megabytes)?.into()
        }))
    }

    /// The searcher in a slot, with these endgame tables. If it is of another variant or has another
    /// hash size, it is replaced by a new one with a single thread.
    pub fn in_slot(
        slot: &mut Option<AnySearcher>,
        (variant, megabytes): (Variant, usize),
        tables: AllTables,
        evaluation: impl FnOnce() -> Result<AnyEvaluation, String>,
    ) -> Result<&mut AnySearcher, String> {
        let fits = |it: &AnySearcher| it.variant() == variant && it.hash_megabytes() == megabytes;
        let mut searcher = match slot.take().filter(fits) {
            Some(searcher) => searcher,
            None => AnySearcher::with_resources(evaluation()?, 1, megabytes)
                .map_err(|error| error.to_string())?,
        };
        searcher.set_tablebases(Some(tables));
        Ok(slot.insert(searcher))
    }

    pub const fn variant(&self) -> Variant {
        match_game!(AnySearcher, self)
    }

    /// Searches a position until a limit is reached. Returns no move for another game's position.
    pub fn search(&mut self, game: &AnyGame, limits: &SearchLimits) -> SearchResult {
        let control = SearchControl::new(limits.infinite, limits.ponder);
        self.search_under(&control, game, &[], limits, &mut |_| {})
    }

    /// Like `search`, but under a control, and restricted to `search_moves` unless these are empty.
    pub fn search_under(
        &mut self,
        control: &SearchControl,
        game: &AnyGame,
        search_moves: &[AnyMove],
        limits: &SearchLimits,
        reporter: &mut Reporter<'_, AnyPosition>,
    ) -> SearchResult {
        if game.position().variant() != self.variant() {
            return SearchResult::default();
        }
        let mut limits = limits.clone();
        if search_moves.is_empty()
            && let Some(line) = prove_mate(control, game, &mut limits, self.hash_megabytes())
        {
            reporter(&line);
            return SearchResult::of_line(&line);
        }
        match_game!(AnySearcher, self, searcher => {
            let Some((game, moves)) = own_root(game, search_moves) else {
                return SearchResult::default();
            };
            let mut report = |line: &qirkat_search::SearchLine<_>| reporter(&line.converted(Into::into));
            let result = searcher.search_under(control, &game, &moves, &limits, &mut report);
            result.converted(Into::into)
        })
    }

    /// Like `search_under`, for all moves except these; another must exist.
    pub fn search_except(
        &mut self,
        control: &SearchControl,
        game: &AnyGame,
        excluded: &[AnyMove],
        limits: &SearchLimits,
        reporter: &mut Reporter<'_, AnyPosition>,
    ) -> SearchResult {
        let mut wanted = Vec::new();
        if !excluded.is_empty() {
            wanted = game.position().legal_moves();
            wanted.retain(|mv| !excluded.contains(mv));
        }
        self.search_under(control, game, &wanted, limits, reporter)
    }

    pub fn set_tablebases(&mut self, tablebases: Option<AllTables>) {
        match self {
            AnySearcher::Chesquerque(searcher) => {
                searcher.set_tablebase(tablebases.map(|all| all.chesquerque as _));
            }
            AnySearcher::Masonic(searcher) => {
                searcher.set_tablebase(tablebases.map(|all| all.masonic as _));
            }
            AnySearcher::Alquerque(searcher) => {
                searcher.set_tablebase(tablebases.map(|all| all.alquerque as _));
            }
        }
    }

    pub fn known(&self, position: &AnyPosition) -> Option<KnownResult> {
        match_game!(AnySearcher, self, searcher => searcher.known(VariantGame::own_position(position)?))
    }

    /// Sets the number of threads and clears the histories.
    ///
    /// # Errors
    /// If the system refuses them; the old ones are kept.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        match_game!(AnySearcher, self, searcher => searcher.set_threads(threads))
    }

    pub fn hash_megabytes(&self) -> usize {
        match_game!(AnySearcher, self, searcher => searcher.hash())
    }

    /// Replaces the hash table by an empty one: see [`Searcher::set_hash`].
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), TableMemoryError> {
        match_game!(AnySearcher, self, searcher => searcher.set_hash(megabytes))
    }

    /// Clears the table and the histories: see [`Searcher::clear`].
    pub fn clear(&mut self) -> Result<(), TableMemoryError> {
        match_game!(AnySearcher, self, searcher => searcher.clear())
    }

    #[cfg(feature = "tuning")]
    pub fn params_mut(&mut self) -> &mut SearchParams {
        match_game!(AnySearcher, self, searcher => searcher.params_mut())
    }
}

/// Converts a game and moves to the types of one game; none if it is another game.
fn own_root<G: VariantGame>(
    game: &AnyGame,
    moves: &[AnyMove],
) -> Option<(GameState<G>, Vec<G::Move>)> {
    let own_moves = moves.iter().filter_map(|&mv| G::own_move(mv)).collect();
    Some((G::own_state(game)?, own_moves))
}

/// A proof may take this fraction of the time: a move is needed in any case.
const SHARE_OF_TIME: f64 = 0.75;
const MAX_PROOF_MEGABYTES: usize = 64;

/// Proves the mate that the limits ask for, and returns its line. Not tried with limits other than
/// time, or if the game's history could make it a draw. If there is no mate, the limits become
/// those of a search to the depth of the mate.
fn prove_mate(
    control: &SearchControl,
    game: &AnyGame,
    limits: &mut SearchLimits,
    megabytes: usize,
) -> Option<SearchLine> {
    let position = game.position();
    let moves = limits.mate?;
    let max = moves.min(u16::from(MAX_MOVES));
    let history_is_irrelevant = game.history().is_empty() || position.reversible_plies() == 0;
    let only_mate_and_time = limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.soft_nodes.is_none()
        && limits.handicap.is_none()
        && limits.multi_pv.get() == 1
        && !limits.ponder;
    if !only_mate_and_time || !history_is_irrelevant || position.plies_to_100_ply_draw() < 2 * max {
        return None;
    }
    let table = ProofTable::new(megabytes.min(MAX_PROOF_MEGABYTES)).ok()?;
    let time = limits.time.hard.map(|time| time.mul_f64(SHARE_OF_TIME));
    let is_over = || control.stopped() || time.is_some_and(|time| control.elapsed() >= time);
    let watch = ProofControl { stop: &is_over, report: &|_| () };
    match shortest_mate(position, max as u8, &table, &watch) {
        Ok((MateProof::Mate(line), nodes)) => {
            let plies = line.len() as u16;
            let score = Score::mating_at(Ply(plies));
            let mut line = SearchLine::new(Depth(plies as i16), score, line);
            line.nodes = nodes;
            line.time = control.elapsed();
            Some(line)
        }
        Ok((MateProof::NoMate, _)) if max >= moves => {
            limits.mate = None;
            limits.depth = Some(Depth::saturating(2 * i64::from(moves)));
            None
        }
        _ => None,
    }
}
