//! Reviews of games: what each move was worth, and why.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::engine::{SIGNAL_PAUSE, ensure_hash};
use crate::errors::{EngineError, told};
use crate::limit::Limit;
use crate::pgn::Game;
use qirkat_analysis::review::{
    AnnotationStyle, EngineAnalyst, GameReview, ReviewData, annotate, review_game,
};
use qirkat_engine::AnySearcher;
use qirkat_evaluation::AnyEvaluation;
use qirkat_notation::pgn::PgnGame;
use qirkat_search::{DEFAULT_HASH_MEGABYTES, ResourceError, SEARCH_STACK_BYTES};
use qirkat_tablebase::AllTables;

/// A reviewed game.
#[pyclass(frozen, module = "qirkat")]
pub(crate) struct Review {
    record: PgnGame,
    review: GameReview,
}

#[pymethods]
impl Review {
    /// The game with the review in comments, glyphs and variations.
    fn annotated(&self) -> Game {
        Game::of(annotate(&self.record, &self.review, AnnotationStyle::default()))
    }

    /// The review as plain data: what `qirkat annotate --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let data = ReviewData::of(&self.record, &self.review);
        let text = serde_json::to_string(&data).map_err(told::<PyValueError>)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The moves of the review: a dictionary for each, as in `to_dict`.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.get_item("moves")
    }

    /// How well each side played: a dictionary, as in `to_dict`.
    #[getter]
    fn accuracy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.get_item("accuracy")
    }

    /// White's expected points, from 0 to 1, before the first move and after each.
    #[getter]
    fn expectations(&self) -> Vec<f64> {
        self.review.white_expectations()
    }

    fn __len__(&self) -> usize {
        self.review.moves.len()
    }

    fn __repr__(&self) -> String {
        format!("<Review of {} plies>", self.review.moves.len())
    }
}

/// What comes from the thread of a review.
enum Event {
    Reviewed(usize),
    Ended(Result<GameReview, ResourceError>),
}

/// Reviews a game: what each move was worth and why, from the last to the first. `limit` holds for
/// each search and is one of nodes, depth and time, the last for each move: all that the review
/// takes is at most twice that on average. `progress` is told after each move how many are left.
#[pyfunction]
#[pyo3(signature = (game, limit, *, progress = None, hash = DEFAULT_HASH_MEGABYTES))]
pub(crate) fn review(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    limit: &Limit,
    progress: Option<&Bound<'_, PyAny>>,
    hash: usize,
) -> PyResult<Review> {
    let record = game.try_borrow()?.record.clone();
    let (budget, hash) = (limit.budget()?, ensure_hash(hash)?);
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, mut events) = mpsc::channel();
    let (for_thread, stop_thread) = (record.clone(), Arc::clone(&stop));
    // The search is deeper than the stack of a thread of Python may be.
    let thread = std::thread::Builder::new().stack_size(SEARCH_STACK_BYTES).spawn(move || {
        let moves = for_thread.moves.len() as u64;
        let mut analyst = EngineAnalyst::new(budget, moves, stop_thread);
        let variant = for_thread.start.variant();
        let begun = analyst.begin(variant, || {
            let evaluation = AnyEvaluation::embedded(variant);
            let mut searcher = AnySearcher::with_resources(evaluation, 1, hash)?;
            searcher.set_tablebases(Some(AllTables::with_embedded()));
            Ok(searcher)
        });
        // Nobody may listen any more.
        let told = sender.clone();
        analyst.on_reviewed(move |left| {
            let _ = told.send(Event::Reviewed(left));
        });
        let review = begun.map(|()| review_game(&for_thread, &mut analyst));
        let _ = sender.send(Event::Ended(review));
    });
    let thread = thread.map_err(told::<EngineError>)?;
    let outcome = loop {
        let listened = &mut events;
        let heard = py.detach(move || listened.recv_timeout(SIGNAL_PAUSE));
        let called = match heard {
            Ok(Event::Ended(review)) => break review.map_err(told::<EngineError>),
            Ok(Event::Reviewed(left)) => {
                progress.map_or(Ok(()), |told| told.call1((left,)).map(drop))
            }
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                break Err(EngineError::new_err("the review has ended without a result"));
            }
        };
        if let Err(error) = called.and_then(|()| py.check_signals()) {
            stop.store(true, Ordering::Relaxed);
            break Err(error);
        }
    };
    // It ends at once now.
    let _ = py.detach(|| thread.join());
    Ok(Review { record, review: outcome? })
}
