//! The protocols by which programs talk to the engine: UCI, and the Chess Engine Communication
//! Protocol of XBoard.
//!
//! Begin with [`run`], which selects the protocol by the first line. `connection` is its input and
//! output, `options` the options of both protocols. Each protocol has a session that runs its
//! commands. Search and rules are elsewhere.

mod cecp_lines;
mod cecp_player;
mod cecp_session;
mod connection;
mod options;
mod uci_command;
mod uci_session;

use std::error::Error;
use std::io::BufRead;

use connection::{Connection, Event};
pub use connection::{Input, Output, SessionError, wait_until_closed};
pub use options::set_option;
pub use uci_session::greeting;

/// Runs a session in the protocol of its first line, until `quit`, the end of input, or a closed
/// output: the Chess Engine Communication Protocol after `xboard`, otherwise UCI.
///
/// A thread of its own reads the input, and may still wait for a line after the session.
///
/// # Errors
/// If the engine cannot be started, or writing fails.
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
    if matches!(first, Event::Input(Input::Line(line)) if cecp_session::is_greeting(line)) {
        cecp_session::run(connection)
    } else {
        uci_session::run(connection)
    }
}

/// Why a command or an option is rejected, as a message for its sender.
type CommandError = Box<dyn Error>;

/// Whole sessions in memory, and outputs that end them.
#[cfg(test)]
mod tests {
    use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Write};
    use std::sync::Arc;

    use parking_lot::Mutex;

    use super::connection::Output;
    use super::{SessionError, run};

    /// A buffer that is read after the session.
    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn answer(lines: &'static str) -> Vec<String> {
        let buffer = Buffer::default();
        run(lines.as_bytes(), Output::new(buffer.clone())).expect("a session");
        let bytes = buffer.0.lock();
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    }

    /// The first line that is not empty selects the protocol.
    #[test]
    fn both_protocols_run_in_memory() {
        let uci = answer("\n \r\nuci\nfrob\nposition startpos moves e2e4\ngo depth 1\n");
        assert!(uci[0].starts_with("id name Qirkat "), "{uci:?}");
        assert!(
            uci.contains(&"info string unknown command: frob (try help)".to_owned()),
            "{uci:?}"
        );
        assert!(uci.last().is_some_and(|line| line.starts_with("bestmove ")), "{uci:?}");
        let cecp = answer("\nxboard\nprotover 2\nforce\nusermove e2e5\nping 7\nquit\nping 8\n");
        assert_eq!(cecp[0], "feature done=0");
        let refused =
            cecp.iter().any(|line| line.starts_with("Illegal move (a pawn on a plain point"));
        assert!(refused, "{cecp:?}");
        assert_eq!(cecp.last().map(String::as_str), Some("pong 7"));
    }

    #[test]
    fn perft_finishes_before_the_session_ends() {
        let lines = answer("go perft 2\nposition startpos moves e2e4\nd\n");
        let counted = lines.iter().position(|line| line == "Nodes searched: 324");
        let drawn = lines.iter().position(|line| line.starts_with("Fen: "));
        assert!(counted.is_some() && counted < drawn, "{lines:?}");
    }

    /// An output on which every write fails.
    struct Broken(ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Input that never ends.
    struct Endless;

    impl Read for Endless {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            loop {
                std::thread::park();
            }
        }
    }

    fn endless(lines: &'static str) -> impl BufRead + Send {
        BufReader::new(Cursor::new(lines).chain(Endless))
    }

    /// A lost output ends the session though the input stays open.
    #[test]
    fn a_lost_output_ends_the_session() {
        for lines in ["uci\n", "xboard\nprotover 2\n", "go infinite\n", "go perft 9\nfrob\n"] {
            let quiet = run(endless(lines), Output::new(Broken(ErrorKind::BrokenPipe)));
            assert!(quiet.is_ok(), "{lines:?}: {quiet:?}");
            let lost = run(endless(lines), Output::new(Broken(ErrorKind::StorageFull)));
            assert!(matches!(lost, Err(SessionError::OutputLost(_))), "{lines:?}: {lost:?}");
        }
    }
}
