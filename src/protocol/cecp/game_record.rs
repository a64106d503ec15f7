//! A game whose moves can be taken back.

use crate::chesquerque::{Game, Move, Position};

/// A game with all its positions.
#[derive(Clone, Default, Debug)]
pub(super) struct GameRecord {
    game: Game,
    /// The positions before, in which the moves were made.
    earlier: Vec<Position>,
}

impl GameRecord {
    /// A game that starts from this position.
    pub fn from_position(position: Position) -> GameRecord {
        GameRecord { game: Game::from_position(position), earlier: Vec::new() }
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
    pub const fn len(&self) -> usize {
        self.earlier.len()
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.earlier.push(*self.position());
        self.game.play(mv);
    }

    /// Takes the last move back, if there is one.
    pub fn take_back(&mut self) {
        if let Some(position) = self.earlier.pop() {
            self.game.take_back_to(position);
        }
    }
}
