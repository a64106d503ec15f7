//! The file of annotated games: each is written as it is done, and the file can be
//! gone on with.

use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::AnnotateOptions;
use crate::conditions::{Conditions, checksum};
use crate::shared::files::{AtPath, holds_something};
use qirkat_engine::NAME_OF_BUILD;
use qirkat_rules::pgn::{Notation, PgnGame, PgnReader};
use qirkat_system::output_file::{
    WholeFile, forget_unfinished, note_unfinished, open_alone, part_of, rename,
};

const HEAD: &str = "# How the games beside were annotated. `qirkat annotate --resume` reads it.";

/// Annotated games in a file. Nobody else may write there meanwhile.
///
/// Where they replace another file, that stays until all are done. Until then they stand beside it,
/// in a file that is gone on with like any other.
pub(crate) struct KeptGames {
    pub path: PathBuf,
    /// Where they stand until the end.
    pub place: PathBuf,
    file: File,
    /// What takes its place at the end, if it stands beside it.
    whole: Option<WholeFile>,
    pub games: u64,
    is_new: bool,
}

impl KeptGames {
    /// Opens the file for these options: a new one, or with `--resume` the one that
    /// they have made before.
    /// Fails when it is there already, or made by other options or from other games.
    pub fn open(path: &Path, options: &AnnotateOptions) -> Result<KeptGames> {
        if path.metadata().is_ok_and(|there| !there.is_file()) {
            bail!("{} is no regular file; --pgn prints the games", path.display());
        }
        if !options.resume {
            options.overwrite.begin(path, "go on with --resume, ")?;
        }
        let beside = part_of(path);
        let was_broken_off = || beside.exists() && conditions_file(&beside).exists();
        let replaces = if options.resume { was_broken_off() } else { holds_something(path) };
        let place = if replaces { beside } else { path.to_owned() };
        Conditions::expect_place(&conditions_file(&place))?;
        let conditions = conditions(options)?;
        let goes_on = options.resume && holds_something(&place);
        if goes_on {
            conditions.expect_same(&place, &conditions_file(&place))?;
        }
        let is_new = !goes_on && (replaces || !place.exists());
        let whole = if replaces { Some(WholeFile::resume(path).at_path(path)?) } else { None };
        let file = match &whole {
            Some(whole) => whole.content.get_ref().try_clone(),
            None => open_alone(path, OpenOptions::new().create(true).read(true).write(true)),
        };
        let file = file.at_path(&place)?;
        if !options.resume {
            file.set_len(0).at_path(&place)?;
        }
        let mut kept = KeptGames { path: path.to_owned(), place, file, whole, games: 0, is_new };
        if kept.is_worthless() {
            kept.files().iter().for_each(|path| note_unfinished(path));
        }
        if goes_on {
            kept.count().at_path(&kept.place.clone())?;
        }
        conditions.write(&conditions_file(&kept.place), HEAD)?;
        Ok(kept)
    }

    /// All are done: they take their place. Without a game, what was there stays.
    pub fn finish(mut self) -> Result<()> {
        if self.games > 0
            && let Some(whole) = self.whole.take()
        {
            whole.finish().at_path(&self.path)?;
            let [from, to] = [&self.place, &self.path].map(|path| conditions_file(path));
            rename(&from, &to).at_path(&to)?;
        }
        Ok(())
    }

    fn is_worthless(&self) -> bool {
        self.games == 0 && self.is_new
    }

    fn files(&self) -> [PathBuf; 2] {
        [self.place.clone(), conditions_file(&self.place)]
    }

    /// Counts the whole games and takes away what is none behind them: a game that was
    /// cut off, which is reviewed again.
    fn count(&mut self) -> Result<()> {
        let mut end = 0;
        let mut games = PgnReader::new(BufReader::new(&self.file));
        while let Some(read) = games.next() {
            match read {
                Ok(read) if read.written_result.is_some() => end = games.offset(),
                // A game that was cut off is the last one.
                _ if games.any(|read| read.is_ok_and(|read| read.written_result.is_some())) => {
                    bail!(
                        "game {} is not whole, and others stand behind it: mend it, or name another file",
                        self.games + 1
                    )
                }
                _ => break,
            }
            self.games += 1;
        }
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::End(0))?;
        if end > 0 {
            self.file.write_all(b"\n\n")?;
        }
        Ok(())
    }

    pub fn add(&mut self, game: &PgnGame, notation: Notation) -> Result<()> {
        let text = game.written_in(notation).to_string();
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.at_path(&self.place)?;
        self.games += 1;
        self.files().iter().for_each(|path| forget_unfinished(path));
        Ok(())
    }
}

impl Drop for KeptGames {
    /// Games that are done stay, to be gone on with; of none there is nothing to keep.
    fn drop(&mut self) {
        let is_worthless = self.is_worthless();
        let whole = self.whole.take();
        if is_worthless {
            drop(whole);
            let _ = self.files().map(fs::remove_file);
        } else {
            whole.into_iter().for_each(WholeFile::leave);
        }
    }
}

fn conditions_file(path: &Path) -> PathBuf {
    path.with_added_extension("annotate.toml")
}

fn conditions(options: &AnnotateOptions) -> Result<Conditions> {
    let mut all = Conditions::default();
    for (number, path) in (1..).zip(&options.files) {
        let sum = if path == Path::new("-") {
            "standard input".to_owned()
        } else {
            checksum(path).at_path(path)?
        };
        all.set(format!("games {number}"), sum);
    }
    let budget = &options.budget;
    all.set_resources(&options.resources, budget.usual_threads());
    for (name, value) in [
        ("--game", options.game.map(|game| game.to_string())),
        ("--movetime", budget.movetime.map(|time| time.to_string())),
        ("--nodes", budget.nodes.map(|nodes| nodes.to_string())),
        ("--depth", budget.depth.map(|depth| depth.to_string())),
        ("--total-time", budget.total_time.map(|time| format!("{} s", time.as_secs_f64()))),
        ("--notation", Some(options.notation.to_string())),
        ("--variation", Some(options.variation.to_string())),
        ("--drop-comments", Some(options.drop_comments.to_string())),
        ("program", Some(NAME_OF_BUILD.to_owned())),
    ] {
        if let Some(value) = value {
            all.set(name, value);
        }
    }
    Ok(all)
}
