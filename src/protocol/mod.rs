//! The languages in which programs talk to the engine.

mod cecp;
mod connection;
mod input_lines;
mod option_table;
mod output_lines;
mod set_option;
mod stdout_watch;
mod uci;

#[cfg(test)]
mod conversation_tests;

pub use output_lines::Output;

use std::io::{self, BufRead};

use thiserror::Error;

use crate::search::ResourceError;
use connection::{Connection, Event};
use input_lines::Input;

/// What the engine calls itself.
const NAME: &str = concat!("Qirkat ", env!("CARGO_PKG_VERSION"));

/// Why a conversation could not be held, or not to its end.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The machine does not give what the engine needs.
    #[error(transparent)]
    Resources(#[from] ResourceError),
    /// The thread that reads cannot be started.
    #[error("cannot start the input thread: {0}")]
    InputThread(io::Error),
    /// The output took nothing more, for another reason than that nobody reads
    /// it.
    #[error("nothing can be written: {0}")]
    OutputLost(io::Error),
}

/// Talks with a program in the language of its first line, until the program
/// says `quit`, its input ends, or nobody reads the output any more: the Chess
/// Engine Communication Protocol after `xboard`, otherwise UCI.
///
/// The input is read by a thread of its own, which may wait for one more line
/// when the conversation has ended.
///
/// # Errors
/// When the engine cannot be started at all, or nothing can be written.
///
/// ```
/// use qirkat::protocol::{Output, run};
///
/// run("isready\nquit\n".as_bytes(), Output::stdout())?;
/// # Ok::<(), qirkat::protocol::SessionError>(())
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
