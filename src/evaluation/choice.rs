//! The choice of evaluation: a network, or hand-crafted terms.

use std::sync::Arc;

use super::by_hand::ByHand;
use crate::network::{
    self, ALQUERQUE_HIDDEN, AlquerqueNetwork, CHESQUERQUE_HIDDEN, ChesquerqueNetwork, Kernel,
    MASONIC_HIDDEN, MasonicNetwork, Network, NetworkInput,
};
use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Evaluator};
use qirkat_rules::{alquerque, chesquerque, masonic};

/// The static evaluation of a game: a network, or hand-crafted terms. Cheap to
/// clone. The default is the network that the program carries.
///
/// ```
/// use qirkat_evaluation::Evaluation;
/// use qirkat_rules::chesquerque::Position;
///
/// let position: Position = "4k4/9/9/9/9/9/4P4/9/R3K4 w - - 0 1".parse()?;
/// for evaluation in [Evaluation::default(), Evaluation::HandMade] {
///     assert!(evaluation.evaluate(&position).value() > 300);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub enum Choice<G, const HIDDEN: usize> {
    /// A network, except in known endings.
    Network(Arc<Network<G, HIDDEN>>),
    /// The hand-crafted evaluation: see [`ByHand`].
    HandMade,
}

/// The static evaluation of Chesquerque.
pub type Evaluation = Choice<chesquerque::Position, CHESQUERQUE_HIDDEN>;
/// The static evaluation of Masonic chess; the hand-crafted one counts material only.
pub type MasonicEvaluation = Choice<masonic::Position, MASONIC_HIDDEN>;
/// The static evaluation of Alquerque; the hand-crafted one counts material only.
pub type AlquerqueEvaluation = Choice<alquerque::Position, ALQUERQUE_HIDDEN>;

impl<G: ByHand, const HIDDEN: usize> Choice<G, HIDDEN> {
    /// The network, if there is one.
    pub fn network(&self) -> Option<&Network<G, HIDDEN>> {
        match self {
            Choice::Network(network) => Some(network),
            Choice::HandMade => None,
        }
    }

    /// The same evaluation, its network computed with another kernel.
    #[must_use]
    pub fn with_kernel(&self, kernel: Kernel) -> Choice<G, HIDDEN> {
        Choice::from(self.network().map(|network| Arc::new(network.with_kernel(kernel))))
    }

    /// The value of each piece but the kings to its side, if there is a network: see
    /// [`Network::piece_values`].
    pub fn piece_values(&self, position: &G) -> Option<Vec<(usize, i32)>> {
        Some(self.network()?.piece_values(position))
    }

    /// The static evaluation of a single position for the side to move.
    pub fn evaluate(&self, position: &G) -> Score {
        match self {
            Choice::Network(network) => position.known_ending_or(|| network.evaluate(position)),
            Choice::HandMade => position.by_hand(),
        }
    }
}

/// By the embedded network of each game, or by hand where there is none.
macro_rules! embedded {
    ($($evaluation:ty, $network:ty;)*) => {$(
        impl $evaluation {
            /// By the network that the program carries, or by hand if it carries none.
            pub fn embedded() -> $evaluation {
                Choice::from(<$network>::embedded().cloned())
            }
        }

        impl Default for $evaluation {
            fn default() -> $evaluation {
                <$evaluation>::embedded()
            }
        }
    )*};
}

embedded! {
    Evaluation, ChesquerqueNetwork;
    MasonicEvaluation, MasonicNetwork;
    AlquerqueEvaluation, AlquerqueNetwork;
}

impl<G, const HIDDEN: usize> Clone for Choice<G, HIDDEN> {
    fn clone(&self) -> Choice<G, HIDDEN> {
        match self {
            Choice::Network(network) => Choice::Network(Arc::clone(network)),
            Choice::HandMade => Choice::HandMade,
        }
    }
}

/// By a network, or by hand if there is none.
impl<G, const HIDDEN: usize> From<Option<Arc<Network<G, HIDDEN>>>> for Choice<G, HIDDEN> {
    fn from(network: Option<Arc<Network<G, HIDDEN>>>) -> Choice<G, HIDDEN> {
        network.map_or(Choice::HandMade, Choice::Network)
    }
}

impl<G: ByHand, const HIDDEN: usize> Evaluate for Choice<G, HIDDEN> {
    type Game = G;
    type Evaluator<'a> = ThreadEvaluator<'a, G, HIDDEN>;

    fn evaluator(&self, root: &G) -> ThreadEvaluator<'_, G, HIDDEN> {
        ThreadEvaluator { network: self.network().map(|it| network::Evaluator::new(it, root)) }
    }
}

/// One thread's evaluator.
pub struct ThreadEvaluator<'a, G: NetworkInput, const HIDDEN: usize> {
    network: Option<network::Evaluator<'a, G, HIDDEN>>,
}

impl<G: ByHand, const HIDDEN: usize> Evaluator<G> for ThreadEvaluator<'_, G, HIDDEN> {
    #[inline]
    fn evaluate(&mut self, position: &G, ply: Ply) -> Score {
        match &mut self.network {
            Some(network) => position.known_ending_or(|| network.evaluate(position, ply)),
            None => position.by_hand(),
        }
    }
}
