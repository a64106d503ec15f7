//! Scores, from one side's view.

use pyo3::prelude::*;

use crate::outcome::{is_white, side};
use qirkat_game::Color;
use qirkat_game::score::Score as EngineScore;

/// A score from one side's view: centipawns, or moves to mate.
///
/// Scores can be compared and negated. Wins that endgame tables know lie above 30000 centipawns,
/// below all mates.
#[pyclass(frozen, eq, ord, hash, module = "qirkat")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Score(pub EngineScore);

#[pymethods]
impl Score {
    /// Centipawns. For a mate `None`, or with `mate_score` that less the moves to mate.
    #[pyo3(signature = (*, mate_score = None))]
    fn score(&self, mate_score: Option<i32>) -> Option<i32> {
        let Some(moves) = self.mate() else { return Some(self.0.value()) };
        let mate_score = mate_score?;
        let moves = i32::from(moves);
        Some(if self.0.is_win() {
            mate_score.saturating_sub(moves)
        } else {
            (-moves).saturating_sub(mate_score)
        })
    }

    /// Moves to mate, below zero if this side is mated; 0 where it is mated already.
    fn mate(&self) -> Option<i16> {
        // Counted by the side that mates, so that both sides tell the same number.
        if self.0.is_loss() {
            (-self.0).moves_to_mate().map(|moves| -moves)
        } else {
            self.0.moves_to_mate()
        }
    }

    /// Whether it is a mate.
    fn is_mate(&self) -> bool {
        self.0.is_mate()
    }

    fn __neg__(&self) -> Score {
        Score(-self.0)
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

/// A score with the side whose view it is.
#[pyclass(frozen, eq, hash, module = "qirkat")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PovScore {
    score: EngineScore,
    color: Color,
}

impl PovScore {
    pub const fn new(score: EngineScore, color: Color) -> PovScore {
        PovScore { score, color }
    }
}

#[pymethods]
impl PovScore {
    /// The score for the side to move.
    #[getter]
    fn relative(&self) -> Score {
        Score(self.score)
    }

    /// The side to move: `True` for White.
    #[getter]
    fn turn(&self) -> bool {
        is_white(self.color)
    }

    /// The score for White.
    fn white(&self) -> Score {
        self.pov(true)
    }

    /// The score for Black.
    fn black(&self) -> Score {
        self.pov(false)
    }

    /// The score for a side.
    fn pov(&self, color: bool) -> Score {
        Score(if self.color == side(color) { self.score } else { -self.score })
    }

    /// Whether it is a mate.
    fn is_mate(&self) -> bool {
        self.score.is_mate()
    }

    fn __str__(&self) -> String {
        self.relative().__str__()
    }

    fn __repr__(&self) -> String {
        format!("<PovScore {} for {:?}>", self.relative().__str__(), self.color)
    }
}
