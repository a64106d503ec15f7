//! What a file of games holds.

use std::io::BufRead;

use anyhow::Result;

use super::game_record;
use qirkat_notation::pgn::{PgnError, PgnReader, ReadGame};

/// What a file of games holds.
pub(super) struct Contents {
    /// Where the last whole game ends.
    pub end: u64,
    /// What is no whole game before that.
    pub faults: Vec<String>,
}

impl Contents {
    /// Reads all, and hands over the whole games.
    pub fn read(
        file: impl BufRead,
        mut on_game: impl FnMut(ReadGame) -> Result<()>,
    ) -> Result<Contents> {
        let mut contents = Contents { end: 0, faults: Vec::new() };
        let mut behind = Vec::new();
        let mut games = PgnReader::new(file);
        while let Some(read) = games.next() {
            match read {
                Ok(read) if game_record::is_whole(&read) => {
                    contents.faults.append(&mut behind);
                    contents.end = games.offset();
                    on_game(read)?;
                }
                Ok(read) => {
                    behind.push(format!("game {}, line {}: cut off", read.number, read.line))
                }
                Err(error @ PgnError::Game { .. }) => behind.push(error.to_string()),
                Err(PgnError::Io(error)) => return Err(error.into()),
            }
        }
        Ok(contents)
    }
}
