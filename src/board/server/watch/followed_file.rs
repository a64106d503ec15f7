//! A file of games that another program writes, read on as it grows.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use qirkat_rules::pgn::{PgnError, PgnGame, PgnReader};

const BUFFER: usize = 1 << 16;
/// Bytes without a whole game that are read again while they grow; more is no game.
const LONGEST_GAME: u64 = 16 << 20;

/// A file of games that another program writes.
#[derive(Debug)]
pub(super) struct FollowedFile {
    path: PathBuf,
    /// Where the last whole game ends.
    end: u64,
    /// How long the file was when it was read last.
    seen: u64,
    /// Texts that were no whole game, and stand before one.
    faults: u64,
}

impl FollowedFile {
    /// A file that may not be there yet.
    pub fn new(path: PathBuf) -> FollowedFile {
        FollowedFile { path, end: 0, seen: 0, faults: 0 }
    }

    /// How many games could not be read.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Whether it has become shorter: then it is another file, to be read from its
    /// beginning.
    ///
    /// # Errors
    /// When the system does not tell, as where there is no file.
    pub fn begins_anew(&mut self) -> io::Result<bool> {
        let length = self.path.metadata()?.len();
        let anew = length < self.seen;
        if anew {
            *self = FollowedFile::new(std::mem::take(&mut self.path));
        }
        Ok(anew)
    }

    /// Hands over the whole games that have come since the last time, each with the
    /// place where it begins, until `on_game` returns false.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read_on(&mut self, mut on_game: impl FnMut(u64, PgnGame) -> bool) -> io::Result<()> {
        let mut file = File::open(&self.path)?;
        let length = file.metadata()?.len();
        if length == self.seen {
            return Ok(());
        }
        let start = file.seek(SeekFrom::Start(self.end))?;
        let mut games = PgnReader::new(BufReader::with_capacity(BUFFER, file));
        let mut faults = 0;
        while let Some(read) = games.next() {
            match read {
                // Without a result it is still being written, or was cut off.
                Ok(read) if read.written_result.is_some() => {
                    let begin = std::mem::replace(&mut self.end, start + games.offset());
                    self.faults += std::mem::take(&mut faults);
                    if !on_game(begin, read.game) {
                        return Ok(());
                    }
                }
                Ok(_) | Err(PgnError::Game { .. }) => faults += 1,
                Err(PgnError::Io(error)) => return Err(error),
            }
        }
        self.seen = length;
        if length.saturating_sub(self.end) > LONGEST_GAME {
            self.end = length;
            self.faults += faults;
        }
        Ok(())
    }

    /// Reads the game that begins at a place once more.
    pub fn game_at(path: &Path, place: u64) -> Option<PgnGame> {
        let mut file = File::open(path).ok()?;
        file.seek(SeekFrom::Start(place)).ok()?;
        let games = PgnReader::new(BufReader::with_capacity(BUFFER, file));
        let whole = games.flatten().find(|read| read.written_result.is_some());
        whole.map(|read| read.game)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const FIRST: &str = "[White \"Ann\"]\n\n1. e4 e6 1-0\n\n";
    const SECOND: &str = "[White \"Ben\"]\n\n1. d4 *\n\n";

    fn read(file: &mut FollowedFile) -> Vec<(u64, String)> {
        let mut games = Vec::new();
        let add = |place, game: PgnGame| {
            games.push((place, game.tag("White").unwrap_or("?").to_owned()));
            true
        };
        file.read_on(add).expect("a file");
        games
    }

    #[test]
    fn games_are_told_once_and_only_when_they_are_whole() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games.pgn");
        let mut file = FollowedFile::new(path.clone());
        assert!(file.read_on(|_, _| true).is_err());
        let whole = [FIRST, SECOND].concat();
        let mut told = Vec::new();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).expect("room on the disk");
            assert!(!file.begins_anew().expect("a file"));
            told.append(&mut read(&mut file));
            assert_eq!(told.is_empty(), length + 2 < FIRST.len(), "{length}");
        }
        let second = told.get(1).expect("two games").0;
        assert_eq!(told, [(0, "Ann".to_owned()), (second, "Ben".to_owned())]);
        assert_eq!(file.faults(), 0);
        let again = FollowedFile::game_at(&path, second).expect("the second");
        assert_eq!(again.tag("White"), Some("Ben"));
        // Another match, in a file of the same name.
        fs::write(&path, SECOND).expect("room on the disk");
        assert!(file.begins_anew().expect("a file"));
        assert_eq!(read(&mut file), [(0, "Ben".to_owned())]);
    }

    #[test]
    fn what_is_no_game_is_counted_and_passed_over() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games.pgn");
        fs::write(&path, format!("[White \"Cut\"]\n\n1. e5 *\n\n{FIRST}{{open"))
            .expect("room on the disk");
        let mut file = FollowedFile::new(path);
        assert_eq!(read(&mut file).len(), 1);
        assert_eq!(file.faults(), 1);
        assert!(read(&mut file).is_empty());
    }
}
