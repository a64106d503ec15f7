//! Games in files: added to what is there, never in place of it.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::shared::games::refuse_other_formats;
use qirkat_rules::pgn::PgnGame;
use qirkat_system::output_file::open_alone;

/// Where games go when nobody names a file: in the folder one is in.
pub(super) const USUAL_FILE: &str = "qirkat-games.pgn";

/// Bytes of a file by which is seen that it is a text.
const BYTES_LOOKED_AT: u64 = 1 << 12;

/// Where a game stands in its file while it is played.
pub(super) struct Place {
    start: u64,
    text: String,
}

/// Sees that games can be added to a file. It is not made yet.
///
/// # Errors
/// When it cannot be written, or is no text.
pub(super) fn check(path: &Path) -> anyhow::Result<()> {
    let is_new = !path.exists();
    open(path).with_context(|| path.display().to_string())?;
    if is_new {
        fs::remove_file(path).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Adds a game to a file, which is made if it is not there.
///
/// # Errors
/// When it cannot be written, or is no text.
pub(super) fn add(path: &Path, game: &PgnGame) -> anyhow::Result<()> {
    write_down(path, &mut None, game)
}

/// Writes a game down as it stands: at the end of a file, or where it stands there already, unless
/// somebody has added to the file since. One without moves is taken out.
///
/// # Errors
/// When it cannot be written, or is no text.
pub(super) fn write_down(
    path: &Path,
    place: &mut Option<Place>,
    game: &PgnGame,
) -> anyhow::Result<()> {
    try_to_write(path, place, game).with_context(|| path.display().to_string())
}

fn try_to_write(path: &Path, place: &mut Option<Place>, game: &PgnGame) -> anyhow::Result<()> {
    let mut file = open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(file.write_all(game.to_string().as_bytes())?);
    }
    let length = file.metadata()?.len();
    let mut start = length;
    if let Some(place) = place {
        let mut there = Vec::new();
        file.seek(SeekFrom::Start(place.start))?;
        (&file).take(place.text.len() as u64 + 1).read_to_end(&mut there)?;
        if there == place.text.as_bytes() {
            start = place.start;
        }
    }
    // The program that wrote before may have left no blank line.
    let gap = if start > 0 { "\n" } else { "" };
    let text = if game.moves.is_empty() { String::new() } else { format!("{gap}{game}") };
    // Whenever the program is killed, the moves before this one are there.
    file.set_len(length.min(start + text.len() as u64))?;
    file.seek(SeekFrom::Start(start))?;
    file.write_all(text.as_bytes())?;
    *place = Some(Place { start, text });
    Ok(())
}

fn open(path: &Path) -> anyhow::Result<File> {
    let options = &mut OpenOptions::new();
    let file = open_alone(path, options.create(true).read(true).write(true))?;
    if file.metadata()?.is_file() {
        let mut start = Vec::new();
        (&file).take(BYTES_LOOKED_AT).read_to_end(&mut start)?;
        refuse_other_formats(&start)?;
    }
    Ok(file)
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
    use qirkat_rules::pgn::PgnReader;

    /// A game with these moves behind the first.
    fn game(moves: &str) -> PgnGame {
        let text = format!("1. e4 {moves} *");
        let read = PgnReader::new(text.as_bytes()).next().expect("a game");
        read.expect("a sound one").game
    }

    /// A game that is being played stands once in its file, however often it is written, behind the
    /// others, and behind what others add meanwhile.
    #[test]
    fn a_game_is_written_again_where_it_stands() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        check(&path).expect("it can be written");
        assert!(!path.exists());
        fs::write(&path, "1. d4 *").expect("a file");
        let mut place = None;
        let games = |expected: &[usize]| {
            let text = fs::read_to_string(&path).expect("a file");
            let found =
                PgnReader::new(text.as_bytes()).map(|read| read.expect(&text).game.moves.len());
            assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
        };
        for moves in ["", "e6", "e6 2. d4 d6", "e6"] {
            write_down(&path, &mut place, &game(moves)).expect("a game");
            games(&[1, game(moves).moves.len()]);
        }
        write_down(&path, &mut place, &PgnGame::default()).expect("nothing");
        games(&[1]);
        write_down(&path, &mut place, &game("e6")).expect("a game");
        add(&path, &game("d6 2. f4")).expect("another game");
        write_down(&path, &mut place, &game("e6 2. d4")).expect("a game");
        games(&[1, 2, 3, 3]);
    }

    #[test]
    fn games_are_added_to_those_that_are_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        fs::write(&path, "1. e4 *").expect("a file");
        for count in 2..4 {
            add(&path, &game("e6")).expect("a game");
            let text = fs::read_to_string(&path).expect("a file");
            assert_eq!(PgnReader::new(text.as_bytes()).flatten().count(), count, "{text}");
        }
        assert!(add(folder.path(), &PgnGame::default()).is_err(), "a folder is no file");
    }
}
