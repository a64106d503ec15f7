//! What a search has found of a position, seen from White.

use serde::{Deserialize, Serialize};

use qirkat_engine::SearchLine;
use qirkat_game::Color;
use qirkat_search::Bound;

/// The score of a position for White, and how deep it was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Verdict {
    /// Centipawns; none for a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Moves to mate, negative when White is mated; none for centipawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i16>,
    /// Plies searched.
    pub depth: i16,
}

impl Verdict {
    /// The verdict of a line of search; none where the score is only a bound.
    pub fn of(line: &SearchLine, to_move: Color) -> Option<Verdict> {
        if line.bound != Bound::Exact {
            return None;
        }
        let sign: i16 = if to_move == Color::White { 1 } else { -1 };
        let mate = line.score.moves_to_mate().map(|moves| sign * moves);
        let cp = if mate.is_none() { Some(i32::from(sign) * line.score.value()) } else { None };
        Some(Verdict { cp, mate, depth: line.depth.0 })
    }
}
