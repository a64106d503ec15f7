//! One game of a match: the arbiter who knows the rules and keeps the clocks, and what comes
//! of the game.

mod adjudication;
mod conduct;
mod finished_game;
mod game_fault;
mod play;

pub use adjudication::{AdjudicationRules, DrawRule, ResignRule};
pub use conduct::{Conduct, LineExample, Overhead};
pub use finished_game::{FinishedGame, PlayedMove, Termination};
pub use game_fault::GameFault;
pub use play::{GameRules, LineCheck, MoveListener, play_game};
