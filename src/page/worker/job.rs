//! Jobs of workers, and what they report, as JSON.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::review::ReviewNews;
use crate::review::{JobResources, ReviewTask};
use crate::shown::{read_moves, texts_of};
use qirkat_engine::{SearchLimits, SearchLine, SearchResult};
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_notation::pgn::PgnReader;
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_search::{Bound, Handicap, TimeBudget};

/// The job of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "kebab-case")]
pub(super) enum Job {
    /// Search where a game stands.
    Search(SearchJob),
    /// Review a game.
    Review(ReviewOrder),
}

/// A search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SearchJob {
    /// Its reports bear this number.
    pub number: u64,
    /// Megabytes of the table.
    pub hash: usize,
    game: GameText,
    limits: LimitsText,
}

/// A game and where it stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct GameText {
    variant: Variant,
    start: String,
    moves: Vec<String>,
}

/// Limits of a search, as far as the page sets them.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LimitsText {
    nodes: Option<u64>,
    time: TimeBudget,
    multi_pv: usize,
    handicap: Option<Handicap>,
    hurry_single_reply: bool,
    infinite: bool,
}

/// A review.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ReviewOrder {
    /// Its reports bear this number.
    pub number: u64,
    pgn: String,
    time: Duration,
    hash: usize,
}

/// A report of a worker about its job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "kebab-case")]
pub(super) enum Report {
    /// A search has found a line.
    Line {
        /// Of the search.
        number: u64,
        /// The line.
        line: LineText,
    },
    /// A search has ended.
    Finished {
        /// Of the search.
        number: u64,
        /// Its result.
        result: ResultText,
    },
    /// News of a review.
    Review {
        /// Of the review.
        number: u64,
        /// The news.
        news: ReviewNews,
    },
}

/// A line of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LineText {
    depth: Depth,
    selective_depth: Ply,
    rank: usize,
    score: Score,
    bound: Bound,
    nodes: u64,
    time: Duration,
    hashfull: u32,
    table_hits: u64,
    moves: Vec<String>,
    is_drawn: bool,
}

/// The result of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ResultText {
    /// The best move and the reply that is expected, as far as there are any.
    moves: Vec<String>,
    score: Score,
    nodes: u64,
    depth: Depth,
}

impl SearchJob {
    /// A search with one thread, which takes no heed of what only a person at a protocol
    /// asks for.
    pub fn of(number: u64, hash: usize, game: &AnyGame, limits: &SearchLimits) -> SearchJob {
        let start = game.start();
        SearchJob {
            number,
            hash,
            game: GameText {
                variant: start.variant(),
                start: start.fen(),
                moves: texts_of(game.moves()),
            },
            limits: LimitsText {
                nodes: limits.nodes,
                time: limits.time,
                multi_pv: limits.multi_pv.get(),
                handicap: limits.handicap,
                hurry_single_reply: limits.hurry_single_reply,
                infinite: limits.infinite,
            },
        }
    }

    /// The game, if it is one.
    pub fn game(&self) -> Option<AnyGame> {
        let GameText { variant, start, moves } = &self.game;
        let start = variant.read_fen(start).ok()?.position;
        let mut game = AnyGame::from_position(start);
        for mv in read_moves(&start, moves) {
            game.play(mv);
        }
        Some(game)
    }

    /// The limits.
    pub fn limits(&self) -> SearchLimits {
        let given = &self.limits;
        let mut limits = SearchLimits::time(given.time).with_multi_pv(given.multi_pv);
        limits.nodes = given.nodes;
        limits.handicap = given.handicap;
        limits.hurry_single_reply = given.hurry_single_reply;
        limits.infinite = given.infinite;
        limits
    }
}

impl ReviewOrder {
    /// A review with one thread.
    pub fn of(task: &ReviewTask) -> ReviewOrder {
        let JobResources { time, hash, .. } = task.resources;
        ReviewOrder { number: task.number, pgn: task.game.to_string(), time, hash }
    }

    /// The task.
    ///
    /// # Errors
    /// In words, when the game is none.
    pub fn task(&self) -> Result<ReviewTask, String> {
        let read = PgnReader::new(self.pgn.as_bytes()).next().ok_or("there is no game")?;
        let game = read.map_err(|error| error.to_string())?.game;
        let resources = JobResources { time: self.time, threads: 1, hash: self.hash };
        Ok(ReviewTask { number: self.number, game, resources })
    }
}

impl LineText {
    /// A line in texts.
    pub fn of(line: &SearchLine) -> LineText {
        LineText {
            depth: line.depth,
            selective_depth: line.selective_depth,
            rank: line.rank,
            score: line.score,
            bound: line.bound,
            nodes: line.nodes,
            time: line.time,
            hashfull: line.hashfull,
            table_hits: line.tablebase_hits,
            moves: texts_of(&line.moves),
            is_drawn: line.is_drawn,
        }
    }

    /// The line, from the position that was searched.
    pub fn read(&self, position: &AnyPosition) -> SearchLine {
        let mut line = SearchLine::new(self.depth, self.score, read_moves(position, &self.moves));
        line.selective_depth = self.selective_depth;
        line.rank = self.rank;
        line.bound = self.bound;
        line.nodes = self.nodes;
        line.time = self.time;
        line.hashfull = self.hashfull;
        line.tablebase_hits = self.table_hits;
        line.is_drawn = self.is_drawn;
        line
    }
}

impl ResultText {
    /// A result in texts.
    pub fn of(result: &SearchResult) -> ResultText {
        let moves: Vec<_> = result.best.into_iter().chain(result.ponder).collect();
        let SearchResult { score, nodes, depth, .. } = *result;
        ResultText { moves: texts_of(&moves), score, nodes, depth }
    }

    /// The result, in the position that was searched.
    pub fn read(&self, position: &AnyPosition) -> SearchResult {
        let moves = read_moves(position, &self.moves);
        let mut result = SearchResult::of_line(&SearchLine::new(self.depth, self.score, moves));
        result.nodes = self.nodes;
        result
    }
}
