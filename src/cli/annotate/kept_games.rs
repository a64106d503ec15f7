//! The file of annotated games: each is written as it is done, and the file can be
//! gone on with.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::options::AnnotateOptions;
use crate::conditions::Conditions;
use crate::conditions::checksum;
use crate::files::AtPath;
use qirkat_engine::NAME_OF_BUILD;
use qirkat_notation::pgn::{Notation, PgnGame, PgnReader};
use qirkat_system::output_file::open_alone;

/// The comment at the head of the file beside.
const HEAD: &str = "# How the games beside were annotated. `qirkat annotate --resume` reads it.";

/// Annotated games in a file. Nobody else may write there meanwhile.
pub(super) struct KeptGames {
    pub path: PathBuf,
    file: File,
    pub games: u64,
}

impl KeptGames {
    /// Opens the file for these options: a new one, or with `--resume` the one that
    /// they have made before.
    /// Fails when it is there already, or made by other options or from other games.
    pub fn open(path: &Path, options: &AnnotateOptions) -> Result<KeptGames> {
        let there = path.metadata().ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            bail!("{} is no regular file; --pgn prints the games", path.display());
        }
        let goes_on = options.resume && there.is_some_and(|there| there.len() > 0);
        if !options.resume {
            let hint = "go on with --resume, ";
            options.overwrite.begin(path, &options.files, hint)?;
        }
        let conditions = conditions(options)?;
        if goes_on {
            conditions.expect_same(path, &conditions_file(path))?;
        }
        let file = open_alone(path, OpenOptions::new().create(true).read(true).write(true));
        let file = file.at_path(path)?;
        if !options.resume {
            file.set_len(0).at_path(path)?;
        }
        let mut kept = KeptGames { path: path.to_owned(), file, games: 0 };
        if goes_on {
            kept.count().at_path(path)?;
        }
        conditions.write(&conditions_file(path), HEAD)?;
        Ok(kept)
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

    /// Writes a game in one piece and sees it to the disk.
    pub fn add(&mut self, game: &PgnGame, notation: Notation) -> Result<()> {
        let text = game.written_in(notation).to_string();
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.at_path(&self.path)?;
        self.games += 1;
        Ok(())
    }
}

/// The file that tells how the games were annotated.
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
