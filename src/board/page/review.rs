//! Reviews in the background: the task, its execution and its results.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::shown::texts_of;
use qirkat_analysis::review::{
    AnalystBudget, AnnotationStyle, EngineAnalyst, GameReview, MoveReview, ReviewData, annotate,
    review_game,
};
use qirkat_engine::AnySearcher;
use qirkat_evaluation::AnyEvaluation;
use qirkat_rules::pgn::PgnGame;
use qirkat_search::ResourceError;
use qirkat_system::format_version::FormatVersion;
use qirkat_tablebase::AllTables;

#[derive(Clone, Copy, Debug)]
pub(crate) struct JobResources {
    pub time: Duration,
    pub threads: usize,
    /// Megabytes of the hash table.
    pub hash: usize,
}

/// A review to be made. Its events bear the number.
#[derive(Clone)]
pub struct ReviewTask {
    pub number: u64,
    pub(crate) game: PgnGame,
    pub(crate) resources: JobResources,
    /// Whether it explains why moves are marked.
    pub(crate) gives_reasons: bool,
    pub(crate) tables: AllTables,
}

impl ReviewTask {
    /// The engine that makes it. `report` gets the number of moves left after each move; raising
    /// `stop` cancels it.
    pub fn analyst(
        &self,
        stop: Arc<AtomicBool>,
        report: impl FnMut(usize) + Send + 'static,
    ) -> Result<EngineAnalyst, String> {
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
        Ok(analyst)
    }

    pub fn review(&self, mut analyst: EngineAnalyst) -> ReviewNews {
        let review = review_game(&self.game, &mut analyst);
        match Reviewed::of(&self.game, &review) {
            Ok(reviewed) => ReviewNews::Done(Box::new(reviewed)),
            Err(error) => ReviewNews::Failed(error.to_string()),
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewNews {
    /// A move was reviewed; this many are left.
    Left(usize),
    Done(Box<Reviewed>),
    Failed(String),
}

pub(crate) type ReviewVersion = FormatVersion<1>;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reviewed {
    pub(crate) is_complete: bool,
    pub(crate) kept: Value,
    pub(crate) first: Option<ReviewedMove>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ReviewedMove {
    /// The move and what follows, by their points.
    pub line: Vec<String>,
    /// Moves to mate for the side that made it; negative if it is mated.
    pub mate: Option<i16>,
    /// Expected points that it lost, from 0 to 1.
    pub loss: f64,
    pub is_marked: bool,
}

impl Reviewed {
    pub(crate) fn of(game: &PgnGame, review: &GameReview) -> Result<Reviewed, serde_json::Error> {
        let annotated = annotate(game, review, AnnotationStyle::default());
        let data = serde_json::to_value(ReviewData::of(game, review))?;
        Ok(Reviewed {
            is_complete: review.is_complete(),
            kept: json!({
                "version": ReviewVersion::default(),
                "review": data,
                "pgn": annotated.to_string(),
            }),
            first: review.moves.first().map(ReviewedMove::of),
        })
    }
}

impl ReviewedMove {
    fn of(review: &MoveReview) -> ReviewedMove {
        ReviewedMove {
            line: texts_of(&review.line.moves),
            mate: review.line.score.moves_to_mate(),
            loss: review.loss,
            is_marked: review.mark.is_some(),
        }
    }
}
