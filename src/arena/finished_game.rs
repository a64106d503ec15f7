//! A game from its first move to its result.

use serde::{Deserialize, Serialize};

use super::conduct::{Conduct, Overhead};
use super::game_fault::GameFault;
use super::search_info::{ReportedScore, Thought};
use qirkat_notation::pgn::GameResult;
use qirkat_rules::variant::{AnyMove, AnyPosition};

/// How a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Termination {
    /// By the rules of the game.
    #[serde(rename = "normal")]
    Normal,
    /// By agreed scores, by endgame tables or by its length.
    #[serde(rename = "adjudication")]
    Adjudication,
    /// By the clock.
    #[serde(rename = "time forfeit")]
    TimeForfeit,
    /// By an illegal move.
    #[serde(rename = "rules infraction")]
    IllegalMove,
    /// By a player that does not answer.
    #[serde(rename = "stalled connection")]
    Stalled,
    /// By a player that ended.
    #[serde(rename = "abandoned")]
    Abandoned,
}

impl Termination {
    /// All of them.
    pub const ALL: [Termination; 6] = [
        Termination::Normal,
        Termination::Adjudication,
        Termination::TimeForfeit,
        Termination::IllegalMove,
        Termination::Stalled,
        Termination::Abandoned,
    ];

    /// The one that the PGN tag names, if it is one.
    pub fn from_tag(tag: &str) -> Option<Termination> {
        Termination::ALL.into_iter().find(|termination| termination.tag() == tag)
    }

    /// As in the PGN tag of that name; `stalled connection` is the word of
    /// cutechess.
    pub const fn tag(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::IllegalMove => "rules infraction",
            Termination::Stalled => "stalled connection",
            Termination::Abandoned => "abandoned",
        }
    }
}

/// A game from its first move to its result.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// Where it began.
    pub start: AnyPosition,
    /// The moves, those of the opening first.
    pub moves: Vec<PlayedMove>,
    /// The result.
    pub result: GameResult,
    /// How it came to its end.
    pub termination: Termination,
    /// The same in words: `White mates`.
    pub reason: String,
    /// The fault that ended it, if one did.
    pub fault: Option<GameFault>,
    /// What White and Black did besides.
    pub conduct: [Conduct; 2],
    /// The arbiter's own time.
    pub overhead: Overhead,
}

/// A move of a game, and what its player said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: AnyMove,
    /// What its player thought; nothing if it was made for it by the opening.
    pub thought: Option<Thought>,
}

impl PlayedMove {
    /// What its player thought of the position.
    pub fn score(&self) -> Option<ReportedScore> {
        self.thought.as_ref()?.info.score
    }
}
