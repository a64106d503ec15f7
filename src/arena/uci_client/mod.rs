//! The client side of UCI: starts an engine, talks to it line by line, and parses what it
//! says.
//!
//! A parse is lenient, since a game should not end for a blemish, but remembers the first
//! thing that is wrong with a line. The arbiter of a match plays with these parses, the
//! compliance tests judge them.

mod announced_option;
mod commands;
mod engine_process;
mod greeting;
mod info_line;

pub(crate) use announced_option::{AnnouncedOption, OptionKind, Setting, fit};
pub(crate) use commands::{position_command, set_option_command};
pub use engine_process::EngineExit;
pub(crate) use engine_process::{
    DRAIN_TIMEOUT, EngineProcess, Line, Listener, POLL_INTERVAL, ReadError, SendError,
};
pub(crate) use greeting::Greeting;
pub(crate) use info_line::InfoLine;
pub use info_line::ReportedScore;
