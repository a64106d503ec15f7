//! The searches of an `Engine`'s worker: requests and results in JSON.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use qirkat_engine::{AnySearcher, SearchLimits, SearchLine, handicap_of_elo, line_chances};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_search::{Bound, SearchControl, TimeBudget};
use qirkat_system::host::{random, unix_time};
use qirkat_tablebase::AllTables;

/// A search request, validated by JavaScript.
#[derive(Clone, Debug, Deserialize)]
pub struct SearchRequest {
    variant: Variant,
    fen: String,
    moves: Vec<String>,
    /// In megabytes.
    hash: usize,
    depth: Option<i64>,
    nodes: Option<u64>,
    /// In milliseconds.
    time: Option<u64>,
    multipv: Option<usize>,
    elo: Option<u32>,
}

/// A search line, with UCI's names. Scores are for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LineJson {
    /// From 1.
    multipv: usize,
    depth: i16,
    seldepth: u16,
    #[serde(flatten)]
    score: ScoreJson,
    bound: Bound,
    /// In permille.
    wdl: [u32; 3],
    nodes: u64,
    /// In milliseconds.
    time: u64,
    nps: u64,
    /// In permille.
    hashfull: u32,
    tbhits: u64,
    pv: Vec<String>,
    san: Vec<String>,
}

/// Centipawns, or moves to mate: negative for the side that is mated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct ScoreJson {
    cp: Option<i32>,
    mate: Option<i16>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchAnswer {
    lan: String,
    san: String,
    ponder: Option<String>,
    #[serde(flatten)]
    score: ScoreJson,
    depth: i16,
    nodes: u64,
}

impl ScoreJson {
    pub(crate) fn of(score: Score) -> ScoreJson {
        let mate = score.moves_to_mate();
        ScoreJson { cp: mate.is_none().then_some(score.value()), mate }
    }
}

/// Stands for no time limit: without any, the search would poll neither its clock nor whether to
/// stop.
const NO_LIMIT: Duration = Duration::from_secs(u32::MAX as u64);

impl SearchRequest {
    fn game(&self) -> Result<AnyGame, String> {
        let read = self.variant.read_fen(&self.fen).map_err(|error| error.to_string())?;
        let mut game = AnyGame::from_position(read.position);
        for text in &self.moves {
            let mv = game.position().read_move(text).map_err(|error| format!("{text}: {error}"))?;
            game.play(mv);
        }
        Ok(game)
    }

    fn limits(&self) -> SearchLimits {
        let hard = self.time.map_or(NO_LIMIT, Duration::from_millis);
        let mut limits = SearchLimits::time(TimeBudget { soft: None, hard: Some(hard) })
            .with_multi_pv(self.multipv.unwrap_or(1));
        limits.depth = self.depth.map(Depth::saturating);
        limits.nodes = self.nodes;
        limits.handicap = self.elo.and_then(|elo| handicap_of_elo(elo, random()));
        limits
    }
}

#[derive(Default)]
pub struct Searcher {
    evaluations: Vec<AnyEvaluation>,
    searcher: Option<AnySearcher>,
}

impl Searcher {
    pub fn take_network(&mut self, variant: Variant, bytes: &[u8]) -> Result<(), String> {
        let evaluation = AnyEvaluation::from_network(variant, bytes)
            .map_err(|error| format!("network of {}: {error}", variant.title()))?;
        self.evaluations.retain(|known| known.variant() != variant);
        self.evaluations.push(evaluation);
        Ok(())
    }

    pub fn free(&mut self) {
        self.searcher = None;
    }

    /// Searches and reports each line. `is_stopped` is called every few hundred nodes.
    pub fn search(
        &mut self,
        request: &SearchRequest,
        tables: &AllTables,
        is_stopped: fn() -> bool,
        report: impl Fn(&LineJson) + Send + Sync,
    ) -> Result<SearchAnswer, String> {
        let game = request.game()?;
        let position = *game.position();
        if let Some(outcome) = game.outcome() {
            return Err(format!("the game is over: {outcome}"));
        }
        let size = (request.variant, request.hash);
        let evaluation = || {
            let known = self.evaluations.iter().find(|known| known.variant() == request.variant);
            known.cloned().ok_or_else(|| "the network of this game has not been loaded".to_owned())
        };
        let searcher = AnySearcher::in_slot(&mut self.searcher, size, tables.clone(), evaluation)?;
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let control = SearchControl::with_stop_flag(stop).with_clock(move || {
            if is_stopped() {
                flag.store(true, Ordering::Relaxed);
            }
            unix_time()
        });
        let mut report_line = |line: &SearchLine| report(&LineJson::of(line, &position));
        let result =
            searcher.search_under(&control, &game, &[], &request.limits(), &mut report_line);
        let best = result.best.ok_or("the search has found no move")?;
        Ok(SearchAnswer {
            lan: best.to_string(),
            san: position.san(best),
            ponder: result.ponder.map(|mv| mv.to_string()),
            score: ScoreJson::of(result.score),
            depth: result.depth.0,
            nodes: result.nodes,
        })
    }
}

impl LineJson {
    fn of(line: &SearchLine, position: &AnyPosition) -> LineJson {
        LineJson {
            multipv: line.rank,
            depth: line.depth.0,
            seldepth: line.selective_depth.0,
            score: ScoreJson::of(line.score),
            bound: line.bound,
            wdl: line_chances(position.variant(), line).permille(),
            nodes: line.nodes,
            time: u64::try_from(line.time.as_millis()).unwrap_or(u64::MAX),
            nps: line.nodes_per_second(),
            hashfull: line.hashfull,
            tbhits: line.tablebase_hits,
            pv: line.moves.iter().map(ToString::to_string).collect(),
            san: position.san_line(&line.moves),
        }
    }
}
