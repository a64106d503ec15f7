//! The static evaluation of a game: a network, or material and placement.

use std::sync::Arc;

use crate::material::MaterialEvaluation;
use crate::network::{self, HasEmbeddedNetwork, Kernel, Network, NetworkInput};
use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Evaluator};
use qirkat_rules::{alquerque, chesquerque, masonic};

/// The static evaluation of a game: a network, or material and placement. Cheap to
/// clone. The default is the network that the program carries.
///
/// ```
/// use qirkat_evaluation::Evaluation;
/// use qirkat_rules::chesquerque::Position;
///
/// let position: Position = "4k4/9/9/9/9/9/4P4/9/R3K4 w - - 0 1".parse()?;
/// for evaluation in [Evaluation::default(), Evaluation::Material] {
///     assert!(evaluation.evaluate(&position).value() > 300);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub enum GameEvaluation<G: NetworkInput> {
    /// A network, except in known endings.
    Network(Arc<Network<G>>),
    /// Material and placement alone: see [`MaterialEvaluation`].
    Material,
}

/// The static evaluation of Chesquerque.
pub type Evaluation = GameEvaluation<chesquerque::Position>;
/// The static evaluation of Masonic chess. Without a network it counts material only.
pub type MasonicEvaluation = GameEvaluation<masonic::Position>;
/// The static evaluation of Alquerque. Without a network it counts material only.
pub type AlquerqueEvaluation = GameEvaluation<alquerque::Position>;

impl<G: HasEmbeddedNetwork> GameEvaluation<G> {
    /// By the network that the program carries, or material and placement if it carries none.
    pub fn embedded() -> GameEvaluation<G> {
        GameEvaluation::from(Network::embedded().cloned())
    }
}

impl<G: MaterialEvaluation> GameEvaluation<G> {
    /// The network, if there is one.
    pub fn network(&self) -> Option<&Network<G>> {
        match self {
            GameEvaluation::Network(network) => Some(network),
            GameEvaluation::Material => None,
        }
    }

    /// The same evaluation, its network computed with another kernel.
    #[must_use]
    pub fn with_kernel(&self, kernel: Kernel) -> GameEvaluation<G> {
        GameEvaluation::from(self.network().map(|network| Arc::new(network.with_kernel(kernel))))
    }

    /// The value of each piece but the kings to its side, if there is a network: see
    /// [`Network::piece_values`].
    pub fn piece_values(&self, position: &G) -> Option<Vec<(usize, i32)>> {
        Some(self.network()?.piece_values(position))
    }

    /// The static evaluation of a single position for the side to move.
    pub fn evaluate(&self, position: &G) -> Score {
        match self {
            GameEvaluation::Network(network) => {
                position.known_ending_or(|| network.evaluate(position))
            }
            GameEvaluation::Material => position.material_and_placement(),
        }
    }
}

impl<G: HasEmbeddedNetwork> Default for GameEvaluation<G> {
    fn default() -> GameEvaluation<G> {
        GameEvaluation::embedded()
    }
}

impl<G: NetworkInput> Clone for GameEvaluation<G> {
    fn clone(&self) -> GameEvaluation<G> {
        match self {
            GameEvaluation::Network(network) => GameEvaluation::Network(Arc::clone(network)),
            GameEvaluation::Material => GameEvaluation::Material,
        }
    }
}

/// By a network, or material and placement if there is none.
impl<G: NetworkInput> From<Option<Arc<Network<G>>>> for GameEvaluation<G> {
    fn from(network: Option<Arc<Network<G>>>) -> GameEvaluation<G> {
        network.map_or(GameEvaluation::Material, GameEvaluation::Network)
    }
}

impl<G: MaterialEvaluation> Evaluate for GameEvaluation<G> {
    type Game = G;
    type Evaluator<'a> = ThreadEvaluator<'a, G>;

    fn evaluator(&self, root: &G) -> ThreadEvaluator<'_, G> {
        ThreadEvaluator { network: self.network().map(|it| network::Evaluator::new(it, root)) }
    }
}

/// One thread's evaluator.
pub struct ThreadEvaluator<'a, G: NetworkInput> {
    network: Option<network::Evaluator<'a, G>>,
}

impl<G: MaterialEvaluation> Evaluator<G> for ThreadEvaluator<'_, G> {
    #[inline]
    fn evaluate(&mut self, position: &G, ply: Ply) -> Score {
        match &mut self.network {
            Some(network) => position.known_ending_or(|| network.evaluate(position, ply)),
            None => position.material_and_placement(),
        }
    }
}
