//! A conversation in either protocol.

use std::io::BufRead;

use super::connection::{Connection, Event};
use super::input_lines::Input;
use super::output_lines::Output;
use super::session_error::SessionError;
use super::{cecp, uci};

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
/// use qirkat_protocol::{Output, run};
///
/// run("isready\nquit\n".as_bytes(), Output::stdout())?;
/// # Ok::<(), qirkat_protocol::SessionError>(())
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
