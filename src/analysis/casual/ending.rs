//! How a game between people and the engine has ended.

use serde::{Deserialize, Serialize};

use qirkat_game::{Color, GameResult, Outcome};

/// How a game has ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// The result as PGN has it.
    pub result: GameResult,
    /// Why, in words.
    pub reason: String,
}

impl Ending {
    /// The end that the rules make.
    pub fn by_rule(outcome: Outcome) -> Ending {
        Ending { result: outcome.into(), reason: outcome.to_string() }
    }

    /// A side has given up.
    pub fn resigned(side: Color) -> Ending {
        Ending { result: GameResult::won_by(!side), reason: format!("{side:?} resigns") }
    }

    /// A side has no time left.
    pub fn flag_fell(side: Color) -> Ending {
        Ending { result: GameResult::won_by(!side), reason: format!("{side:?} has no time left") }
    }

    /// Both sides want no more.
    pub fn agreed_draw() -> Ending {
        Ending { result: GameResult::Draw, reason: "draw by agreement".to_owned() }
    }
}
