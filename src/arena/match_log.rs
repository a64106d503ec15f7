//! The log of a match: every line between arbiter and engines with its time, and the arbiter's
//! decisions. A separate thread writes from a bounded queue, so that a slow disk delays no engine.

use std::fmt::Arguments;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError};
use std::time::Duration;

use chrono::{DateTime, Local};
use log::Level;

use qirkat_game::text::one_line;

/// The log of a match; by default none. Entries also go to the program's log (`RUST_LOG`).
#[derive(Clone, Default)]
pub struct MatchLog(Vec<Arc<LogFile>>);

struct LogFile {
    level: Level,
    entries: SyncSender<Entry>,
    /// Entries dropped because the queue was full.
    lost: Arc<AtomicU64>,
}

enum Entry {
    Line(DateTime<Local>, Level, String),
    /// Writes everything to disk and returns the result.
    Flush(Sender<io::Result<()>>),
}

/// Queue length. Entries beyond it are dropped and counted.
const WAITING_ENTRIES: usize = 8192;
const LONGEST_LINE: usize = 2000;
/// The file is flushed when no entry has come for this long.
const FLUSH_AFTER: Duration = Duration::from_millis(100);
/// Timeout for writing the last lines to disk.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(5);

impl MatchLog {
    /// A log of entries up to `level`:
    ///
    /// - `warn`: problems and the engines' standard error,
    /// - `info`: also starts and ends of games and engines,
    /// - `debug`: also every line between arbiter and engines except reports on a search,
    /// - `trace`: also these: XBoard's thinking output, and `info` lines except `info string`.
    pub fn new(file: impl Write + Send + 'static, level: Level) -> io::Result<MatchLog> {
        let file = BufWriter::new(file);
        let (entries, waiting) = mpsc::sync_channel(WAITING_ENTRIES);
        let lost = Arc::new(AtomicU64::new(0));
        let also_lost = Arc::clone(&lost);
        std::thread::Builder::new()
            .name("match log".to_owned())
            .spawn(move || write_entries(file, &waiting, &also_lost))?;
        Ok(MatchLog(vec![Arc::new(LogFile { level, entries, lost })]))
    }

    /// A log of everything on standard error, whose errors are ignored.
    pub fn on_stderr() -> io::Result<MatchLog> {
        MatchLog::new(Lossy(io::stderr()), Level::Trace)
    }

    /// Both logs.
    #[must_use]
    pub fn and(mut self, other: MatchLog) -> MatchLog {
        self.0.extend(other.0);
        self
    }

    /// Adds a line. This costs almost nothing if the level is off.
    pub fn line(&self, level: Level, text: Arguments<'_>) {
        let mut files = self.0.iter().filter(|file| level <= file.level).peekable();
        let is_shown = log::log_enabled!(level);
        if files.peek().is_none() && !is_shown {
            return;
        }
        let at = Local::now();
        let text = in_one_line(&text.to_string());
        if is_shown {
            log::log!(level, "{text}");
        }
        for file in files {
            let entry = Entry::Line(at, level, text.clone());
            if let Err(TrySendError::Full(_)) = file.entries.try_send(entry) {
                file.lost.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    pub fn flush(&self) -> io::Result<()> {
        self.0.iter().try_for_each(|file| {
            let (done, outcome) = mpsc::channel();
            let gone = || io::Error::other("the log's writer is gone");
            file.entries.send(Entry::Flush(done)).map_err(|_| gone())?;
            outcome.recv_timeout(FLUSH_TIMEOUT).map_err(|_| gone())?
        })
    }
}

/// Reports no errors: nobody is left to read them.
struct Lossy<W>(W);

impl<W: Write> Write for Lossy<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).or(Ok(bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().or(Ok(()))
    }
}

fn write_entries(mut file: impl Write, waiting: &Receiver<Entry>, lost: &AtomicU64) {
    // The first error; nothing is written after it, until it is reported.
    let mut outcome = Ok(());
    loop {
        let next = match waiting.recv_timeout(FLUSH_AFTER) {
            Err(RecvTimeoutError::Timeout) => {
                outcome = outcome.and_then(|()| file.flush());
                waiting.recv().ok()
            }
            next => next.ok(),
        };
        match next {
            Some(Entry::Line(at, level, text)) => {
                outcome = outcome.and_then(|()| write_line(&mut file, at, level, &text));
            }
            Some(Entry::Flush(done)) => {
                if done.send(outcome.and_then(|()| file.flush())).is_err() {
                    log::debug!("nobody waits for the match log any more");
                }
                outcome = Ok(());
            }
            None => break,
        }
        let lost = lost.swap(0, Ordering::Relaxed);
        if lost > 0 {
            let text = format!("{lost} lines arrived too fast and are missing here");
            outcome =
                outcome.and_then(|()| write_line(&mut file, Local::now(), Level::Warn, &text));
        }
    }
    if outcome.and_then(|()| file.flush()).is_err() {
        log::debug!("the end of the match log could not be written");
    }
}

fn write_line(
    file: &mut impl Write,
    at: DateTime<Local>,
    level: Level,
    text: &str,
) -> io::Result<()> {
    let at = at.format("%Y-%m-%d %H:%M:%S%.6f");
    writeln!(file, "{at} {level:<5} {text}")
}

pub(super) fn in_one_line(text: &str) -> String {
    one_line(text, LONGEST_LINE)
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn lines_are_written_by_level_and_stay_single() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        for _ in 0..2 {
            let file = File::options().create(true).append(true).open(&path).expect("a file");
            let log = MatchLog::new(file, Level::Debug).expect("a thread");
            log.line(Level::Trace, format_args!("too much"));
            log.line(Level::Debug, format_args!("to A: go\u{1b}[2J\n{}", "x".repeat(9000)));
            log.flush().expect("a disk");
        }
        let text = std::fs::read_to_string(&path).expect("the log");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        for line in lines {
            assert!(line.contains(r" DEBUG to A: go\u{1b}[2J\nxxx"), "{line}");
            assert!(line.len() < LONGEST_LINE + 60, "{}", line.len());
        }
    }

    #[test]
    fn what_goes_wrong_is_told() {
        if let Ok(full) = File::options().write(true).open("/dev/full") {
            let log = MatchLog::new(full, Level::Warn).expect("a thread");
            log.line(Level::Warn, format_args!("lost"));
            assert!(log.flush().is_err());
        }
    }
}
