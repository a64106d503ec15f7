//! Jobs of workers, and what they report, as JSON.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::page::review::ReviewNews;
use crate::page::review::{JobResources, ReviewTask};
use crate::page::shown::{read_moves, texts_of};
use qirkat_engine::{SearchLimits, SearchLine, SearchResult};
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_rules::pgn::PgnReader;
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_tablebase::AllTables;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "kebab-case")]
pub(super) enum Job {
    /// Search where a game stands.
    Search(SearchJob),
    Review(ReviewOrder),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SearchJob {
    /// Its reports bear this number.
    pub number: u64,
    /// Megabytes of the table.
    pub hash: usize,
    game: GameText,
    /// When it ends.
    pub limits: SearchLimits,
}

/// A game and where it stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct GameText {
    variant: Variant,
    start: String,
    moves: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ReviewOrder {
    /// Its reports bear this number.
    pub number: u64,
    pgn: String,
    time: Duration,
    hash: usize,
    gives_reasons: bool,
}

/// A report of a worker about its job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "kebab-case")]
pub(super) enum Report {
    /// A search has found a line.
    Line {
        number: u64,
        line: LineText,
    },
    /// A search has ended.
    Finished {
        number: u64,
        result: ResultText,
    },
    Review {
        number: u64,
        news: ReviewNews,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LineText {
    #[serde(flatten)]
    line: SearchLine,
    moves: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ResultText {
    /// The best move and the reply that is expected, as far as there are any.
    moves: Vec<String>,
    score: Score,
    nodes: u64,
    depth: Depth,
}

impl SearchJob {
    pub fn of(number: u64, hash: usize, game: &AnyGame, limits: SearchLimits) -> SearchJob {
        let start = game.start();
        SearchJob {
            number,
            hash,
            game: GameText {
                variant: start.variant(),
                start: start.fen(),
                moves: texts_of(game.moves()),
            },
            limits,
        }
    }

    pub fn game(&self) -> Option<AnyGame> {
        let GameText { variant, start, moves } = &self.game;
        let start = variant.read_fen(start).ok()?.position;
        let mut game = AnyGame::from_position(start);
        for mv in read_moves(&start, moves) {
            game.play(mv);
        }
        Some(game)
    }
}

impl ReviewOrder {
    pub fn of(task: &ReviewTask) -> ReviewOrder {
        let JobResources { time, hash, .. } = task.resources;
        ReviewOrder {
            number: task.number,
            pgn: task.game.to_string(),
            time,
            hash,
            gives_reasons: task.gives_reasons,
        }
    }

    /// The task, with the tables for its game.
    ///
    /// # Errors
    /// In words, when the game is none.
    pub fn task(&self, tables: impl FnOnce(Variant) -> AllTables) -> Result<ReviewTask, String> {
        let read = PgnReader::new(self.pgn.as_bytes()).next().ok_or("there is no game")?;
        let game = read.map_err(|error| error.to_string())?.game;
        let tables = tables(game.start.variant());
        let ReviewOrder { number, time, hash, gives_reasons, .. } = *self;
        let resources = JobResources { time, threads: 1, hash };
        Ok(ReviewTask { number, game, resources, gives_reasons, tables })
    }
}

impl LineText {
    pub fn of(line: &SearchLine) -> LineText {
        LineText { line: line.clone(), moves: texts_of(&line.moves) }
    }

    /// The line, from the position that was searched.
    pub fn read(&self, position: &AnyPosition) -> SearchLine {
        let mut line = self.line.clone();
        line.moves = read_moves(position, &self.moves);
        line
    }
}

impl ResultText {
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
