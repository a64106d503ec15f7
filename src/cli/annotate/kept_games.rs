//! The file of annotated games: each is written as it is done, and the file can be
//! gone on with.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::options::AnnotateOptions;
use crate::cli::file_checksum::checksum;
use crate::pgn::{Notation, PgnGame, PgnReader};
use crate::whole_file::write_whole;

/// What stands at the head of the file beside.
const HEAD: &str =
    "# How the games beside were annotated. `qirkat annotate --resume` reads it.\n\n";

/// Annotated games in a file. Nobody else may write there meanwhile.
pub(super) struct KeptGames {
    path: PathBuf,
    file: File,
    games: u64,
}

impl KeptGames {
    /// Opens the file for these options: a new one, or with `--resume` the one that
    /// they have made before.
    ///
    /// # Errors
    /// When it is there already, or made by other options or from other games.
    pub fn open(path: &Path, options: &AnnotateOptions) -> Result<KeptGames> {
        let name = || path.display().to_string();
        if path.exists() && !options.resume {
            bail!("{} is there already: go on with --resume, or name another file", name());
        }
        let conditions = conditions(options)?;
        let is_there = path.exists();
        if is_there {
            expect_same(path, &conditions)?;
        }
        let opened =
            OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let file = opened.with_context(name)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{}: another review writes there", name()),
            Err(TryLockError::Error(error)) => log::warn!("{}: no lock: {error}", name()),
        }
        let mut kept = KeptGames { path: path.to_owned(), file, games: 0 };
        if is_there {
            kept.count().with_context(name)?;
        }
        let text = format!("{HEAD}{}", toml::to_string(&conditions)?);
        write_whole(&beside(path), text.as_bytes()).with_context(name)?;
        Ok(kept)
    }

    /// How many games are there.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Counts the whole games and takes away what is none behind them: a game that was
    /// cut off, which is reviewed again.
    fn count(&mut self) -> Result<()> {
        let mut end = 0;
        let mut games = PgnReader::new(BufReader::new(&self.file));
        while let Some(read) = games.next() {
            match read {
                Ok(read) if read.written_result.is_some() => end = games.offset(),
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
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, game: &PgnGame, notation: Notation) -> Result<()> {
        let text = game.written_in(notation).to_string();
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| self.path.display().to_string())?;
        self.games += 1;
        Ok(())
    }
}

/// The file that tells how the games were annotated.
fn beside(path: &Path) -> PathBuf {
    path.with_added_extension("annotate.toml")
}

/// Games and options, by their names.
type Conditions = BTreeMap<String, String>;

fn conditions(options: &AnnotateOptions) -> Result<Conditions> {
    let mut all = Conditions::new();
    let mut set = |name: &str, value: String| all.insert(name.to_owned(), value);
    for (number, path) in (1..).zip(&options.files) {
        let sum = if path == Path::new("-") {
            "standard input".to_owned()
        } else {
            checksum(path).with_context(|| path.display().to_string())?
        };
        set(&format!("games {number}"), sum);
    }
    let budget = &options.budget;
    for (name, value) in [
        ("--game", options.game.map(|game| game.to_string())),
        ("--movetime", budget.movetime.map(|time| time.to_string())),
        ("--nodes", budget.nodes.map(|nodes| nodes.to_string())),
        ("--depth", budget.depth.map(|depth| depth.to_string())),
        ("--total-time", budget.total_time.map(|time| format!("{} s", time.as_secs_f64()))),
        ("--eval-file", options.resources.eval_file.other_than_embedded().map(str::to_owned)),
        ("--table-path", options.resources.other_tables().map(str::to_owned)),
        ("--threads", Some(options.resources.threads.to_string())),
        ("--hash", Some(options.resources.hash.to_string())),
        ("--notation", Some(options.notation.to_string())),
        ("--variation", Some(options.variation.to_string())),
        ("--drop-comments", Some(options.drop_comments.to_string())),
        ("program", Some(super::ANNOTATOR.to_owned())),
    ] {
        if let Some(value) = value {
            set(name, value);
        }
    }
    Ok(all)
}

fn expect_same(path: &Path, conditions: &Conditions) -> Result<()> {
    let (name, beside) = (path.display(), beside(path));
    let Ok(text) = std::fs::read_to_string(&beside) else {
        bail!("{name} is not of a review that can go on: there is no {}", beside.display());
    };
    let old: Conditions = toml::from_str(&text)
        .map_err(|error: toml::de::Error| anyhow!("{}: {}", beside.display(), error.message()))?;
    let value = |conditions: &Conditions, name: &String| match conditions.get(name) {
        Some(value) => format!("`{value}`"),
        None => "not set".to_owned(),
    };
    let names: BTreeSet<&String> = old.keys().chain(conditions.keys()).collect();
    let changes: Vec<String> = names
        .into_iter()
        .filter(|&name| old.get(name) != conditions.get(name))
        .map(|name| format!("{name} was {}, is now {}", value(&old, name), value(conditions, name)))
        .collect();
    if changes.is_empty() {
        return Ok(());
    }
    bail!("{name} was made otherwise: {}", changes.join("; "));
}
