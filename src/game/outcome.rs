//! How games end, in all games alike.

use std::fmt;

use super::color::Color;

/// Reversible plies that draw a game; see [`DrawReason::HundredPlies`].
pub const DRAWING_CLOCK: u16 = 100;

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The named side has given checkmate.
    Checkmate(Color),
    /// The named side has won: the other is to move and has no legal move, in a game where
    /// that loses.
    Blocked(Color),
    /// The named side has won: the other has no piece left.
    NoPieces(Color),
    /// Nobody has won.
    Draw(DrawReason),
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The position has occurred three times.
    Repetition,
    /// 100 reversible plies (the 50-move rule): in chess without a capture or pawn move, in
    /// draughts without a jump or step forward.
    HundredPlies,
    /// No series of legal moves can mate.
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

/// As in `White mates`, `Black has no legal move` and `draw by stalemate`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Checkmate(winner) => write!(f, "{winner:?} mates"),
            Outcome::Blocked(winner) => write!(f, "{:?} has no legal move", !*winner),
            Outcome::NoPieces(winner) => write!(f, "{:?} has no piece left", !*winner),
            Outcome::Draw(reason) => write!(f, "draw by {reason}"),
        }
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawReason::Stalemate => "stalemate",
            DrawReason::Repetition => "threefold repetition",
            DrawReason::HundredPlies => "100 plies without capture or advance",
            DrawReason::InsufficientMaterial => "insufficient material",
        })
    }
}
