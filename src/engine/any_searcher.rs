//! A search of any game.

use super::{SearchLimits, SearchLine, SearchResult};
use qirkat_evaluation::{AlquerqueEvaluation, AnyEvaluation, Evaluation, MasonicEvaluation};
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_game::{GameState, KnownResult, Rules};
use qirkat_problem::{MOST_MOVES, MateProof, ProofTable, Watch, shortest_mate};
use qirkat_rules::of_each_game;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Member, Variant};
#[cfg(feature = "tuning")]
use qirkat_search::SearchParams;
use qirkat_search::{Reporter, ResourceError, SearchControl, Searcher, TableMemoryError};
use qirkat_system::machine::ThreadsError;
use qirkat_tablebase::AllTables;

/// A [`Searcher`] of one game or another. Each is compiled by itself; what goes
/// in and comes out is of any game.
pub enum AnySearcher {
    Chesquerque(Searcher<Evaluation>),
    Masonic(Searcher<MasonicEvaluation>),
    Alquerque(Searcher<AlquerqueEvaluation>),
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
        self.search_under(&control, game, &[], limits, &mut |_| {})
    }

    /// The same under a control by which others can stop the search, and among
    /// `search_moves` alone unless there are none.
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
            && let Some(line) = prove_mate(control, game, &mut limits, self.hash())
        {
            reporter(&line);
            return SearchResult::of_line(&line);
        }
        of_each_game!(AnySearcher, self, searcher => {
            let Some((game, moves)) = own_root(game, search_moves) else {
                return SearchResult::default();
            };
            let mut report = |line: &qirkat_search::SearchLine<_>| reporter(&line.converted(Into::into));
            let result = searcher.search_under(control, &game, &moves, &limits, &mut report);
            result.converted(Into::into)
        })
    }

    /// The same among all moves but these; there is another one.
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

    /// Probes its game's endgame tablebase among these from now on, or none.
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

    /// The result that its endgame tablebase knows of a position.
    pub fn known(&self, position: &AnyPosition) -> Option<KnownResult> {
        of_each_game!(AnySearcher, self, searcher => searcher.known(Member::own_position(position)?))
    }

    /// Searches on this many threads from now on, with empty histories.
    ///
    /// # Errors
    /// When the system refuses them; the old ones stay then.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        of_each_game!(AnySearcher, self, searcher => searcher.set_threads(threads))
    }

    pub fn hash(&self) -> usize {
        of_each_game!(AnySearcher, self, searcher => searcher.hash())
    }

    /// Takes an empty table of this many megabytes.
    ///
    /// # Errors
    /// When there is no memory for it; see [`Searcher::set_hash`].
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), TableMemoryError> {
        of_each_game!(AnySearcher, self, searcher => searcher.set_hash(megabytes))
    }

    /// Clears all that was learned in earlier searches.
    ///
    /// # Errors
    /// When there is no memory for a clean table; see
    /// [`Searcher::set_hash`].
    pub fn clear(&mut self) -> Result<(), TableMemoryError> {
        of_each_game!(AnySearcher, self, searcher => searcher.clear())
    }

    #[cfg(feature = "tuning")]
    pub fn params_mut(&mut self) -> &mut SearchParams {
        of_each_game!(AnySearcher, self, searcher => searcher.params_mut())
    }
}

/// A game and moves of it as those of one game, if they are.
fn own_root<G: Member>(game: &AnyGame, moves: &[AnyMove]) -> Option<(GameState<G>, Vec<G::Move>)> {
    let own_moves = moves.iter().filter_map(|&mv| G::own_move(mv)).collect();
    Some((G::own_state(game)?, own_moves))
}

/// The part of the time that a proof may take: a move is wanted in any case.
const SHARE_OF_TIME: f64 = 0.75;
/// Megabytes of a table of proofs, at most.
const MOST_MEGABYTES: usize = 64;

/// The line of the mate that the limits ask for, if it can be proved. A search with other limits
/// than time, or of a game whose history could draw it meanwhile, is left as it is. Where there
/// is no mate the limits become those of an ordinary search as deep as the mate would be.
fn prove_mate(
    control: &SearchControl,
    game: &AnyGame,
    limits: &mut SearchLimits,
    megabytes: usize,
) -> Option<SearchLine> {
    let position = game.position();
    let moves = limits.mate?;
    let most = moves.min(u16::from(MOST_MOVES));
    let is_fresh = game.history().is_empty() || position.reversible_plies() == 0;
    if !is_plain(limits) || !is_fresh || position.plies_to_clock_draw() < 2 * most {
        return None;
    }
    let table = ProofTable::new(megabytes.min(MOST_MEGABYTES)).ok()?;
    let time = limits.time.hard.map(|time| time.mul_f64(SHARE_OF_TIME));
    let is_over = || control.stopped() || time.is_some_and(|time| control.elapsed() >= time);
    let watch = Watch { stop: &is_over, report: &|_| () };
    match shortest_mate(position, most as u8, &table, &watch) {
        Ok((MateProof::Mate(line), nodes)) => {
            let plies = line.len() as u16;
            let score = Score::mating_at(Ply(plies));
            let mut line = SearchLine::new(Depth(plies as i16), score, line);
            line.nodes = nodes;
            line.time = control.elapsed();
            Some(line)
        }
        Ok((MateProof::NoMate, _)) if most >= moves => {
            limits.mate = None;
            limits.depth = Some(Depth::saturating(2 * i64::from(moves)));
            None
        }
        _ => None,
    }
}

/// Whether nothing but the mate and time bounds the search.
fn is_plain(limits: &SearchLimits) -> bool {
    limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.soft_nodes.is_none()
        && limits.handicap.is_none()
        && limits.multi_pv.get() == 1
        && !limits.ponder
}
