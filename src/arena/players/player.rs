//! The [`Player`] trait: what the arbiter needs of a player.

use std::time::{Duration, Instant};

use qirkat_game::{Color, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};

use super::engine_fault::EngineFault;
use super::search_report::Thought;
use crate::time_control::GameClock;

/// The situation in which a player has to move.
pub struct Turn<'a> {
    /// Where the game began.
    pub start: &'a AnyPosition,
    pub moves: &'a [AnyMove],
    pub game: &'a AnyGame,
    /// White's and Black's clock.
    pub clocks: [&'a GameClock; 2],
}

impl Turn<'_> {
    /// Who is to move.
    pub fn side(&self) -> Color {
        self.game.position().side_to_move()
    }

    /// The clock of the player who is to move.
    pub fn own_clock(&self) -> &GameClock {
        self.clocks[self.side().index()]
    }
}

/// A move, and the player's report on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move; whether it is legal is for the arbiter to see.
    pub mv: AnyMove,
    /// Its report on the position, and how long it took.
    pub thought: Thought,
    /// When the clock started: the question had been put.
    pub asked: Instant,
    /// The reply that the player expects.
    pub expected: Option<AnyMove>,
    /// Its reports while it thought: `info` lines with moves in them, without
    /// that word.
    pub lines: Vec<String>,
}

/// Somebody who plays games.
pub trait Player {
    /// A new game begins. The fault is one after the last game that cost
    /// nothing: the player had to be started again.
    ///
    /// # Errors
    /// When the player is not there for it.
    fn start_game(&mut self) -> Result<Option<EngineFault>, EngineFault>;

    /// Chooses a move.
    ///
    /// # Errors
    /// When the player fails to.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, EngineFault>;

    /// How long the machine kept the player waiting for a core while it last
    /// had to move, if that is known.
    fn waited(&mut self) -> Option<Duration> {
        None
    }

    /// May think about the reply it expects while the other player has to
    /// move. The turn is the one after its own move.
    ///
    /// # Errors
    /// When the player is not there any more.
    fn ponder(&mut self, _turn: &Turn<'_>, _expected: AnyMove) -> Result<(), EngineFault> {
        Ok(())
    }

    /// The game is over, by a fault of this player's or otherwise.
    fn end_game(&mut self, fault: Option<&EngineFault>);
}
