//! The Chess Engine Communication Protocol, version 2 (T. Mann, H. G. Muller),
//! as XBoard and its kin speak it.
//!
//! The GUI knows nothing of this game's rules: the engine describes the board
//! (`setup`), marks where a lifted piece may go (`highlight`), says why a move
//! is refused, and claims every end of the game.

mod clock;
mod command;
mod complaint;
mod event;
#[cfg(test)]
mod fuzz;
mod highlight;
mod play;
mod present;
mod progress;
mod record;
mod session;
mod task;

pub(super) use command::is_greeting;
pub(super) use session::run;
