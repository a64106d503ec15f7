//! The protocols by which programs talk to the engine: UCI, and the Chess Engine
//! Communication Protocol of XBoard.

mod cecp;
mod connection;
mod conversation;
mod input_lines;
mod option_error;
mod option_table;
mod output_lines;
mod session_error;
mod set_option;
mod stdout_watch;
mod uci;

#[cfg(test)]
mod conversation_tests;

pub use conversation::run;
pub use input_lines::Input;
pub use output_lines::Output;
pub use session_error::SessionError;
pub use stdout_watch::wait_until_closed;
