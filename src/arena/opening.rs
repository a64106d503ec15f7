//! An opening: where one game begins.

use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};

/// A position to begin from, and moves that are made for the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The position.
    pub start: AnyPosition,
    /// The moves.
    pub moves: Vec<AnyMove>,
}

impl Opening {
    /// Whether the players would find the game over.
    pub fn is_over(&self) -> bool {
        let mut game = AnyGame::from_position(self.start);
        for &mv in &self.moves {
            game.play(mv);
        }
        game.outcome().is_some()
    }
}
