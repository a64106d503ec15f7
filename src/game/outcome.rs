//! How games end, and their results.

use derive_more::Display;
use serde::{Deserialize, Serialize};

use super::color::Color;

/// Reversible plies that draw a game; see [`DrawReason::HundredPlies`].
pub const DRAWING_CLOCK: u16 = 100;

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
pub enum Outcome {
    /// This side has given checkmate.
    #[display("{_0:?} mates")]
    Checkmate(Color),
    /// This side has won: the opponent is to move and has no legal move, in a game where that
    /// loses.
    #[display("{:?} has no legal move", !*_0)]
    Blocked(Color),
    /// This side has won: the opponent has no pieces left.
    #[display("{:?} has no piece left", !*_0)]
    NoPieces(Color),
    /// A draw.
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
    /// No sequence of legal moves can mate.
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

/// The result of a game as in PGN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, Serialize, Deserialize)]
#[display("{}", self.text())]
pub enum GameResult {
    /// `1-0`
    #[serde(rename = "1-0")]
    WhiteWins,
    /// `0-1`
    #[serde(rename = "0-1")]
    BlackWins,
    /// `1/2-1/2`
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// `*`: unfinished, aborted or unknown.
    #[serde(rename = "*")]
    Unfinished,
}

impl GameResult {
    /// All results.
    pub const ALL: [GameResult; 4] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unfinished];

    /// The text in tags and after the moves.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unfinished => "*",
        }
    }

    /// Parses a result. A draw may be short: `1/2` or `½-½`.
    pub fn parse(text: &str) -> Option<GameResult> {
        if ["1/2", "½", "½-½"].contains(&text) {
            return Some(GameResult::Draw);
        }
        Self::ALL.into_iter().find(|result| result.text() == text)
    }

    /// A game won by this side.
    pub const fn won_by(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// The side that has won, if one has.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        outcome.winner().map_or(GameResult::Draw, GameResult::won_by)
    }
}
