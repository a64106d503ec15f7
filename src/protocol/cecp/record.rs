//! A game whose moves can be taken back.

use crate::position::{Game, Move, Position};

/// A game with all its moves.
#[derive(Clone, Default, Debug)]
pub(super) struct Record {
    game: Game,
    /// Each move with the position it was made in.
    moves: Vec<(Position, Move)>,
}

impl Record {
    /// A game that starts from this position.
    pub fn from_position(position: Position) -> Record {
        Record { game: Game::from_position(position), moves: Vec::new() }
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
        self.moves.len()
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.moves.push((*self.position(), mv));
        self.game.play(mv);
    }

    /// Takes the last move back. Says whether there was one.
    pub fn take_back(&mut self) -> bool {
        let Some((position, _)) = self.moves.pop() else { return false };
        self.game.take_back_to(position);
        true
    }
}
