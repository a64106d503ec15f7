//! A conversation in one language or the other.

use std::io::BufRead;

use super::connection::{Connection, Event};
use super::input_lines::Input;
use super::output_lines::Output;
use super::session_error::SessionError;
use super::{cecp, uci};

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
