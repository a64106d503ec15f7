//! A game being played: who plays, how strong, with how much time, and how it
//! ended.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::game_tree::NodeId;
use qirkat_analysis::casual::{Clocks, Ending};
use qirkat_game::Color;

/// A game being played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Play {
    /// Whether people play White and Black; the engine plays the rest.
    pub people: [bool; 2],
    /// How strong the engine plays; as it can when not given.
    pub elo: Option<u32>,
    /// Milliseconds for each move of the engine where there is no clock.
    pub think: u32,
    /// The clocks.
    #[serde(flatten)]
    pub clocks: Clocks,
    /// Somebody has asked for a pause.
    pub paused: bool,
    /// How it has ended, if it has.
    pub ending: Option<Ending>,
    /// The position that is played from, the last of the game.
    pub last: NodeId,
}

impl Play {
    /// Whether the engine has the move.
    pub fn is_engine(&self, side: Color) -> bool {
        !self.people[side.index()]
    }

    /// Time for each move of the engine where there is no clock.
    pub fn time_to_think(&self) -> Duration {
        Duration::from_millis(self.think.into())
    }

    /// Whether it goes on.
    pub fn is_running(&self) -> bool {
        self.ending.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_analysis::casual::TimeRule;

    #[test]
    fn games_kept_in_files_keep_their_form() {
        let play = Play {
            people: [true, false],
            elo: Some(1500),
            think: 100,
            clocks: Clocks::new(Some(TimeRule { base: 10_000, increment: 700 })),
            paused: false,
            ending: None,
            last: 3,
        };
        let text = serde_json::to_string(&play).expect("text");
        let kept = r#"{"people":[true,false],"elo":1500,"think":100,"clock":{"base":10000,"increment":700},"left":[10000,10000],"paused":false,"ending":null,"last":3}"#;
        assert_eq!(text, kept);
        assert_eq!(serde_json::from_str::<Play>(kept).expect("a game"), play);
    }
}
