//! The result of a game.

use derive_more::Display;
use serde::{Deserialize, Serialize};

use super::color::Color;
use super::outcome::Outcome;

/// How a game ended, by the texts that PGN has for it.
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
    /// `*`: not finished, aborted, or not known.
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

    /// The result that a text stands for. A draw may be short: `1/2` or `½-½`.
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
