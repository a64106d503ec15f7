//! Reviews of games: what each move was worth and why.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple, PyType};

use crate::convert::{EngineError, Reduced, Whole, ensure_legal, made_of, told};
use crate::engine::{DEFAULT_HASH, SIGNAL_PAUSE, ensure_hash};
use crate::limit::Limit;
use crate::moves::Move;
use crate::pgn::Game;
use qirkat_analysis::review::{
    AnnotationStyle, EngineAnalyst, GameReview, Mark, MoveReview, Phase, RatedLine, ReviewData,
    annotate, review_game,
};
use qirkat_engine::AnySearcher;
use qirkat_evaluation::{AnyEvaluation, Chances};
use qirkat_game::Rules;
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_rules::pgn::PgnGame;
use qirkat_rules::variant::{AnyMove, AnyPosition};
use qirkat_search::{ResourceError, SEARCH_STACK_BYTES};
use qirkat_tablebase::AllTables;

/// A reviewed game.
#[pyclass(frozen, module = "qirkat")]
pub(crate) struct Review {
    record: PgnGame,
    review: GameReview,
    /// The same as plain data, cached.
    data: PyOnceLock<Py<PyAny>>,
}

/// A pickled line: moves, score, win and loss probabilities, depth.
type LineState = (Vec<Move>, i16, (f64, f64), i16);
/// A pickled move: its line, the alternative, its loss, mark and phase by index, whether it was the
/// only move, or missed a win, and the reason.
type MoveState =
    (LineState, Option<LineState>, f64, Option<usize>, usize, (bool, bool), Option<String>);

fn line_state(line: &RatedLine) -> LineState {
    let RatedLine { moves, score, chances: Chances { win, loss }, depth } = line;
    let moves = moves.iter().map(|&mv| Move(mv)).collect();
    (moves, score.to_bits(), (*win, *loss), depth.0)
}

/// Restores a line of legal moves.
fn line_of(position: AnyPosition, state: LineState) -> PyResult<RatedLine> {
    let (moves, score, (win, loss), depth) = state;
    let mut after = position;
    for &Move(mv) in &moves {
        ensure_legal(&after, mv)?;
        after.make(mv);
    }
    Ok(RatedLine {
        moves: moves.into_iter().map(|mv| mv.0).collect(),
        score: Score::from_bits(score),
        chances: Chances { win, loss },
        depth: Depth(depth),
    })
}

fn move_state(review: &MoveReview) -> MoveState {
    // All fields except the two taken from the game record.
    let MoveReview {
        position: _,
        played: _,
        line,
        alternative,
        loss,
        mark,
        is_only_move,
        missed_win,
        phase,
        reason,
    } = review;
    (
        line_state(line),
        alternative.as_ref().map(line_state),
        *loss,
        mark.and_then(|mark| Mark::ALL.iter().position(|&known| known == mark)),
        Phase::ALL.iter().position(|known| known == phase).unwrap_or_default(),
        (*is_only_move, *missed_win),
        reason.clone(),
    )
}

fn move_of(position: AnyPosition, played: AnyMove, state: MoveState) -> PyResult<MoveReview> {
    let (line, alternative, loss, mark, phase, (is_only_move, missed_win), reason) = state;
    let unknown = || PyValueError::new_err("no review of a game");
    Ok(MoveReview {
        position,
        played,
        line: line_of(position, line)?,
        alternative: alternative.map(|line| line_of(position, line)).transpose()?,
        loss,
        mark: mark.map(|mark| Mark::ALL.get(mark).copied().ok_or_else(unknown)).transpose()?,
        is_only_move,
        missed_win,
        phase: Phase::ALL.get(phase).copied().ok_or_else(unknown)?,
        reason,
    })
}

impl Review {
    fn of(record: PgnGame, review: GameReview) -> Review {
        Review { record, review, data: PyOnceLock::new() }
    }

    /// A part of the review as plain data.
    fn part<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let data = self.data.get_or_try_init(py, || self.to_dict(py).map(Bound::unbind))?;
        data.bind(py).get_item(name)
    }
}

#[pymethods]
impl Review {
    /// Restores a pickled value.
    #[classmethod]
    fn _of(
        _class: &Bound<'_, PyType>,
        game: &Game,
        unreviewed: usize,
        states: Vec<MoveState>,
    ) -> PyResult<Review> {
        let record = game.record.clone();
        let mut position = record.start;
        let mut states = states.into_iter();
        let mut moves = Vec::new();
        for (ply, played) in record.moves.iter().enumerate() {
            if ply >= unreviewed
                && let Some(state) = states.next()
            {
                moves.push(move_of(position, played.mv, state)?);
            }
            position.make(played.mv);
        }
        Ok(Review::of(record, GameReview { unreviewed, moves }))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Game, usize, Vec<MoveState>)> {
        let Review { record, review: GameReview { unreviewed, moves }, data: _ } = slf.get();
        let states = moves.iter().map(move_state).collect();
        made_of(slf, (Game::of(record.clone()), *unreviewed, states))
    }

    /// The game with the review as comments, NAGs and variations.
    fn annotated(&self) -> Game {
        Game::of(annotate(&self.record, &self.review, AnnotationStyle::default()))
    }

    /// The review as plain data, as printed by `qirkat annotate --json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let data = ReviewData::of(&self.record, &self.review);
        let text = serde_json::to_string(&data).map_err(told::<PyValueError>)?;
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
/// applies to each search and is one of nodes, depth and time; time is per move, and the whole
/// review takes at most twice that on average. `progress` is called after each move with the number
/// left.
#[pyfunction]
#[pyo3(
    signature = (game, limit, *, progress = None, hash = DEFAULT_HASH),
    text_signature = "(game, limit, *, progress=None, hash=16)",
)]
pub(crate) fn review(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    limit: &Limit,
    progress: Option<&Bound<'_, PyAny>>,
    hash: Whole,
) -> PyResult<Review> {
    let record = game.try_borrow()?.record.clone();
    let (budget, hash) = (limit.budget()?, ensure_hash(hash)?);
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, mut events) = mpsc::channel();
    let (for_thread, stop_thread) = (record.clone(), Arc::clone(&stop));
    // The search needs a larger stack than a Python thread may have.
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
        // The receiver may be gone.
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
    Ok(Review::of(record, outcome?))
}
