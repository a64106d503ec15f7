//! Files of games, read one after the other.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, stderr, stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::Context;
use indicatif::ProgressBar;

use super::super::progress;
use crate::pgn::{PgnError, PgnGame, PgnReader, ReadGame};
use crate::text::counted;

/// Less than this is read before anybody wonders.
const WORTH_A_BAR: u64 = 8 << 20;
const BUFFER: usize = 1 << 16;

/// Hands every game and every fault to `on_game`, with the name of its file and
/// the bar that must be out of the way when something is printed.
///
/// # Errors
/// When a file cannot be read, or `on_game` fails.
pub(in crate::cli) fn for_each_game(
    paths: &[PathBuf],
    mut on_game: impl FnMut(&str, Result<ReadGame, PgnError>, &ProgressBar) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let bar = bar_for(paths);
    for path in paths {
        let name = path.display().to_string();
        for game in PgnReader::new(open(path, &bar).context(name.clone())?) {
            match game {
                Err(PgnError::Io(error)) => return Err(error).context(name),
                game => on_game(&name, game, &bar)?,
            }
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// Hands every sound game to `on_game` and tells about the others on standard
/// error; gives back how many those were.
///
/// # Errors
/// When a file cannot be read, or `on_game` fails.
pub(in crate::cli) fn for_each_sound_game(
    paths: &[PathBuf],
    mut on_game: impl FnMut(PgnGame) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let mut faults = 0;
    for_each_game(paths, |name, game, bar| match game {
        Ok(read) => on_game(read.game),
        Err(error) => {
            faults += 1;
            tell_left_out(name, &error, bar);
            Ok(())
        }
    })?;
    Ok(faults)
}

/// As [`for_each_sound_game`], for those who write games down again: `on_game`
/// says whether it has written this one, and then it is told when variations
/// have got lost on the way.
///
/// # Errors
/// When a file cannot be read, or `on_game` fails.
pub(in crate::cli) fn for_each_game_to_copy(
    paths: &[PathBuf],
    mut on_game: impl FnMut(&ReadGame) -> anyhow::Result<bool>,
) -> anyhow::Result<u64> {
    let mut faults = 0;
    for_each_game(paths, |name, game, bar| match game {
        Ok(read) => {
            if on_game(&read)? {
                tell_variations_lost(name, &read, bar);
            }
            Ok(())
        }
        Err(error) => {
            faults += 1;
            tell_left_out(name, &error, bar);
            Ok(())
        }
    })?;
    Ok(faults)
}

/// Tells of variations of a game that could not be read, so that they are missing in what
/// is written.
pub(in crate::cli) fn tell_variations_lost(file: &str, read: &ReadGame, bar: &ProgressBar) {
    let &ReadGame { number, line, variations, .. } = read;
    if variations > 0 {
        let lost = counted(variations, "variation");
        tell_left_out(file, &format!("game {number}, line {line}: {lost}"), bar);
    }
}

/// Tells on standard error what of a file is left out.
pub(in crate::cli) fn tell_left_out(file: &str, what: &dyn Display, bar: &ProgressBar) {
    bar.suspend(|| eprintln!("qirkat: {file}: {what}, left out"));
}

fn open(path: &Path, bar: &ProgressBar) -> std::io::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(stdin().lock()));
    }
    let file = bar.wrap_read(File::open(path)?);
    Ok(Box::new(BufReader::with_capacity(BUFFER, file)))
}

/// A bar over the bytes of large files, where only the bar is on the terminal.
fn bar_for(paths: &[PathBuf]) -> ProgressBar {
    let size: u64 = paths.iter().map(|path| path.metadata().map_or(0, |data| data.len())).sum();
    if size < WORTH_A_BAR || stdout().is_terminal() || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = progress::bar("{bar:30} {bytes} of {total_bytes}, {eta} left");
    bar.set_length(size);
    bar
}
