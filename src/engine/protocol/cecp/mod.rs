//! The Chess Engine Communication Protocol, version 2 (T. Mann, H. G. Muller),
//! as XBoard and similar GUIs use it.
//!
//! The GUI knows nothing of this game's rules: the engine describes the board
//! (`setup`), marks where a lifted piece may go (`highlight`), says why a move
//! is refused, and claims every end of the game.

mod cecp_clock;
mod cecp_command;
mod cecp_complaint;
#[cfg(test)]
mod cecp_fuzz;
mod cecp_lines;
mod cecp_offers;
mod cecp_player;
mod cecp_search;
mod cecp_session;
mod engine_task;
mod highlight;

pub(super) use cecp_command::is_greeting;
pub(super) use cecp_session::run;
