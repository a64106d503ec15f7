//! A game whose moves can be taken back.

use crate::chesquerque::{Game, Move, Position};

/// A game with its moves.
#[derive(Clone, Default, Debug)]
pub(super) struct GameRecord {
    game: Game,
}

impl GameRecord {
    /// A game that starts from this position.
    pub fn from_position(position: Position) -> GameRecord {
        GameRecord { game: Game::from_position(position) }
    }

    /// The game as it stands.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Where it stands.
    pub const fn position(&self) -> &Position {
        self.game.position()
    }

    /// How many moves, of both sides, can be taken back.
    pub fn len(&self) -> usize {
        self.game.moves().len()
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.game.play(mv);
    }

    /// Takes the last move back, if there is one.
    pub fn take_back(&mut self) {
        self.game.undo();
    }
}
