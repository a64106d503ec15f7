//! Evaluation without a network.

use super::hand_made;
use crate::network::NetworkInput;
use qirkat_game::score::Score;
use qirkat_game::{Board, Color};
use qirkat_rules::{alquerque, chesquerque, masonic};

/// A game with a hand-crafted evaluation. Where there is nothing better it is material, from
/// which the training of a first network starts.
pub trait ByHand: NetworkInput {
    /// The static evaluation for the side to move.
    fn by_hand(&self) -> Score;

    /// Endgame knowledge before evaluation, for the side to move: the value of a known
    /// ending, or else what `evaluate` returns, in centipawns.
    #[inline]
    fn known_ending_or(&self, evaluate: impl FnOnce() -> i32) -> Score {
        Score::centipawns(evaluate())
    }
}

impl ByHand for chesquerque::Position {
    #[inline]
    fn by_hand(&self) -> Score {
        hand_made::evaluate(self)
    }

    #[inline]
    fn known_ending_or(&self, evaluate: impl FnOnce() -> i32) -> Score {
        hand_made::known_ending_or(self, evaluate)
    }
}

impl ByHand for masonic::Position {
    fn by_hand(&self) -> Score {
        let value = |color, kind: masonic::PieceKind| {
            masonic::PIECE_VALUES[kind.index()] * self.of(color, kind).len() as i32
        };
        let material =
            |color| masonic::PieceKind::ALL.into_iter().map(|kind| value(color, kind)).sum();
        balance(self, material)
    }
}

impl ByHand for alquerque::Position {
    fn by_hand(&self) -> Score {
        balance(self, |color| alquerque::MAN_VALUE * self.men(color).len() as i32)
    }
}

/// The material balance for the side to move, in centipawns.
fn balance(position: &impl Board, material: impl Fn(Color) -> i32) -> Score {
    let us = position.side_to_move();
    Score::centipawns(material(us) - material(!us))
}
