//! Jobs for workers and their reports, as JSON.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::page::review::{JobResources, ReviewNews, ReviewTask};
use crate::page::shown::{read_moves, texts_of};
use qirkat_engine::{AnySearcher, SearchLimits, SearchLine, SearchResult};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_rules::pgn::PgnReader;
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_search::SearchControl;
use qirkat_tablebase::AllTables;
use qirkat_tablebase::alquerque::MenTables;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "kebab-case")]
pub(super) enum Job {
    Search(SearchJob),
    Review(ReviewOrder),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SearchJob {
    pub number: u64,
    /// Megabytes of the hash table.
    pub hash: usize,
    variant: Variant,
    start: String,
    moves: Vec<String>,
    pub limits: SearchLimits,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ReviewOrder {
    pub number: u64,
    pgn: String,
    time: Duration,
    hash: usize,
    gives_reasons: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "kebab-case")]
pub(super) enum Report {
    Line { number: u64, line: LineText },
    Finished { number: u64, result: ResultText },
    Review { number: u64, news: ReviewNews },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LineText {
    #[serde(flatten)]
    line: SearchLine,
    moves: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ResultText {
    /// The best move and the expected reply, if any.
    moves: Vec<String>,
    score: Score,
    nodes: u64,
    depth: Depth,
}

impl Job {
    pub fn to_json(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }
}

impl SearchJob {
    pub fn of(number: u64, hash: usize, game: &AnyGame, limits: SearchLimits) -> SearchJob {
        let start = game.start();
        SearchJob {
            number,
            hash,
            variant: start.variant(),
            start: start.fen(),
            moves: texts_of(game.moves()),
            limits,
        }
    }

    pub fn game(&self) -> Option<AnyGame> {
        let start = self.variant.read_fen(&self.start).ok()?.position;
        let mut game = AnyGame::from_position(start);
        for mv in read_moves(&start, &self.moves) {
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

    /// The task, with its game's tables.
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

    pub fn read(&self, position: &AnyPosition) -> SearchResult {
        let moves = read_moves(position, &self.moves);
        let mut result = SearchResult::of_line(&SearchLine::new(self.depth, self.score, moves));
        result.nodes = self.nodes;
        result
    }
}

/// Receives a job's reports, as JSON.
pub(super) type Reports = Arc<dyn Fn(&str) + Send + Sync>;

/// Runs jobs one by one. A search profits from earlier ones.
pub(super) struct JobRunner {
    reports: Reports,
    tables: AllTables,
    /// A certificate of Alquerque, not unpacked yet.
    certificate: Option<Vec<u8>>,
    searcher: Option<AnySearcher>,
}

impl JobRunner {
    pub fn new(reports: Reports) -> JobRunner {
        JobRunner { reports, tables: AllTables::with_embedded(), certificate: None, searcher: None }
    }

    /// Uses the certificate of Alquerque, which the session has checked, from the next job on. An
    /// invalid file has no effect.
    pub fn hold_certificate(&mut self, file: Vec<u8>) {
        self.certificate = Some(file);
    }

    /// The tables for a game. The certificate is unpacked at its first use: stopping a search ends
    /// the worker, and the next worker should not unpack it for another game.
    fn tables(&mut self, variant: Variant) -> AllTables {
        if variant == Variant::Alquerque
            && let Some(file) = self.certificate.take()
        {
            let mut men = MenTables::with_embedded();
            if men.add_checked_certificate(&*file).is_ok() {
                self.tables.alquerque = Arc::new(men);
            }
        }
        self.tables.clone()
    }

    /// Runs a job, which may not end.
    pub fn run(&mut self, job: &str) -> Result<(), String> {
        match serde_json::from_str(job).map_err(|error| error.to_string())? {
            Job::Search(job) => self.search(&job),
            Job::Review(order) => {
                self.review(&order);
                Ok(())
            }
        }
    }

    fn search(&mut self, job: &SearchJob) -> Result<(), String> {
        let number = job.number;
        let game = job.game().ok_or("there is no game")?;
        let reports = Arc::clone(&self.reports);
        let searcher = self.searcher(game.start().variant(), job.hash)?;
        let control = SearchControl::new(job.limits.infinite, false);
        let mut reporter = |line: &SearchLine| {
            send(&reports, &Report::Line { number, line: LineText::of(line) });
        };
        let result = searcher.search_under(&control, &game, &[], &job.limits, &mut reporter);
        send(&self.reports, &Report::Finished { number, result: ResultText::of(&result) });
        Ok(())
    }

    /// A searcher for a game with this many megabytes, reused if it fits.
    fn searcher(&mut self, variant: Variant, megabytes: usize) -> Result<&mut AnySearcher, String> {
        let fits = |known: &AnySearcher| known.variant() == variant && known.hash() == megabytes;
        let mut searcher = match self.searcher.take().filter(fits) {
            Some(searcher) => searcher,
            None => {
                let evaluation = AnyEvaluation::embedded(variant);
                AnySearcher::with_resources(evaluation, 1, megabytes)
                    .map_err(|error| error.to_string())?
            }
        };
        searcher.set_tablebases(Some(self.tables(variant)));
        Ok(self.searcher.insert(searcher))
    }

    /// A review is stopped by ending its worker.
    fn review(&mut self, order: &ReviewOrder) {
        let number = order.number;
        let reports = Arc::clone(&self.reports);
        let told = move |left| {
            send(&reports, &Report::Review { number, news: ReviewNews::Left(left) });
        };
        let news = order.task(|variant| self.tables(variant)).and_then(|task| {
            let analyst = task.analyst(Arc::default(), told)?;
            Ok(task.review(analyst))
        });
        let news = news.unwrap_or_else(ReviewNews::Failed);
        send(&self.reports, &Report::Review { number, news });
    }
}

fn send(reports: &Reports, report: &Report) {
    match serde_json::to_string(report) {
        Ok(text) => reports(&text),
        Err(error) => log::error!("a report cannot be written: {error}"),
    }
}
