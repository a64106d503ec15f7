//! How games end, in all games alike.

use derive_more::Display;

use super::color::Color;

/// Reversible plies that draw a game; see [`DrawReason::HundredPlies`].
pub const DRAWING_CLOCK: u16 = 100;

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
pub enum Outcome {
    /// The named side has given checkmate.
    #[display("{_0:?} mates")]
    Checkmate(Color),
    /// The named side has won: the other is to move and has no legal move, in a game where
    /// that loses.
    #[display("{:?} has no legal move", !*_0)]
    Blocked(Color),
    /// The named side has won: the other has no piece left.
    #[display("{:?} has no piece left", !*_0)]
    NoPieces(Color),
    /// Nobody has won.
    #[display("draw by {_0}")]
    Draw(DrawReason),
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
pub enum DrawReason {
    /// The side to move has no legal move and is not in check.
    #[display("stalemate")]
    Stalemate,
    /// The position has occurred three times.
    #[display("threefold repetition")]
    Repetition,
    /// 100 reversible plies (the 50-move rule): in chess without a capture or pawn move, in
    /// draughts without a jump or step forward.
    #[display("100 plies without capture or advance")]
    HundredPlies,
    /// No series of legal moves can mate.
    #[display("insufficient material")]
    InsufficientMaterial,
}

impl Outcome {
    /// The side that has won, if one has.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate(winner) | Outcome::Blocked(winner) | Outcome::NoPieces(winner) => {
                Some(winner)
            }
            Outcome::Draw(_) => None,
        }
    }
}
