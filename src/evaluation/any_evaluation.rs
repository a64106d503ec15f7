//! The static evaluation of any game.

use super::choice::Evaluation;
use super::material::MaterialEvaluation;
use crate::network::Network;
use crate::score::Score;
use crate::variant::{AnyPosition, Variant};
use crate::{alquerque, masonic};

/// What one of the games is evaluated by. Cheap to clone.
#[derive(Clone)]
pub enum AnyEvaluation {
    /// Chesquerque, by a network or by hand.
    Chesquerque(Evaluation),
    /// Masonic chess, by material.
    Masonic(MaterialEvaluation<masonic::Position>),
    /// Alquerque, by material.
    Alquerque(MaterialEvaluation<alquerque::Position>),
}

impl AnyEvaluation {
    /// The best that the program carries for a game.
    pub fn embedded(variant: Variant) -> AnyEvaluation {
        match variant {
            Variant::Chesquerque => AnyEvaluation::Chesquerque(Evaluation::embedded()),
            Variant::Masonic => AnyEvaluation::Masonic(MaterialEvaluation::new()),
            Variant::Alquerque => AnyEvaluation::Alquerque(MaterialEvaluation::new()),
        }
    }

    /// The game.
    pub const fn variant(&self) -> Variant {
        match self {
            AnyEvaluation::Chesquerque(_) => Variant::Chesquerque,
            AnyEvaluation::Masonic(_) => Variant::Masonic,
            AnyEvaluation::Alquerque(_) => Variant::Alquerque,
        }
    }

    /// The network, if it evaluates by one.
    pub fn network(&self) -> Option<&Network> {
        match self {
            AnyEvaluation::Chesquerque(evaluation) => evaluation.network(),
            AnyEvaluation::Masonic(_) | AnyEvaluation::Alquerque(_) => None,
        }
    }

    /// The static evaluation of a single position for the side to move; none
    /// for a position of another game.
    pub fn evaluate(&self, position: &AnyPosition) -> Option<Score> {
        Some(match (self, position) {
            (AnyEvaluation::Chesquerque(evaluation), AnyPosition::Chesquerque(position)) => {
                evaluation.evaluate(position)
            }
            (AnyEvaluation::Masonic(_), AnyPosition::Masonic(position)) => {
                MaterialEvaluation::evaluate(position)
            }
            (AnyEvaluation::Alquerque(_), AnyPosition::Alquerque(position)) => {
                MaterialEvaluation::evaluate(position)
            }
            _ => return None,
        })
    }
}

impl From<Evaluation> for AnyEvaluation {
    fn from(evaluation: Evaluation) -> AnyEvaluation {
        AnyEvaluation::Chesquerque(evaluation)
    }
}
