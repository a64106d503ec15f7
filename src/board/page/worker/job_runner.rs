//! Does the jobs of a worker.

use std::sync::Arc;

use super::job::{Job, LineText, Report, ResultText, ReviewOrder, SearchJob};
use crate::page::review::ReviewNews;
use qirkat_engine::{AnySearcher, SearchLine};
use qirkat_evaluation::AnyEvaluation;
use qirkat_rules::variant::Variant;
use qirkat_search::SearchControl;
use qirkat_tablebase::AllTables;
use qirkat_tablebase::alquerque::MenTables;

/// Hears what a job reports, as JSON.
pub(super) type Reports = Arc<dyn Fn(&str) + Send + Sync>;

/// Does one job after the other. What a search has learned serves the next.
pub(super) struct JobRunner {
    reports: Reports,
    tables: AllTables,
    /// The file of a certificate of Alquerque that has not been of use yet.
    certificate: Option<Vec<u8>>,
    searcher: Option<AnySearcher>,
}

impl JobRunner {
    pub fn new(reports: Reports) -> JobRunner {
        JobRunner { reports, tables: AllTables::with_embedded(), certificate: None, searcher: None }
    }

    /// Uses the certificate of Alquerque, which the session has checked, from the next job on; a file
    /// that is none changes nothing.
    pub fn hold_certificate(&mut self, file: Vec<u8>) {
        self.certificate = Some(file);
    }

    /// The tables for a job of a game. The certificate is unpacked when it is first of use: whoever
    /// stops a search ends the worker, and the next one should not do so for another game.
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

    /// Does a job, which may take for ever.
    ///
    /// # Errors
    /// In words, when it is none, or there is no memory for it.
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

    /// The searcher of a game with a table of this many megabytes: the one that is there, if
    /// it is of this kind.
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

    /// A review is not stopped but ended with its worker.
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
