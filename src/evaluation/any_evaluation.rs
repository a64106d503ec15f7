//! The static evaluation of any game.

use super::choice::{AlquerqueEvaluation, Evaluation, MasonicEvaluation};
use crate::network::Kernel;
use qirkat_game::score::Score;
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

/// Evaluates an expression for the evaluation of whichever game it is.
macro_rules! of_each {
    ($any:expr, $evaluation:ident => $value:expr) => {
        match $any {
            AnyEvaluation::Chesquerque($evaluation) => $value,
            AnyEvaluation::Masonic($evaluation) => $value,
            AnyEvaluation::Alquerque($evaluation) => $value,
        }
    };
}

impl AnyEvaluation {
    /// The best evaluation that the program carries for a game: its network if there is
    /// one.
    pub fn embedded(variant: Variant) -> AnyEvaluation {
        match variant {
            Variant::Chesquerque => AnyEvaluation::Chesquerque(Evaluation::embedded()),
            Variant::Masonic => AnyEvaluation::Masonic(MasonicEvaluation::embedded()),
            Variant::Alquerque => AnyEvaluation::Alquerque(AlquerqueEvaluation::embedded()),
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
    pub fn network(&self) -> Option<NetworkInfo> {
        of_each!(self, evaluation => evaluation.network().map(|network| NetworkInfo {
            checksum: network.checksum(),
            kernel: network.kernel(),
        }))
    }

    /// The same, its network computed with another kernel.
    #[must_use]
    pub fn with_kernel(&self, kernel: Kernel) -> AnyEvaluation {
        match self {
            AnyEvaluation::Chesquerque(own) => AnyEvaluation::Chesquerque(own.with_kernel(kernel)),
            AnyEvaluation::Masonic(own) => AnyEvaluation::Masonic(own.with_kernel(kernel)),
            AnyEvaluation::Alquerque(own) => AnyEvaluation::Alquerque(own.with_kernel(kernel)),
        }
    }

    /// The static evaluation of a single position for the side to move; none
    /// for a position of another game.
    pub fn evaluate(&self, position: &AnyPosition) -> Option<Score> {
        Some(match (self, position) {
            (AnyEvaluation::Chesquerque(own), AnyPosition::Chesquerque(it)) => own.evaluate(it),
            (AnyEvaluation::Masonic(own), AnyPosition::Masonic(it)) => own.evaluate(it),
            (AnyEvaluation::Alquerque(own), AnyPosition::Alquerque(it)) => own.evaluate(it),
            _ => return None,
        })
    }

    /// The value of each piece but the kings to its side, by the network, with the number
    /// of its point; none without a network, or for a position of another game.
    pub fn piece_values(&self, position: &AnyPosition) -> Option<Vec<(usize, i32)>> {
        match (self, position) {
            (AnyEvaluation::Chesquerque(own), AnyPosition::Chesquerque(it)) => own.piece_values(it),
            (AnyEvaluation::Masonic(own), AnyPosition::Masonic(it)) => own.piece_values(it),
            (AnyEvaluation::Alquerque(own), AnyPosition::Alquerque(it)) => own.piece_values(it),
            _ => None,
        }
    }
}

impl From<Evaluation> for AnyEvaluation {
    fn from(evaluation: Evaluation) -> AnyEvaluation {
        AnyEvaluation::Chesquerque(evaluation)
    }
}

impl From<MasonicEvaluation> for AnyEvaluation {
    fn from(evaluation: MasonicEvaluation) -> AnyEvaluation {
        AnyEvaluation::Masonic(evaluation)
    }
}

impl From<AlquerqueEvaluation> for AnyEvaluation {
    fn from(evaluation: AlquerqueEvaluation) -> AnyEvaluation {
        AnyEvaluation::Alquerque(evaluation)
    }
}
