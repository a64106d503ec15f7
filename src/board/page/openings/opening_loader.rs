//! A file of games that comes in pieces, counted on a thread of its own.

use std::cell::Cell;
use std::io::{self, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use thiserror::Error;

use super::opening_statistics::OpeningStatistics;
use qirkat_rules::pgn::{PgnError, PgnReader};

/// Pieces that wait to be counted.
const WAITING: usize = 2;

/// The pieces come faster than they are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the file comes faster than it can be counted")]
pub(crate) struct TooFast;

/// A report of the thread.
#[derive(Debug)]
pub enum LoadProgress {
    /// All that came is counted, this many games so far: the next piece is wanted.
    More(u64),
    /// The whole file is counted.
    Done(Box<OpeningStatistics>),
}

enum Piece {
    Text(Vec<u8>),
    End,
}

/// A file that is being counted. Dropped before its end, it is forgotten.
#[derive(Debug)]
pub(crate) struct OpeningLoader {
    pieces: SyncSender<Piece>,
}

impl OpeningLoader {
    /// Begins with a file of this name. `report` is called on the thread that counts.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        name: String,
        report: impl Fn(LoadProgress) + Send + 'static,
    ) -> io::Result<OpeningLoader> {
        let (pieces, received) = sync_channel(WAITING);
        std::thread::Builder::new()
            .name("openings".to_owned())
            .spawn(move || count(name, received, &report))?;
        Ok(OpeningLoader { pieces })
    }

    /// Counts the next piece, which may end anywhere. It may be the last.
    ///
    /// # Errors
    /// When there is no room for it, since nobody has asked for it.
    pub fn add(&self, text: String, is_last: bool) -> Result<(), TooFast> {
        self.pieces.try_send(Piece::Text(text.into_bytes())).map_err(|_| TooFast)?;
        if is_last { self.pieces.try_send(Piece::End).map_err(|_| TooFast) } else { Ok(()) }
    }
}

fn count(name: String, received: Receiver<Piece>, report: &dyn Fn(LoadProgress)) {
    let (games, is_whole) = (Cell::new(0), Cell::new(false));
    let pieces = Pieces {
        received,
        piece: Vec::new(),
        at: 0,
        is_whole: &is_whole,
        ask: &|| report(LoadProgress::More(games.get())),
    };
    let mut statistics = OpeningStatistics::new(name);
    for read in PgnReader::new(BufReader::new(pieces)) {
        match read {
            Ok(read) => statistics.add(&read.game),
            Err(PgnError::Game { .. }) => statistics.add_fault(),
            Err(PgnError::Io(_)) => break,
        }
        games.set(statistics.games);
    }
    if is_whole.get() {
        report(LoadProgress::Done(Box::new(statistics)));
    }
}

struct Pieces<'a> {
    received: Receiver<Piece>,
    piece: Vec<u8>,
    /// How much of the piece is read.
    at: usize,
    /// Whether the end has come.
    is_whole: &'a Cell<bool>,
    ask: &'a dyn Fn(),
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() && !self.is_whole.get() {
            (self.ask)();
            match self.received.recv() {
                Ok(Piece::Text(piece)) => (self.piece, self.at) = (piece, 0),
                Ok(Piece::End) => self.is_whole.set(true),
                // The tab that sent the pieces is gone.
                Err(_) => return Ok(0),
            }
        }
        let rest = &self.piece[self.at..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_file_in_pieces_is_counted_as_one() {
        let text = "[White \"Ann\"]\n\n1. e4 e6 1-0\n\n1. e4 e5 *\n\n1. d3 0-1\n";
        let (sender, told) = channel();
        let report = move |progress| sender.send(progress).expect("somebody listens");
        let loader = OpeningLoader::start("games.pgn".to_owned(), report).expect("a thread");
        let mut pieces = text.as_bytes().chunks(7).peekable();
        let statistics = loop {
            match told.recv().expect("the thread goes on") {
                LoadProgress::Done(statistics) => break statistics,
                LoadProgress::More(_) => {
                    let Some(piece) = pieces.next() else { continue };
                    let piece = String::from_utf8_lossy(piece).into_owned();
                    loader.add(piece, pieces.peek().is_none()).expect("it was asked for");
                }
            }
        };
        assert_eq!((statistics.games, statistics.faults), (2, 1));
        assert_eq!(statistics.name, "games.pgn");
    }

    #[test]
    fn a_file_without_end_is_forgotten_and_a_flood_is_refused() {
        let (sender, told) = channel();
        let report = move |progress| drop(sender.send(progress));
        let loader = OpeningLoader::start("games.pgn".to_owned(), report).expect("a thread");
        let mut flood = (0..1_000_000).map(|_| loader.add("1. e4 1-0\n".repeat(1000), false));
        assert!(flood.any(|added| added == Err(TooFast)));
        drop(loader);
        assert!(told.iter().all(|progress| matches!(progress, LoadProgress::More(_))));
    }
}
