//! Saves games to files, without overwriting others, and resumes them.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::shared::files::AtPath;
use crate::shared::games::refuse_other_formats;
use qirkat_game::GameResult;
use qirkat_game::text::counted;
use qirkat_rules::pgn::{PgnError, PgnGame, PgnReader};
use qirkat_system::output_file::open_exclusive;

/// The default game file, in the current folder.
pub(crate) const USUAL_FILE: &str = "qirkat-games.pgn";

const BYTES_LOOKED_AT: u64 = 1 << 12;

/// Where a game is in its file while it is played.
pub(crate) struct PlaceInFile {
    start: u64,
    text: String,
}

/// Checks that games can be added to a file, without creating it.
pub(crate) fn check(path: &Path) -> anyhow::Result<()> {
    let is_new = !path.exists();
    open(path).at_path(path)?;
    if is_new { fs::remove_file(path).at_path(path) } else { Ok(()) }
}

/// Saves the current game: over its earlier version, or at the end of the file if that was changed
/// by others. A game without moves is removed.
pub(crate) fn save(
    path: &Path,
    place: &mut Option<PlaceInFile>,
    game: &PgnGame,
) -> anyhow::Result<()> {
    try_to_write(path, place, game).at_path(path)
}

fn try_to_write(
    path: &Path,
    place: &mut Option<PlaceInFile>,
    game: &PgnGame,
) -> anyhow::Result<()> {
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
    // The previous writer may have left no blank line.
    let gap = if start > 0 { "\n" } else { "" };
    let text = if game.moves.is_empty() { String::new() } else { format!("{gap}{game}") };
    // If the program is killed, the earlier moves are there.
    file.set_len(length.min(start + text.len() as u64))?;
    file.seek(SeekFrom::Start(start))?;
    file.write_all(text.as_bytes())?;
    *place = Some(PlaceInFile { start, text });
    Ok(())
}

fn open(path: &Path) -> anyhow::Result<File> {
    let options = &mut OpenOptions::new();
    let file = open_exclusive(path, options.create(true).read(true).write(true))?;
    if file.metadata()?.is_file() {
        let mut start = Vec::new();
        (&file).take(BYTES_LOOKED_AT).read_to_end(&mut start)?;
        refuse_other_formats(&start)?;
    }
    Ok(file)
}

/// Appends a game that was left unsaved to a file in the user's data folder; returns its path.
pub(crate) fn rescue(game: &PgnGame) -> anyhow::Result<PathBuf> {
    let base = dirs::data_dir().unwrap_or_else(std::env::temp_dir);
    let folder = base.join("qirkat").join("play");
    fs::create_dir_all(&folder).at_path(&folder)?;
    let path = folder.join("unsaved.pgn");
    save(&path, &mut None, game)?;
    Ok(path)
}

/// The last unfinished games of a file that are remembered.
const MAX_OPEN: usize = 100;

#[derive(Debug)]
pub(crate) struct SavedGame {
    pub record: PgnGame,
    /// The last game of the file that could not be read, if any.
    pub fault: Option<PgnError>,
}

/// The game with this number in a file, from 1; without a number, the last unfinished game that was
/// not continued later.
pub(crate) fn find(path: &Path, number: Option<u64>) -> anyhow::Result<SavedGame> {
    let name = path.display();
    // A pipe or a device might never end.
    if !path.metadata().at_path(path)?.is_file() {
        bail!("{name}: no regular file");
    }
    let mut file = BufReader::new(File::open(path).at_path(path)?);
    file.fill_buf().and_then(refuse_other_formats).at_path(path)?;
    let mut games = 0;
    let mut fault = None;
    let mut open: Vec<PgnGame> = Vec::new();
    for read in PgnReader::new(file) {
        games += 1;
        let is_wanted = number == Some(games);
        match read {
            Ok(read) if is_wanted => return Ok(SavedGame { record: read.game, fault: None }),
            Ok(_) if number.is_some() => {}
            Ok(read) => {
                open.retain(|known| !goes_on(known, &read.game));
                if is_open(&read.game) {
                    open.push(read.game);
                    // Each game is compared with all of these.
                    if open.len() > MAX_OPEN {
                        open.remove(0);
                    }
                }
            }
            Err(error) if is_wanted || matches!(error, PgnError::Io(_)) => {
                return Err(error).at_path(path);
            }
            Err(error) => fault = Some(error),
        }
    }
    match (open.pop(), number, fault) {
        (Some(record), _, fault) => Ok(SavedGame { record, fault }),
        (None, _, Some(fault)) if games == 1 => Err(fault).at_path(path),
        (None, ..) if games == 0 => bail!("{name} holds no game"),
        (None, Some(number), _) => bail!("{name} has {}, not {number}", counted(games, "game")),
        (None, None, _) => {
            let games = counted(games, "game");
            bail!("{name}: {games}, none unfinished; --number N takes one of them")
        }
    }
}

fn is_open(game: &PgnGame) -> bool {
    game.result == GameResult::Unfinished && game.final_game().outcome().is_none()
}

/// Whether `later` continues this game, as in a file with several saves of a game.
fn goes_on(game: &PgnGame, later: &PgnGame) -> bool {
    let is_same = |tag| game.tag(tag) == later.tag(tag);
    game.start == later.start
        && ["White", "Black", "Date"].into_iter().all(is_same)
        && game.moves.len() <= later.moves.len()
        && game.moves.iter().zip(&later.moves).all(|(one, other)| one.mv == other.mv)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            save(&path, &mut place, &game(moves)).expect("a game");
            games(&[1, game(moves).moves.len()]);
        }
        save(&path, &mut place, &PgnGame::default()).expect("nothing");
        games(&[1]);
        save(&path, &mut place, &game("e6")).expect("a game");
        save(&path, &mut None, &game("d6 2. f4")).expect("another game");
        save(&path, &mut place, &game("e6 2. d4")).expect("a game");
        games(&[1, 2, 3, 3]);
        let folder = save(folder.path(), &mut None, &PgnGame::default());
        assert!(folder.is_err(), "a folder is no file");
    }

    #[test]
    fn the_last_game_that_is_not_over_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let game = |moves: &str| format!("[White \"You\"]\n[Black \"Qirkat\"]\n\n{moves}\n\n");
        for (games, number, found) in [
            (vec!["1. e4 *", "1. d4 1-0"], None, Ok(1)),
            (vec!["1. e4 *", "1. d4 d6 *", "1. f4 0-1"], None, Ok(2)),
            // Saved twice, and at last to the end.
            (vec!["1. e4 *", "1. d4 d6 *", "1. d4 d6 2. e4 1/2-1/2"], None, Ok(1)),
            (vec!["1. e4 *", "1. e4 e6 *", "1. e4 e6 2. d4 *"], None, Ok(3)),
            (vec!["1. e4 *", "1. d4 d6 2. e4 1-0"], Some(2), Ok(3)),
            (vec!["1. e4 *"], Some(2), Err("has 1 game, not 2")),
            (vec!["1. e4 1-0", "1. d4 0-1"], None, Err("2 games, none unfinished; --number N")),
            (vec!["1. e4 *", "1. e9 *"], None, Ok(1)),
            (vec!["1. e4 *", "1. e9 *"], Some(2), Err("game 2, line 9")),
            (vec!["1. e9 *"], None, Err("game 1, line 4")),
            (vec![], None, Err("holds no game")),
        ] {
            let text: String = games.iter().map(|moves| game(moves)).collect();
            fs::write(&path, text).expect("a file");
            match (find(&path, number), found) {
                (Ok(saved), Ok(plies)) => {
                    assert_eq!(saved.record.moves.len(), plies, "{games:?}");
                    assert_eq!(saved.fault.is_some(), games.contains(&"1. e9 *"), "{games:?}");
                }
                (Err(error), Err(words)) => {
                    assert!(format!("{error:#}").contains(words), "{games:?}: {error:#}");
                }
                (found, expected) => panic!("{games:?}: {found:?}, not {expected:?}"),
            }
        }
        assert!(find(folder.path(), None).is_err(), "a folder is no file");
    }
}
