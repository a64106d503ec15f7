//! Games in files: added to what is there, never in place of it.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::pgn::game_input::refuse_other_formats;
use qirkat_notation::pgn::PgnGame;
use qirkat_system::output_file::open_alone;

/// Where games go when nobody names a file: in the folder one is in.
pub(super) const USUAL_FILE: &str = "qirkat-games.pgn";

/// Bytes of a file by which is seen that it is a text.
const BYTES_LOOKED_AT: u64 = 1 << 12;

/// Adds a game to a file, which is made if it is not there.
///
/// # Errors
/// When it cannot be written, or is no text.
pub(super) fn add(path: &Path, game: &PgnGame) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    let options = &mut OpenOptions::new();
    let file = open_alone(path, options.create(true).read(true).append(true));
    let mut file = file.with_context(name)?;
    let there = file.metadata().with_context(name)?;
    if there.is_file() {
        let mut start = Vec::new();
        (&file).take(BYTES_LOOKED_AT).read_to_end(&mut start).with_context(name)?;
        refuse_other_formats(&start).with_context(name)?;
    }
    // The program that wrote before may have left no blank line.
    let gap = if there.len() > 0 { "\n" } else { "" };
    file.write_all(format!("{gap}{game}").as_bytes()).with_context(name)
}

/// Adds a game to the file of those that somebody left without saving them, in the
/// user's folder for such data; its path.
///
/// # Errors
/// When it cannot be written.
pub(super) fn rescue(game: &PgnGame) -> anyhow::Result<PathBuf> {
    let base = dirs::data_dir().unwrap_or_else(std::env::temp_dir);
    let folder = base.join("qirkat").join("play");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let path = folder.join("unsaved.pgn");
    add(&path, game)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_notation::pgn::PgnReader;

    #[test]
    fn games_are_added_to_those_that_are_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        fs::write(&path, "1. e4 *").expect("a file");
        for count in 2..4 {
            add(&path, &PgnGame::default()).expect("a game");
            let text = fs::read_to_string(&path).expect("a file");
            assert_eq!(PgnReader::new(text.as_bytes()).flatten().count(), count, "{text}");
        }
        assert!(add(folder.path(), &PgnGame::default()).is_err(), "a folder is no file");
    }
}
