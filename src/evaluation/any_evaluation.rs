//! The static evaluation of any game.

use std::sync::Arc;

use super::game_evaluation::{AlquerqueEvaluation, Evaluation, GameEvaluation, MasonicEvaluation};
use crate::network::{Kernel, Network, NetworkError, NetworkInput};
use qirkat_game::score::Score;
use qirkat_rules::of_each_game;
use qirkat_rules::variant::{AnyPosition, Variant};

/// The static evaluation of one of the games. Cheap to clone.
#[derive(Clone)]
pub enum AnyEvaluation {
    /// Chesquerque.
    Chesquerque(Evaluation),
    /// Masonic chess.
    Masonic(MasonicEvaluation),
    /// Alquerque.
    Alquerque(AlquerqueEvaluation),
}

/// Checksum and kernel of a network of any game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkInfo {
    /// The checksum of its file, which identifies it.
    pub checksum: u32,
    /// The kernel it computes with.
    pub kernel: Kernel,
}

impl AnyEvaluation {
    /// The best evaluation that the program carries for a game: its network if there is
    /// one.
    pub fn embedded(variant: Variant) -> AnyEvaluation {
        match variant {
            Variant::Chesquerque => Evaluation::embedded().into(),
            Variant::Masonic => MasonicEvaluation::embedded().into(),
            Variant::Alquerque => AlquerqueEvaluation::embedded().into(),
        }
    }

    /// By the network in these bytes of a file.
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
    /// When they are damaged, of another game, or no network at all.
    pub fn from_network(variant: Variant, bytes: &[u8]) -> Result<AnyEvaluation, NetworkError> {
        fn read<G: NetworkInput>(bytes: &[u8]) -> Result<GameEvaluation<G>, NetworkError> {
            Ok(GameEvaluation::from(Some(Arc::new(Network::from_bytes(bytes)?))))
        }
        Ok(match variant {
            Variant::Chesquerque => Evaluation::into(read(bytes)?),
            Variant::Masonic => MasonicEvaluation::into(read(bytes)?),
            Variant::Alquerque => AlquerqueEvaluation::into(read(bytes)?),
        })
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
    pub fn network(&self) -> Option<NetworkInfo> {
        of_each_game!(AnyEvaluation, self, evaluation => evaluation.network().map(|network| NetworkInfo {
            checksum: network.checksum(),
            kernel: network.kernel(),
        }))
    }

    /// The same, its network computed with another kernel.
    #[must_use]
    pub fn with_kernel(&self, kernel: Kernel) -> AnyEvaluation {
        of_each_game!(AnyEvaluation, self, own => own.with_kernel(kernel).into())
    }

    /// The static evaluation of a single position for the side to move; none
    /// for a position of another game.
    pub fn evaluate(&self, position: &AnyPosition) -> Option<Score> {
        of_each_game!(
            (AnyEvaluation, AnyPosition), (self, position), (own, position) => Some(own.evaluate(position)),
            None
        )
    }

    /// The value of each piece but the kings to its side, by the network, with the number
    /// of its point; none without a network, or for a position of another game.
    pub fn piece_values(&self, position: &AnyPosition) -> Option<Vec<(usize, i32)>> {
        of_each_game!(
            (AnyEvaluation, AnyPosition), (self, position), (own, position) => own.piece_values(position),
            None
        )
    }
}

/// The evaluation of a game as one of any game.
macro_rules! from_own {
    ($($game:ident: $evaluation:ty),*) => {$(
        impl From<$evaluation> for AnyEvaluation {
            fn from(evaluation: $evaluation) -> AnyEvaluation {
                AnyEvaluation::$game(evaluation)
            }
        }
    )*};
}

from_own!(Chesquerque: Evaluation, Masonic: MasonicEvaluation, Alquerque: AlquerqueEvaluation);
