//! Searches and reviews on threads of this machine.

#[cfg(test)]
mod tests;

use std::sync::mpsc::Sender;

use crate::page::{Backend, BackgroundEngine, Event, ReviewEvent, ReviewTask, SearchReporter};
use qirkat_engine::book::Book;
use qirkat_engine::{Background, Engine, SearchLimits, SearchReport};
use qirkat_evaluation::AnyEvaluation;
use qirkat_rules::variant::{AnyGame, Variant};
use qirkat_tablebase::AllTables;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Threads;

impl Backend for Threads {
    fn has_threads(&self) -> bool {
        true
    }

    fn engine(
        &self,
        variant: Variant,
        threads: usize,
        megabytes: usize,
        tables: AllTables,
    ) -> Result<Box<dyn BackgroundEngine>, String> {
        let mut engine = Engine::new().map_err(|error| error.to_string())?;
        if engine.variant() != variant {
            let evaluation = AnyEvaluation::embedded(variant);
            engine.set_evaluation(evaluation).map_err(|error| error.to_string())?;
        }
        engine.set_threads(threads).map_err(|error| error.to_string())?;
        engine.set_hash(megabytes).map_err(|error| error.to_string())?;
        engine.set_tablebases(Some(tables));
        Ok(Box::new(ThreadEngine(engine)))
    }

    fn book(&self, variant: Variant) -> Option<&'static Book> {
        Book::embedded(variant)
    }

    fn review(&self, task: ReviewTask, events: &Sender<Event>) -> Result<Box<dyn Send>, String> {
        let (number, events) = (task.number, events.clone());
        let report = move |news| {
            // The receiver may be gone.
            let _ = events.send(Event::Review(number, news));
        };
        let progress = report.clone();
        let work = Background::start("review", move |stop| {
            report(task.run(stop, move |left| progress(ReviewEvent::Left(left))));
        });
        Ok(Box::new(work.map_err(|error| format!("no thread for a review: {error}"))?))
    }
}

struct ThreadEngine(Engine);

impl BackgroundEngine for ThreadEngine {
    fn go(
        &mut self,
        game: &AnyGame,
        limits: SearchLimits,
        elo: Option<u32>,
        mut reporter: SearchReporter,
    ) -> Result<(), String> {
        let report = move |report: SearchReport<'_>| match report {
            SearchReport::Line(line) | SearchReport::Book(line) => reporter.line(line),
            SearchReport::Finished(result) => reporter.finished(result),
        };
        let settings = &mut self.0.settings;
        settings.limit_strength = elo.is_some();
        settings.elo = elo.unwrap_or(settings.elo);
        self.0.go(game, Vec::new(), limits, report).map_err(|error| error.to_string())
    }

    fn stop(&mut self) {
        self.0.stop();
    }

    fn ponder_hit(&self) {
        self.0.ponder_hit();
    }
}
