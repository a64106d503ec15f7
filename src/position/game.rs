//! A game in progress: where it stands and how it came there.

use super::{GameHistory, Move, Outcome, Position};

/// A position with the positions that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    position: Position,
    history: GameHistory,
}

impl Game {
    /// A game that starts from this position.
    pub fn from_position(position: Position) -> Game {
        Game { position, history: GameHistory::new() }
    }

    /// Where the game stands.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The positions before.
    pub const fn history(&self) -> &GameHistory {
        &self.history
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.history.push(&self.position);
        self.position.make(mv);
    }

    /// Takes the last move back, to the position it was made in.
    pub fn take_back_to(&mut self, position: Position) {
        self.history.pop();
        self.position = position;
    }

    /// How the game has ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome(&self.history)
    }
}

impl Default for Game {
    /// The usual starting position.
    fn default() -> Game {
        Game::from_position(Position::start())
    }
}
