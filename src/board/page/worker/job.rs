//! Jobs for workers and their reports, as JSON.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::page::backend::{ReviewEvent, ReviewTask};
use qirkat_engine::{AnySearcher, SearchLimits, SearchLine};
use qirkat_evaluation::AnyEvaluation;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_search::SearchControl;
use qirkat_tablebase::AllTables;
use qirkat_tablebase::alquerque::MenTables;

#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "kebab-case")]
pub(super) enum Job {
    Search(SearchJob),
    Review(ReviewTask),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SearchJob {
    number: u64,
    hash: usize,
    start: AnyPosition,
    moves: Vec<AnyMove>,
    limits: SearchLimits,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "kebab-case")]
pub(super) enum Report {
    // A line is serialized without its moves.
    Line { number: u64, line: SearchLine, moves: Vec<AnyMove> },
    // The result, as a line of the best move and the expected reply.
    Finished { number: u64, line: SearchLine, moves: Vec<AnyMove> },
    Review { number: u64, news: ReviewEvent },
}

impl Job {
    pub fn to_json(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }
}

impl SearchJob {
    pub fn of(number: u64, hash: usize, game: &AnyGame, limits: SearchLimits) -> SearchJob {
        SearchJob { number, hash, start: *game.start(), moves: game.moves().to_vec(), limits }
    }
}

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

    /// Uses the certificate of Alquerque, checked by the session, from the next job on.
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

    pub fn run(&mut self, job: &str) -> Result<(), String> {
        match serde_json::from_str(job).map_err(|error| error.to_string())? {
            Job::Search(job) => self.search(&job),
            Job::Review(task) => {
                self.review(task);
                Ok(())
            }
        }
    }

    fn search(&mut self, job: &SearchJob) -> Result<(), String> {
        let number = job.number;
        let mut game = AnyGame::from_position(job.start);
        job.moves.iter().for_each(|&mv| game.play(mv));
        let reports = Arc::clone(&self.reports);
        let variant = job.start.variant();
        let tables = self.tables(variant);
        let evaluation = || Ok(AnyEvaluation::embedded(variant));
        let searcher =
            AnySearcher::in_slot(&mut self.searcher, (variant, job.hash), tables, evaluation)?;
        let control = SearchControl::new(job.limits.infinite, false);
        let mut reporter = |line: &SearchLine| {
            let (line, moves) = (line.clone(), line.moves.clone());
            send(&reports, &Report::Line { number, line, moves });
        };
        let result = searcher.search_under(&control, &game, &[], &job.limits, &mut reporter);
        let moves: Vec<AnyMove> = result.best.into_iter().chain(result.ponder).collect();
        let mut line = SearchLine::new(result.depth, result.score, moves.clone());
        line.nodes = result.nodes;
        send(&self.reports, &Report::Finished { number, line, moves });
        Ok(())
    }

    /// A review is stopped by ending its worker.
    fn review(&mut self, mut task: ReviewTask) {
        let number = task.number;
        let reports = Arc::clone(&self.reports);
        let report = move |news| send(&reports, &Report::Review { number, news });
        let progress = report.clone();
        task.tables = self.tables(task.game.start.variant());
        report(task.run(Arc::default(), move |left| progress(ReviewEvent::Left(left))));
    }
}

fn send(reports: &Reports, report: &Report) {
    match serde_json::to_string(report) {
        Ok(text) => reports(&text),
        Err(error) => log::error!("a report cannot be written: {error}"),
    }
}
