//! Reviews in the background: the task, its execution and its results.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use qirkat_analysis::review::{
    AnalystBudget, AnnotationStyle, EngineAnalyst, MoveReview, ReviewData, annotate, review_game,
};
use qirkat_engine::AnySearcher;
use qirkat_evaluation::AnyEvaluation;
use qirkat_rules::pgn::{PgnGame, PgnReader};
use qirkat_search::ResourceError;
use qirkat_system::format_version::FormatVersion;
use qirkat_tablebase::AllTables;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct JobResources {
    pub time: Duration,
    pub threads: usize,
    pub hash: usize,
}

/// A review to be made. Its events bear the number.
#[derive(Clone, Serialize, Deserialize)]
pub struct ReviewTask {
    pub number: u64,
    #[serde(serialize_with = "write_pgn", deserialize_with = "read_pgn")]
    pub(crate) game: PgnGame,
    pub(crate) resources: JobResources,
    pub(crate) gives_reasons: bool,
    #[serde(skip, default = "AllTables::with_embedded")]
    pub(crate) tables: AllTables,
}

fn write_pgn<S: Serializer>(game: &PgnGame, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(game)
}

fn read_pgn<'de, D: Deserializer<'de>>(from: D) -> Result<PgnGame, D::Error> {
    let text = String::deserialize(from)?;
    let read = PgnReader::new(text.as_bytes()).next();
    let read = read.ok_or_else(|| D::Error::custom("there is no game"))?;
    Ok(read.map_err(D::Error::custom)?.game)
}

impl ReviewTask {
    /// Reviews the game. `report` gets the number of moves left after each move; raising `stop`
    /// cancels it.
    pub fn run(
        &self,
        stop: Arc<AtomicBool>,
        report: impl FnMut(usize) + Send + 'static,
    ) -> ReviewEvent {
        let reviewed = self.reviewed(stop, report);
        reviewed.map_or_else(ReviewEvent::Failed, |reviewed| ReviewEvent::Done(Box::new(reviewed)))
    }

    fn reviewed(
        &self,
        stop: Arc<AtomicBool>,
        report: impl FnMut(usize) + Send + 'static,
    ) -> Result<Reviewed, String> {
        let JobResources { time, threads, hash } = self.resources;
        let variant = self.game.start.variant();
        let moves = self.game.moves.len() as u64;
        let mut analyst = EngineAnalyst::new(AnalystBudget::Time(time), moves, stop);
        if !self.gives_reasons {
            analyst = analyst.without_reasons();
        }
        let ready: Result<(), ResourceError> = analyst.begin(variant, || {
            let evaluation = AnyEvaluation::embedded(variant);
            let mut searcher = AnySearcher::with_resources(evaluation, threads, hash)?;
            searcher.set_tablebases(Some(self.tables.clone()));
            Ok(searcher)
        });
        ready.map_err(|error| error.to_string())?;
        analyst.on_reviewed(report);
        let review = review_game(&self.game, &mut analyst);
        let annotated = annotate(&self.game, &review, AnnotationStyle::default());
        let data = serde_json::to_value(ReviewData::of(&self.game, &review));
        let data = data.map_err(|error| error.to_string())?;
        Ok(Reviewed {
            is_complete: review.is_complete(),
            kept: json!({
                "version": ReviewVersion::default(),
                "review": data,
                "pgn": annotated.to_string(),
            }),
            first: review.moves.into_iter().next(),
        })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewEvent {
    /// A move was reviewed; this many are left.
    Left(usize),
    Done(Box<Reviewed>),
    Failed(String),
}

pub(crate) type ReviewVersion = FormatVersion<1>;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reviewed {
    pub(crate) is_complete: bool,
    /// The review as it is saved and sent to the page.
    pub(crate) kept: Value,
    pub(crate) first: Option<MoveReview>,
}
