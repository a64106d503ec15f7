//! How a game ended.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::pickle::{Reduced, made_of};
use qirkat_game::{Color, DrawReason, GameResult, Outcome as RulesOutcome};

/// Whether a side is White, as Python tells sides.
pub(crate) const fn is_white(color: Color) -> bool {
    matches!(color, Color::White)
}

/// The side that Python tells by `True` for White.
pub(crate) const fn side(is_white: bool) -> Color {
    if is_white { Color::White } else { Color::Black }
}

/// How a game ended, and who won.
#[pyclass(frozen, eq, hash, module = "qirkat")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Outcome(pub RulesOutcome);

#[pymethods]
impl Outcome {
    /// The reason: `checkmate`, `blocked`, `no_pieces`, `stalemate`, `repetition`,
    /// `hundred_plies` or `insufficient_material`.
    #[getter]
    fn termination(&self) -> &'static str {
        match self.0 {
            RulesOutcome::Checkmate(_) => "checkmate",
            RulesOutcome::Blocked(_) => "blocked",
            RulesOutcome::NoPieces(_) => "no_pieces",
            RulesOutcome::Draw(DrawReason::Stalemate) => "stalemate",
            RulesOutcome::Draw(DrawReason::Repetition) => "repetition",
            RulesOutcome::Draw(DrawReason::HundredPlies) => "hundred_plies",
            RulesOutcome::Draw(DrawReason::InsufficientMaterial) => "insufficient_material",
        }
    }

    /// Who won: `True` for White; `None` in a draw.
    #[getter]
    fn winner(&self) -> Option<bool> {
        self.0.winner().map(is_white)
    }

    /// The result as in PGN: `1-0`, `0-1` or `1/2-1/2`.
    fn result(&self) -> &'static str {
        GameResult::from(self.0).text()
    }

    /// What a pickle is made into again.
    #[classmethod]
    fn _of(
        _class: &Bound<'_, PyType>,
        termination: &str,
        winner: Option<bool>,
    ) -> PyResult<Outcome> {
        let won = winner.map(side);
        let wins = [RulesOutcome::Checkmate, RulesOutcome::Blocked, RulesOutcome::NoPieces];
        let draws = [
            DrawReason::Stalemate,
            DrawReason::Repetition,
            DrawReason::HundredPlies,
            DrawReason::InsufficientMaterial,
        ];
        let all: Vec<RulesOutcome> = match won {
            Some(won) => wins.into_iter().map(|win| win(won)).collect(),
            None => draws.into_iter().map(RulesOutcome::Draw).collect(),
        };
        let mut all = all.into_iter().map(Outcome);
        let found = all.find(|outcome| outcome.termination() == termination);
        found.ok_or_else(|| PyValueError::new_err("no end of a game"))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (&'static str, Option<bool>)> {
        let outcome = slf.get();
        made_of(slf, (outcome.termination(), outcome.winner()))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let winner = match self.winner() {
            Some(true) => "True",
            Some(false) => "False",
            None => "None",
        };
        format!("<Outcome termination='{}' winner={winner}>", self.termination())
    }
}
