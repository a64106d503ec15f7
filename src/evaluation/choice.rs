//! What evaluates positions: a network, or the terms made by hand.

use std::sync::Arc;

use super::hand_made::{evaluate, known_ending_or};
use crate::chesquerque::Position;
use crate::distance::Ply;
use crate::game::{Evaluate, Evaluator};
use crate::network::{self, Network};
use crate::score::Score;

/// The static evaluation of Chesquerque: a network, or terms made by hand. Cheap to
/// clone. The default is the network that the program carries.
///
/// ```
/// use qirkat::{Evaluation, Position};
///
/// let position: Position = "4k4/9/9/9/9/9/4P4/9/R3K4 w - - 0 1".parse()?;
/// for evaluation in [Evaluation::default(), Evaluation::HandMade] {
///     assert!(evaluation.evaluate(&position).value() > 300);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub enum Evaluation {
    /// A network, but for the endings that are known.
    Network(Arc<Network>),
    /// The evaluation made by hand.
    HandMade,
}

impl Evaluation {
    /// By the network that the program carries, or by hand if it carries none.
    pub fn embedded() -> Evaluation {
        Evaluation::from(Network::embedded().cloned())
    }

    /// The network, if there is one.
    pub fn network(&self) -> Option<&Network> {
        match self {
            Evaluation::Network(network) => Some(network),
            Evaluation::HandMade => None,
        }
    }

    /// The static evaluation of a single position for the side to move.
    pub fn evaluate(&self, position: &Position) -> Score {
        match self {
            Evaluation::Network(network) => {
                known_ending_or(position, || network.evaluate(position))
            }
            Evaluation::HandMade => evaluate(position),
        }
    }
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::embedded()
    }
}

/// By a network, or by hand if there is none.
impl From<Option<Arc<Network>>> for Evaluation {
    fn from(network: Option<Arc<Network>>) -> Evaluation {
        network.map_or(Evaluation::HandMade, Evaluation::Network)
    }
}

impl Evaluate for Evaluation {
    type Game = Position;
    type Evaluator<'a> = ThreadEvaluator<'a>;

    fn evaluator(&self, root: &Position) -> ThreadEvaluator<'_> {
        ThreadEvaluator { network: self.network().map(|it| network::Evaluator::new(it, root)) }
    }
}

/// One thread's evaluator.
pub struct ThreadEvaluator<'a> {
    network: Option<network::Evaluator<'a>>,
}

impl Evaluator<Position> for ThreadEvaluator<'_> {
    #[inline]
    fn evaluate(&mut self, position: &Position, ply: Ply) -> Score {
        match &mut self.network {
            Some(network) => known_ending_or(position, || network.evaluate(position, ply)),
            None => evaluate(position),
        }
    }
}
