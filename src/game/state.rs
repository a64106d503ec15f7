//! A game in progress: where it stands and how it came there.

use super::{Game, GameHistory};

/// A position with the positions that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameState<G> {
    position: G,
    history: GameHistory,
}

impl<G: Game> GameState<G> {
    /// A game that starts from this position.
    pub fn from_position(position: G) -> GameState<G> {
        GameState { position, history: GameHistory::new() }
    }

    /// Where the game stands.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// The positions before.
    pub const fn history(&self) -> &GameHistory {
        &self.history
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: G::Move) {
        self.history.push(&self.position);
        self.position.make(mv);
    }

    /// Takes the last move back, to the position it was made in.
    pub fn take_back_to(&mut self, position: G) {
        self.history.pop();
        self.position = position;
    }

    /// How the game has ended, if it has.
    pub fn outcome(&self) -> Option<G::Outcome> {
        self.position.outcome(&self.history)
    }
}

impl<G: Game> Default for GameState<G> {
    /// The usual starting position.
    fn default() -> GameState<G> {
        GameState::from_position(G::start())
    }
}
