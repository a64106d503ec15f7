//! Reviews of games: what each move was worth and why.

use std::sync::mpsc::{self, RecvTimeoutError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple, PyType};

use crate::convert::{EngineError, Reduced, Whole, ensure_legal, made_of, py_error};
use crate::engine::{DEFAULT_HASH, SIGNAL_PAUSE, ensure_hash};
use crate::limit::Limit;
use crate::pgn::{game_of, record_of};
use qirkat_analysis::review::{
    AnnotationStyle, EngineAnalyst, GameReview, LeftBook, ReviewData, annotate, review_game,
};
use qirkat_engine::book::Book;
use qirkat_engine::{AnySearcher, Background};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::Rules;
use qirkat_rules::pgn::PgnGame;
use qirkat_search::ResourceError;
use qirkat_tablebase::AllTables;

/// A reviewed game.
#[pyclass(frozen, module = "qirkat")]
pub(crate) struct Review {
    record: PgnGame,
    review: GameReview,
    /// The review as plain data, cached.
    data: PyOnceLock<Py<PyAny>>,
}

/// Fails if a review is not of this game, or has an illegal move.
fn ensure_review(record: &PgnGame, review: &GameReview) -> PyResult<()> {
    let mismatch = || PyValueError::new_err("not a review of this game");
    if review.unreviewed.checked_add(review.moves.len()) != Some(record.moves.len()) {
        return Err(mismatch());
    }
    let mut position = record.start;
    let mut left_book = review.left_book;
    for (ply, played) in record.moves.iter().enumerate() {
        if let Some(left) = left_book.take_if(|left| left.at == ply) {
            left.best.map_or(Ok(()), |best| ensure_legal(&position, best))?;
        }
        let reviewed = ply.checked_sub(review.unreviewed).and_then(|at| review.moves.get(at));
        if let Some(reviewed) = reviewed {
            if (reviewed.position, reviewed.played) != (position, played.mv) {
                return Err(mismatch());
            }
            for line in std::iter::once(&reviewed.line).chain(&reviewed.alternative) {
                let mut after = position;
                for &mv in &line.moves {
                    ensure_legal(&after, mv)?;
                    after.make(mv);
                }
            }
        }
        position.make(played.mv);
    }
    left_book.map_or(Ok(()), |_| Err(mismatch()))
}

impl Review {
    fn of(record: PgnGame, review: GameReview) -> Review {
        Review { record, review, data: PyOnceLock::new() }
    }

    fn part<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let data = self.data.get_or_try_init(py, || self.to_dict(py).map(Bound::unbind))?;
        data.bind(py).get_item(name)
    }
}

#[pymethods]
impl Review {
    #[classmethod]
    fn _of(_class: &Bound<'_, PyType>, game: &Bound<'_, PyAny>, review: &str) -> PyResult<Review> {
        let record = record_of(game)?;
        let review = serde_json::from_str(review).map_err(py_error::<PyValueError>)?;
        ensure_review(&record, &review)?;
        Ok(Review::of(record, review))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Bound<'py, PyAny>, String)> {
        let Review { record, review, .. } = slf.get();
        let review = serde_json::to_string(review).map_err(py_error::<PyValueError>)?;
        made_of(slf, (game_of(slf.py(), record.clone())?, review))
    }

    /// The game with the review as comments, NAGs and variations.
    fn annotated<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        game_of(py, annotate(&self.record, &self.review, AnnotationStyle::default()))
    }

    /// The review as plain data, as printed by `qirkat annotate --json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let data = ReviewData::of(&self.record, &self.review);
        let text = serde_json::to_string(&data).map_err(py_error::<PyValueError>)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The review's moves: a dictionary each, as in `to_dict`.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Ok(self.part(py, "moves")?.cast_into::<PyList>()?.to_tuple())
    }

    /// Each side's accuracy: a dictionary, as in `to_dict`.
    #[getter]
    fn accuracy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.part(py, "accuracy")
    }

    /// White's expected points, from 0 to 1, before the first move and after each.
    #[getter]
    fn expectations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.review.white_expectations())
    }

    fn __len__(&self) -> usize {
        self.review.moves.len()
    }

    fn __repr__(&self) -> String {
        format!("<Review of {} plies>", self.review.moves.len())
    }
}

enum Event {
    Reviewed(usize),
    Ended(Result<GameReview, ResourceError>),
}

/// Reviews a game, from the last move to the first: what each move was worth and why. `limit`
/// is one of nodes and depth, which apply to each search, or time, which is per move: the whole
/// review takes at most twice that on average. `progress` is called after each move with the number
/// left.
#[pyfunction]
#[pyo3(
    signature = (game, limit, *, progress = None, hash = DEFAULT_HASH),
    text_signature = "(game, limit, *, progress=None, hash=16)",
)]
pub(crate) fn review(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    limit: Limit,
    progress: Option<&Bound<'_, PyAny>>,
    hash: Whole,
) -> PyResult<Review> {
    let record = record_of(game)?;
    let mut position = record.start;
    for played in &record.moves {
        ensure_legal(&position, played.mv)?;
        position.make(played.mv);
    }
    let (budget, hash) = (limit.budget()?, ensure_hash(hash)?);
    let (sender, mut events) = mpsc::channel();
    let for_thread = record.clone();
    // The search needs a larger stack than a Python thread may have.
    let work = Background::start("review", move |stop| {
        let moves = for_thread.moves.len() as u64;
        let mut analyst = EngineAnalyst::new(budget, moves, stop);
        let variant = for_thread.start.variant();
        let started = analyst.begin(variant, || {
            let evaluation = AnyEvaluation::embedded(variant);
            let mut searcher = AnySearcher::with_resources(evaluation, 1, hash)?;
            searcher.set_tablebases(Some(AllTables::with_embedded()));
            Ok(searcher)
        });
        let progress_sender = sender.clone();
        // The receiver of these may be gone.
        analyst.on_reviewed(move |left| {
            let _ = progress_sender.send(Event::Reviewed(left));
        });
        let left_book = LeftBook::of(&for_thread, Book::embedded(variant));
        let review =
            started.map(|()| GameReview { left_book, ..review_game(&for_thread, &mut analyst) });
        let _ = sender.send(Event::Ended(review));
    });
    let work = work.map_err(py_error::<EngineError>)?;
    let outcome = loop {
        let receiver = &mut events;
        let event = py.detach(move || receiver.recv_timeout(SIGNAL_PAUSE));
        let called = match event {
            Ok(Event::Ended(review)) => break review.map_err(py_error::<EngineError>),
            Ok(Event::Reviewed(left)) => {
                progress.map_or(Ok(()), |progress| progress.call1((left,)).map(drop))
            }
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                break Err(EngineError::new_err("the review has ended without a result"));
            }
        };
        if let Err(error) = called.and_then(|()| py.check_signals()) {
            break Err(error);
        }
    };
    // The review has ended, or ends soon.
    py.detach(|| drop(work));
    Ok(Review::of(record, outcome?))
}
