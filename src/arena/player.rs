//! What the arbiter needs of a player.

use std::sync::atomic::AtomicBool;

use thiserror::Error;

use super::search_info::Thought;
use super::time_control::GameClock;
use crate::position::{Color, Game, Move, Position};

/// The situation in which a player has to move.
pub struct Turn<'a> {
    /// Where the game began.
    pub start: &'a Position,
    /// The moves since.
    pub moves: &'a [Move],
    /// Where the game stands.
    pub game: &'a Game,
    /// White's and Black's clock.
    pub clocks: [&'a GameClock; 2],
    /// Raised when the game is to be broken off.
    pub stop: &'a AtomicBool,
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

/// A player's judgement of a position, from its own view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// In centipawns.
    Centipawns(i32),
    /// Moves to mate; negative or zero when the player is mated.
    Mate(i32),
}

impl Judgement {
    /// In centipawns; a mate counts as more than any material.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 100_000;
        match self {
            Judgement::Centipawns(value) => value,
            Judgement::Mate(moves) if moves > 0 => MATE,
            Judgement::Mate(_) => -MATE,
        }
    }
}

/// A move, and what the player says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move; whether it is legal is for the arbiter to see.
    pub mv: Move,
    /// What the player thinks of its position, and how long it took.
    pub thought: Thought,
}

/// Why a player could not go on.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// It never came up.
    #[error("does not start: {0}")]
    NoStart(String),
    /// It did not answer `uci` or `isready`.
    #[error("does not answer {0}")]
    NotReady(&'static str),
    /// It ended.
    #[error("disconnects")]
    Crashed,
    /// It did not move although no clock runs.
    #[error("stalls")]
    Stalled,
    /// It moved too late or not at all.
    #[error("loses on time")]
    OutOfTime,
    /// It answered with something that is no legal move.
    #[error("makes an illegal move: {0}")]
    IllegalMove(String),
    /// Nobody's fault: the game was broken off.
    #[error("was broken off")]
    BrokenOff,
}

/// Somebody who plays games.
pub trait Player {
    /// A new game begins.
    ///
    /// # Errors
    /// When the player is not there for it.
    fn start_game(&mut self) -> Result<(), Fault>;

    /// Chooses a move.
    ///
    /// # Errors
    /// When the player fails to.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault>;

    /// The game is over, by a fault of this player's or otherwise.
    fn end_game(&mut self, fault: Option<&Fault>);
}
