//! The languages in which programs talk to the engine.

mod cecp;
mod connection;
mod conversation;
mod engine_name;
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
#[cfg(feature = "play")]
pub(crate) use input_lines::Input;
pub use output_lines::Output;
pub use session_error::SessionError;
