//! Scores from one side's point of view.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::convert::{Reduced, Whole, made_of};
use qirkat_game::score::Score as EngineScore;

/// A score from one side's point of view: centipawns, or moves to mate.
///
/// Scores can be compared and negated. Tablebase wins lie above 30000 centipawns, below all mates.
#[pyclass(frozen, eq, ord, hash, module = "qirkat")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Score(pub EngineScore);

#[pymethods]
impl Score {
    /// Centipawns. For a mate `None`, or `mate_score` minus the moves to mate.
    #[pyo3(signature = (*, mate_score = None))]
    fn score(&self, mate_score: Option<Whole>) -> PyResult<Option<i64>> {
        let Some(moves) = self.mate() else { return Ok(Some(self.0.value().into())) };
        let Some(mate_score) = mate_score else { return Ok(None) };
        let mate_score = i64::from(mate_score.within("mate_score", i32::MIN..=i32::MAX)?);
        let moves = i64::from(moves);
        Ok(Some(if self.0.is_win() { mate_score - moves } else { -moves - mate_score }))
    }

    /// Moves to mate, negative if this side is mated; 0 if it is already mated.
    fn mate(&self) -> Option<i16> {
        self.0.moves_to_mate()
    }

    /// Whether it is a mate.
    fn is_mate(&self) -> bool {
        self.0.is_mate()
    }

    fn __neg__(&self) -> Score {
        Score(-self.0)
    }

    #[classmethod]
    fn _of(_class: &Bound<'_, PyType>, bits: i16) -> Score {
        Score(EngineScore::from_bits(bits))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (i16,)> {
        made_of(slf, (slf.get().0.to_bits(),))
    }

    fn __str__(&self) -> String {
        match self.mate() {
            Some(moves) if self.0.is_win() => format!("#+{moves}"),
            Some(moves) => format!("#-{}", moves.abs()),
            None => format!("{:+}", self.0.value()),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Score {}>", self.__str__())
    }
}

/// A score in centipawns, at most 31871 from 0.
///
/// >>> Cp(20) < Mate(3)
/// True
#[pyfunction(name = "Cp")]
pub(crate) fn cp(cp: Whole) -> Score {
    let bounds = (i128::from(i32::MIN), i128::from(i32::MAX));
    Score(EngineScore::centipawns(cp.0.clamp(bounds.0, bounds.1) as i32))
}

/// A mate in this many moves, negative if this side is mated; 0 if it is already mated.
#[pyfunction(name = "Mate")]
pub(crate) fn mate(moves: Whole) -> PyResult<Score> {
    let read = format!("mate {moves}").parse();
    read.map(Score).map_err(|_| PyValueError::new_err(format!("moves={moves}: too far to mate")))
}
