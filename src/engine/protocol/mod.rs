//! The protocols by which programs talk to the engine: UCI, and the Chess Engine
//! Communication Protocol of XBoard.
//!
//! [`run`] is all of it: a conversation in the protocol of its first line. Lines come in as
//! events (`connection`) and go out by `output_lines`. Each protocol reads its own commands
//! (`uci_command`, `cecp_command`), obeys them in its session and has its own lines
//! (`uci_lines`, `cecp_lines`); the options are one table for both (`option_table`).
//!
//! Nothing here knows how a move is found or what a game's rules are: that is the engine's
//! business, and the rules'.

mod cecp;
mod connection;
mod input_lines;
mod option_table;
mod output_lines;
mod set_option;
mod uci;

#[cfg(test)]
mod conversation_tests;

use std::io::{self, BufRead};

use thiserror::Error;

use qirkat_search::ResourceError;

use connection::{Connection, Event};
pub use input_lines::Input;
pub use output_lines::{Output, wait_until_closed};

/// The target under which the lines are logged, as the guide names it.
const LOG_TARGET: &str = "qirkat::protocol";

/// Talks with a program in the protocol of its first line, until the program
/// sends `quit`, the input ends, or the output is closed: the Chess Engine Communication
/// Protocol after `xboard`, otherwise UCI.
///
/// The input is read by a thread of its own, which may wait for one more line
/// when the conversation has ended.
///
/// # Errors
/// When the engine cannot be started at all, or nothing can be written.
///
/// ```
/// use qirkat_engine::protocol::{Output, run};
///
/// run("isready\nquit\n".as_bytes(), Output::stdout())?;
/// # Ok::<(), qirkat_engine::protocol::SessionError>(())
/// ```
pub fn run(input: impl BufRead + Send + 'static, output: Output) -> Result<(), SessionError> {
    let mut connection = Connection::open(input, output)?;
    let first = connection.first_event();
    if matches!(first, Event::Input(Input::Line(line)) if cecp::is_greeting(line)) {
        cecp::run(connection)
    } else {
        uci::run(connection)
    }
}

/// Why a conversation could not start, or ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// Memory or threads that the engine needs are not available.
    #[error(transparent)]
    Resources(#[from] ResourceError),
    /// The thread that reads cannot be started.
    #[error("cannot start the input thread: {0}")]
    InputThread(io::Error),
    /// Writing failed, for another reason than a closed output.
    #[error("nothing can be written: {0}")]
    OutputLost(io::Error),
}
