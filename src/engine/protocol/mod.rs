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
/// output: the Chess Engine Communication Protocol after `xboard` or `protover`, otherwise
/// UCI.
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
    use std::collections::HashSet;
    use std::io::{self, BufReader, Cursor, ErrorKind, Read, Write};
    use std::sync::Arc;

    use parking_lot::Mutex;
    use qirkat_rules::variant::Variant;

    use super::connection::Output;
    use super::{SessionError, run};
    use crate::book::Book;

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

    fn answer(lines: impl Into<String>) -> Vec<String> {
        let buffer = Buffer::default();
        run(Cursor::new(lines.into()), Output::new(buffer.clone())).expect("a session");
        let bytes = buffer.0.lock();
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    }

    #[test]
    fn both_protocols_run_in_memory() {
        let uci = answer("\n \r\nuci\nfrob\nposition startpos moves e2e4\ngo depth 1\n");
        assert!(uci[0].starts_with("id name Qirkat "), "{uci:?}");
        assert!(uci.contains(&"info string unknown command: frob (try help)".to_owned()));
        assert!(uci.last().is_some_and(|line| line.starts_with("bestmove ")), "{uci:?}");
        let cecp = answer("\nxboard\nprotover 2\nforce\nusermove e2e5\nping 7\nquit\nping 8\n");
        assert_eq!(cecp[0], "feature done=0");
        let refused =
            cecp.iter().any(|line| line.starts_with("Illegal move (a pawn on a plain point"));
        assert!(refused, "{cecp:?}");
        assert_eq!(cecp.last().map(String::as_str), Some("pong 7"));
    }

    fn played(options: &str, lines: &str) -> Vec<String> {
        let options: String = options
            .split_terminator("; ")
            .map(|option| format!("setoption name {}\n", option.replacen('=', " value ", 1)))
            .collect();
        let said = answer(format!("setoption name OwnBook value true\n{options}{lines}\n"));
        assert!(!said.iter().any(|line| line.contains("error")), "{options}{said:?}");
        said
    }

    const FROM_BOOK: &str = "info string from the opening book";

    #[test]
    fn the_book_answers_where_a_move_is_wanted() {
        for (options, lines, is_from_book) in [
            ("", "go wtime 60000 btime 60000", true),
            ("", "go ponder depth 1\nponderhit", true),
            ("UCI_LimitStrength=true; Skill Level=1; MultiPV=3", "go nodes 9", true),
            ("UCI_Variant=masonic", "go depth 1", true),
            ("UCI_Variant=alquerque; TablePath=<none>", "go depth 1", true),
            ("BookFile=<empty>; BookDepth=1", "go depth 1", true),
            ("OwnBook=false", "go depth 1", false),
            ("UCI_AnalyseMode=true", "go depth 1", false),
            ("BookDepth=1", "position startpos moves e2e4\ngo depth 1", false),
            ("", "go depth 1 searchmoves e2e4", false),
            ("", "go depth 1 mate 1", false),
            ("", "go infinite\nstop", false),
            ("", "position fen 4k4/9/9/9/9/9/9/R8/4K4 w - - 0 1\ngo depth 1", false),
            // It would repeat the position for ever.
            ("", "position startpos moves d2d3 d8d7 d1d2 d9d8 d2d1 d8d9\ngo depth 1", false),
            // Proven to be won: the proof knows the shortest way.
            ("UCI_Variant=alquerque", "go depth 1", false),
        ] {
            let said = played(options, lines);
            let told = said.iter().filter(|line| *line == FROM_BOOK).count();
            assert_eq!(told, usize::from(is_from_book), "{options} {lines} {said:?}");
            assert!(said.last().is_some_and(|line| line.starts_with("bestmove ")), "{said:?}");
        }
    }

    #[test]
    fn the_book_plays_its_best_move_or_any_good_one() {
        for variant in Variant::ALL {
            let (start, book) = (variant.start(), Book::embedded(variant).expect("a book"));
            let known = book.probe(&start).expect("the start");
            let line: Vec<_> = book.line(&start, 2).iter().map(ToString::to_string).collect();
            let options = format!("UCI_Variant={variant}; TablePath=<none>");
            let said = played(&options, "go depth 1");
            let [.., info, best] = &said[..] else { panic!("{said:?}") };
            let score = format!(
                "info depth 0 seldepth {}",
                info.split(" pv ").nth(1).map_or(0, |pv| pv.split(' ').count())
            );
            assert!(info.starts_with(&score), "{info}");
            assert!(info.contains(&format!(" score {} nodes 0 ", known.entry.score)), "{info}");
            assert!(info.contains(&format!(" pv {}", line.join(" "))), "{info}");
            assert_eq!(*best, format!("bestmove {}", line.join(" ponder ")));
            const LOSS: i32 = 60;
            let said =
                played(&format!("{options}; BookVariety={LOSS}"), &"go depth 1\n".repeat(60));
            let words = |line: &String| line.split(' ').nth(1).map(str::to_owned);
            let moves: HashSet<_> =
                said.iter().filter(|it| it.starts_with("best")).map(words).collect();
            let good: HashSet<_> =
                known.good_moves(LOSS).iter().map(|it| Some(it.mv.to_string())).collect();
            assert!(moves.is_subset(&good), "{moves:?} {good:?}");
            assert_eq!(moves.len() > 1, good.len() > 1, "{moves:?} {good:?}");
        }
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

    #[test]
    fn a_lost_output_ends_the_session() {
        for lines in ["uci\n", "xboard\nprotover 2\n", "go infinite\n", "go perft 9\nfrob\n"] {
            let endless = || BufReader::new(Cursor::new(lines).chain(Endless));
            let quiet = run(endless(), Output::new(Broken(ErrorKind::BrokenPipe)));
            assert!(quiet.is_ok(), "{lines:?}: {quiet:?}");
            let lost = run(endless(), Output::new(Broken(ErrorKind::StorageFull)));
            assert!(matches!(lost, Err(SessionError::OutputLost(_))), "{lines:?}: {lost:?}");
        }
    }
}
