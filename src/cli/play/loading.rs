//! Games out of files, to be gone on with.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, bail};

use crate::shared::games::refuse_other_formats;
use qirkat_game::GameResult;
use qirkat_game::text::counted;
use qirkat_rules::pgn::{PgnError, PgnGame, PgnReader};

/// Unfinished games of a file that are remembered, the last ones.
const MOST_OPEN: usize = 100;

/// A game that was found in a file.
#[derive(Debug)]
pub(super) struct SavedGame {
    pub record: PgnGame,
    /// The last game of the file that could not be read, if there is one.
    pub fault: Option<PgnError>,
}

/// The game with this number in a file, counted from 1; without a number, the last that is
/// not over and was not gone on with.
///
/// # Errors
/// When there is no such game, or it cannot be read.
pub(super) fn find(path: &Path, number: Option<u64>) -> anyhow::Result<SavedGame> {
    let name = || path.display().to_string();
    // A pipe or a device might never end.
    if !path.metadata().with_context(name)?.is_file() {
        bail!("{}: no regular file", name());
    }
    let mut file = BufReader::new(File::open(path).with_context(name)?);
    refuse_other_formats(file.fill_buf().with_context(name)?).with_context(name)?;
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
                    if open.len() > MOST_OPEN {
                        open.remove(0);
                    }
                }
            }
            Err(error @ PgnError::Io(_)) => return Err(error).with_context(name),
            Err(error) if is_wanted => return Err(error).with_context(name),
            Err(error) => fault = Some(error),
        }
    }
    match (open.pop(), number, fault) {
        (Some(record), _, fault) => Ok(SavedGame { record, fault }),
        (None, _, Some(fault)) if games == 1 => Err(fault).with_context(name),
        (None, ..) if games == 0 => bail!("{} holds no game", name()),
        (None, Some(number), _) => {
            bail!("{} has {}, not {number}", name(), counted(games, "game"))
        }
        (None, None, _) => bail!(
            "{}: {}, none unfinished; --number N takes one of them",
            name(),
            counted(games, "game")
        ),
    }
}

fn is_open(game: &PgnGame) -> bool {
    game.result == GameResult::Unfinished && game.final_game().outcome().is_none()
}

/// Whether a later game is this one gone on with, as a file has them that is saved to more
/// than once.
fn goes_on(game: &PgnGame, later: &PgnGame) -> bool {
    let is_same = |tag| game.tag(tag) == later.tag(tag);
    game.start == later.start
        && ["White", "Black", "Date"].into_iter().all(is_same)
        && game.moves.len() <= later.moves.len()
        && game.moves.iter().zip(&later.moves).all(|(one, other)| one.mv == other.mv)
}

#[cfg(test)]
mod tests {
    use crate::play::loading::find;

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
            std::fs::write(&path, text).expect("a file");
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
