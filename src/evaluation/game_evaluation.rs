//! The evaluation of one game and of any game, and the compiled searches with them.

use std::sync::Arc;

use derive_more::From;
use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Evaluator, GameState, Rules};
use qirkat_rules::variant::{AnyPosition, Variant};
use qirkat_rules::{alquerque, chesquerque, masonic, match_game, match_variant};
use qirkat_search::{Reporter, SearchControl, SearchLimits, SearchResult, Searcher};

use crate::material::MaterialEvaluation;
use crate::network::{self, HasEmbeddedNetwork, Kernel, Network, NetworkError, NetworkInput};

/// The static evaluation of a game: a network, or material and placement. Cheap to clone. The
/// default is the embedded network.
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
#[derive(Clone)]
pub enum GameEvaluation<G: NetworkInput> {
    /// A network, except in known endings.
    Network(Arc<Network<G>>),
    /// Material and placement only: see [`MaterialEvaluation`].
    Material,
}

pub type Evaluation = GameEvaluation<chesquerque::Position>;
/// The static evaluation of Masonic chess. Without a network it counts material only.
pub type MasonicEvaluation = GameEvaluation<masonic::Position>;
/// The static evaluation of Alquerque. Without a network it counts material only.
pub type AlquerqueEvaluation = GameEvaluation<alquerque::Position>;

impl<G: HasEmbeddedNetwork> GameEvaluation<G> {
    /// The embedded network, or material and placement if there is none.
    pub fn embedded() -> GameEvaluation<G> {
        GameEvaluation::from(Network::embedded().cloned())
    }
}

impl<G: MaterialEvaluation> GameEvaluation<G> {
    pub fn network(&self) -> Option<&Network<G>> {
        match self {
            GameEvaluation::Network(network) => Some(network),
            GameEvaluation::Material => None,
        }
    }

    #[must_use]
    pub fn with_kernel(&self, kernel: Kernel) -> GameEvaluation<G> {
        GameEvaluation::from(self.network().map(|network| Arc::new(network.with_kernel(kernel))))
    }

    /// The value of each piece, if there is a network: see [`Network::piece_values`].
    pub fn piece_values(&self, position: &G) -> Option<Vec<(usize, i32)>> {
        Some(self.network()?.piece_values(position))
    }

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

/// Uses the network, or material and placement if there is none.
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

/// The network's evaluator; none: material and placement.
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

/// The static evaluation of one of the games. Cheap to clone.
#[derive(Clone, From)]
pub enum AnyEvaluation {
    Chesquerque(Evaluation),
    Masonic(MasonicEvaluation),
    Alquerque(AlquerqueEvaluation),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkInfo {
    /// The checksum of the network's file, which identifies it.
    pub checksum: u32,
    pub kernel: Kernel,
}

impl AnyEvaluation {
    /// The embedded evaluation of a game: its network if there is one.
    pub fn embedded(variant: Variant) -> AnyEvaluation {
        match_variant!(variant, Own => GameEvaluation::<Own>::embedded().into())
    }

    /// An evaluation with a network, given the bytes of its file.
    ///
    /// ```
    /// use qirkat_evaluation::AnyEvaluation;
    /// use qirkat_rules::variant::Variant;
    ///
    /// let error = AnyEvaluation::from_network(Variant::Masonic, b"nothing").err();
    /// assert_eq!(error.map(|error| error.to_string()).as_deref(), Some("not a network of Qirkat"));
    /// ```
    ///
    /// # Errors
    /// When they are damaged, for another game, or not a network.
    pub fn from_network(variant: Variant, bytes: &[u8]) -> Result<AnyEvaluation, NetworkError> {
        match_variant!(variant, Own => {
            let network = Arc::new(Network::<Own>::from_bytes(bytes)?);
            Ok(GameEvaluation::Network(network).into())
        })
    }

    pub const fn variant(&self) -> Variant {
        match_game!(AnyEvaluation, self)
    }

    pub fn network(&self) -> Option<NetworkInfo> {
        match_game!(AnyEvaluation, self, evaluation => evaluation.network().map(|network| NetworkInfo {
            checksum: network.checksum(),
            kernel: network.kernel(),
        }))
    }

    #[must_use]
    pub fn with_kernel(&self, kernel: Kernel) -> AnyEvaluation {
        match_game!(AnyEvaluation, self, own => own.with_kernel(kernel).into())
    }

    /// The static evaluation for the side to move; none if the position is of another game.
    pub fn evaluate(&self, position: &AnyPosition) -> Option<Score> {
        match_game!(
            (AnyEvaluation, AnyPosition), (self, position), (own, position) => Some(own.evaluate(position)),
            None
        )
    }

    /// Each piece except the kings: the number of its point, and its value for its side by the
    /// network. None without a network, or if the position is of another game.
    pub fn piece_values(&self, position: &AnyPosition) -> Option<Vec<(usize, i32)>> {
        match_game!(
            (AnyEvaluation, AnyPosition), (self, position), (own, position) => own.piece_values(position),
            None
        )
    }
}

type Search<E, G = <E as Evaluate>::Game> = fn(
    &mut Searcher<E>,
    &SearchControl,
    &GameState<G>,
    &[<G as Rules>::Move],
    &SearchLimits,
    &mut Reporter<'_, G>,
) -> SearchResult<G>;

/// The search is generic and its entry point never inlined, so dependent crates reuse these
/// instances. A small program compiles in 0.8 s instead of 4.4.
#[used]
static COMPILED_SEARCHES: (
    Search<Evaluation>,
    Search<MasonicEvaluation>,
    Search<AlquerqueEvaluation>,
) = (Searcher::search_under, Searcher::search_under, Searcher::search_under);
