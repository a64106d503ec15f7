//! The file of the positions in which a match's games have ended, one a line, in the order
//! of the games' own file.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Result, bail};

use crate::files::{AtPath, open_results};
use qirkat_arena::FinishedGame;
use qirkat_rules::variant::AnyGame;

/// Where last positions are written down. Nobody else may write there meanwhile.
pub(super) struct EpdFile {
    file: File,
    /// Lines of games that are written down, and these are not.
    missing: String,
}

impl EpdFile {
    /// Opens the file and changes nothing in it. `ends` are the lines of the games so far;
    /// when the match was killed, the last may be missing or cut off.
    pub fn open(path: &Path, ends: &str) -> Result<EpdFile> {
        let file = open_results(path).at_path(path)?;
        let mut text = String::new();
        let read = (&file).take(ends.len() as u64 + 1).read_to_string(&mut text);
        match ends.strip_prefix(text.as_str()).filter(|_| read.is_ok()) {
            Some(missing) => Ok(EpdFile { file, missing: missing.to_owned() }),
            None if ends.is_empty() => bail!(
                "{} holds something already: go on with --resume, or name another file",
                path.display()
            ),
            None => bail!("{} holds other positions than the last of these games", path.display()),
        }
    }

    /// Makes the file ready for the games to come.
    pub fn begin(&mut self) -> io::Result<()> {
        let missing = std::mem::take(&mut self.missing);
        self.file.write_all(missing.as_bytes())
    }

    /// Writes the end of a game and sees it to the disk.
    pub fn write(&mut self, finished: &FinishedGame) -> io::Result<()> {
        let mut game = AnyGame::from_position(finished.start);
        for played in &finished.moves {
            game.play(played.mv);
        }
        self.file.write_all(line(&game).as_bytes())?;
        self.file.sync_data()
    }
}

/// The line of a game that has ended.
pub(super) fn line(game: &AnyGame) -> String {
    format!("{}\n", game.position().fen())
}
