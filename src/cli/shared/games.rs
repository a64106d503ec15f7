//! Reads the games of files one after another; faulty games are saved separately.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::builder::TypedValueParser;
use indicatif::ProgressBar;

use super::files::{AtPath, open_input};
use super::options::named;
use super::terminal::{self, print_message};
use qirkat_game::text::{check_not_utf16, counted};
use qirkat_rules::pgn::{MoveFault, Notation, PgnError, PgnFault, PgnGame, PgnReader, ReadGame};
use qirkat_system::output_file::open_exclusive;

/// Smaller files are read too quickly to need a progress bar.
const MIN_BAR_BYTES: u64 = 8 << 20;

pub(crate) enum Found {
    /// A valid game, and its number from 1 over all files.
    Game(u64, Box<ReadGame>),
    /// A message about a faulty game, or about many in a row.
    Fault(String),
}

#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ReadCounts {
    pub all: u64,
    pub faulty: u64,
}

/// Calls `on_found` with every game and every message about faulty ones, with the file name and the
/// progress bar, which must be suspended for printing. Faulty games go to `rejected`. The path `-`
/// is standard input, and `only` the number of a game from 1 over all files.
pub(crate) fn for_each_game(
    paths: &[PathBuf],
    only: Option<u64>,
    mut rejected: Option<&mut RejectedGames>,
    mut on_found: impl FnMut(&str, Found, &ProgressBar) -> anyhow::Result<()>,
) -> anyhow::Result<ReadCounts> {
    let bar = bar_for(paths);
    let mut counts = ReadCounts::default();
    for path in paths {
        let name = path.display().to_string();
        let (mut run, mut failure) = (ConsecutiveFaults::default(), None);
        let mut games = PgnReader::new(open_games(path, &bar)?);
        while let Some(game) = games.next() {
            counts.all += 1;
            let is_wanted = only.is_none_or(|only| only == counts.all);
            match game {
                Err(PgnError::Io(error)) => {
                    failure = Some(error);
                    break;
                }
                _ if !is_wanted => {}
                Err(error) => {
                    counts.faulty += 1;
                    run.add(&error);
                    if let Some(rejected) = &mut rejected {
                        rejected.add(games.text())?;
                    }
                }
                Ok(read) => {
                    for line in run.end_at_game() {
                        on_found(&name, Found::Fault(line), &bar)?;
                    }
                    on_found(&name, Found::Game(counts.all, Box::new(read)), &bar)?;
                }
            }
        }
        for line in run.end_of_file() {
            on_found(&name, Found::Fault(line), &bar)?;
        }
        if let Some(error) = failure {
            return Err(error).context(name);
        }
    }
    bar.finish_and_clear();
    Ok(counts)
}

/// Calls `on_game` with every valid game and reports the faulty ones on standard error; returns
/// their number.
pub(crate) fn for_each_sound_game(
    paths: &[PathBuf],
    mut on_game: impl FnMut(PgnGame) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let counts = for_each_game(paths, None, None, |name, found, bar| match found {
        Found::Game(_, read) => on_game(read.game),
        Found::Fault(line) => {
            report_fault(name, &format_args!("{line}, left out"), bar);
            Ok(())
        }
    })?;
    Ok(counts.faulty)
}

/// Like [`for_each_sound_game`], for commands that write games, to the file `output` if given.
/// Faulty games are saved in another file beside it. `on_game` returns whether it wrote the game,
/// because only then unread variations are reported. Fails if a file cannot be read or written,
/// there is no game, or `on_game` fails.
pub(crate) fn for_each_game_to_copy(
    paths: &[PathBuf],
    only: Option<u64>,
    output: Option<&Path>,
    mut on_game: impl FnMut(u64, &ReadGame) -> anyhow::Result<bool>,
) -> anyhow::Result<ReadCounts> {
    let mut rejected = output.and_then(RejectedGames::beside);
    let action = rejected.as_ref().map_or("left out".to_owned(), RejectedGames::action);
    let counts = for_each_game(paths, only, rejected.as_mut(), |name, found, bar| {
        match found {
            Found::Game(number, read) => {
                if on_game(number, &read)? {
                    report_unread_variations(name, &read, bar);
                }
            }
            Found::Fault(line) => report_fault(name, &format_args!("{line}, {action}"), bar),
        }
        Ok(())
    })?;
    if counts.all == 0 {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        bail!("there is no game in {}", names.join(", "));
    }
    rejected.map_or(Ok(()), RejectedGames::finish)?;
    Ok(counts)
}

fn report_unread_variations(file: &str, read: &ReadGame, bar: &ProgressBar) {
    let Some((first, others)) = read.unread.split_first() else { return };
    let more = match others.len() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let number = read.number;
    report_fault(file, &format_args!("game {number}, {first}{more}, read as a comment"), bar);
}

pub(crate) fn report_fault(file: &str, what: &dyn Display, bar: &ProgressBar) {
    bar.suspend(|| print_message(format_args!("{file}: {what}")));
}

/// Opens a file of games; `-` is standard input. Fails for other formats.
pub(crate) fn open_games(path: &Path, bar: &ProgressBar) -> anyhow::Result<Box<dyn BufRead>> {
    let mut input = open_input(path, bar)?;
    let start = input.fill_buf().and_then(check_format);
    start.at_path(path)?;
    Ok(input)
}

const COMPRESSED: [(&[u8], &str); 3] =
    [(b"\xFD7zXZ\0", "xz"), (b"BZh", "bzip2"), (b"PK\x03\x04", "zip")];

/// Refuses binary files by their first bytes. Zero bytes after the first game are allowed: a power
/// cut can leave them at the end of a file.
pub(crate) fn check_format(start: &[u8]) -> io::Result<()> {
    check_not_utf16(start)?;
    let compressed = COMPRESSED.iter().find(|(magic, _)| start.starts_with(magic));
    let first_game = start.windows(2).position(|pair| pair == b"[E").unwrap_or(start.len());
    let fault = match compressed {
        Some((_, format)) => format!("compressed with {format}; unpack it first"),
        None if !start[..first_game].contains(&0) => return Ok(()),
        None => "not a text file, so not PGN".to_owned(),
    };
    Err(io::Error::new(ErrorKind::InvalidData, fault))
}

/// A progress bar over the bytes of large files, if nothing else is on the terminal.
fn bar_for(paths: &[PathBuf]) -> ProgressBar {
    let size: u64 = paths.iter().map(|path| path.metadata().map_or(0, |data| data.len())).sum();
    if size < MIN_BAR_BYTES || stdout().is_terminal() || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = terminal::bar("{bar:30} {bytes} of {total_bytes}, {eta} left");
    bar.set_length(size);
    bar
}

/// A likely cause of an error in a file's first game: most games in the world are orthodox chess
/// and name no variant.
pub(crate) fn hint(error: &PgnError) -> &'static str {
    let PgnError::Game { fault: PgnFault::Move { number, text, fault }, .. } = error else {
        return "";
    };
    let is_early = matches!(number.to_string().trim_end_matches('.'), "1" | "2" | "3");
    let text = text.to_string();
    let point = text.trim_end_matches(['+', '#', '!', '?']);
    let is_on_64 = matches!(point.as_bytes(), [.., b'a'..=b'h', b'1'..=b'8']);
    let is_likely = is_early && is_on_64 && *fault == MoveFault::Illegal;
    if is_likely { " (orthodox chess is not played here)" } else { "" }
}

const MAX_REPORTED: usize = 10;

/// Consecutive faulty games. A file of another kind has thousands, so only the first are reported
/// one by one.
#[derive(Default)]
struct ConsecutiveFaults {
    messages: Vec<String>,
    more: u64,
    last_line: u64,
    is_after_game: bool,
    hint: &'static str,
}

impl ConsecutiveFaults {
    pub fn add(&mut self, error: &PgnError) {
        if let PgnError::Game { line, .. } = error {
            self.last_line = *line;
        }
        if self.messages.is_empty() {
            self.hint = hint(error);
        }
        if self.messages.len() < MAX_REPORTED {
            self.messages.push(error.to_string());
        } else {
            self.more += 1;
        }
    }

    pub fn end_at_game(&mut self) -> Vec<String> {
        self.is_after_game = true;
        let mut lines = std::mem::take(&mut self.messages);
        let more = std::mem::take(&mut self.more);
        if more > 0 {
            let games = counted(more, "faulty game");
            lines.push(format!("{games} more, up to line {}", self.last_line));
        }
        lines
    }

    pub fn end_of_file(mut self) -> Vec<String> {
        if let (false, Some(first)) = (self.is_after_game, self.messages.first_mut()) {
            first.push_str(self.hint);
        }
        if self.more > 0 && !self.is_after_game {
            let games = self.messages.len() as u64 + self.more;
            return vec![format!("{games} games, none readable ({})", self.messages[0])];
        }
        self.end_at_game()
    }
}

/// The file beside an output with the unchanged text of unreadable games. It is created for the
/// first one, and appended to if it exists.
pub(crate) struct RejectedGames {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    texts: HashSet<[u64; 2]>,
}

impl RejectedGames {
    /// The file beside this one; `None` for a device or a pipe.
    pub fn beside(output: &Path) -> Option<RejectedGames> {
        if output.exists() && !output.is_file() {
            return None;
        }
        // `/dev/stdout` may be a file with its own name.
        let output = output.canonicalize().unwrap_or_else(|_| output.to_owned());
        let path = output.with_added_extension("rejected.pgn");
        Some(RejectedGames { path, file: None, texts: HashSet::new() })
    }

    pub fn action(&self) -> String {
        format!("saved in {}", self.path.display())
    }

    /// Appends the text of a game unless the file has it from an earlier run of the command.
    pub fn add(&mut self, text: &[u8]) -> anyhow::Result<()> {
        self.try_to_add(text).at_path(&self.path)
    }

    fn try_to_add(&mut self, text: &[u8]) -> anyhow::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let options = &mut OpenOptions::new();
                let opened =
                    open_exclusive(&self.path, options.create(true).read(true).append(true))?;
                let mut games = PgnReader::new(BufReader::new(&opened));
                while games.next().is_some() {
                    self.texts.insert(fingerprint(&games.text()));
                }
                self.file.insert(BufWriter::new(opened))
            }
        };
        if self.texts.insert(fingerprint(&text)) {
            file.write_all(text)?;
            file.write_all(b"\n\n")?;
        }
        Ok(())
    }

    pub fn finish(self) -> anyhow::Result<()> {
        let Some(mut file) = self.file else { return Ok(()) };
        let written = file.flush().and_then(|()| file.get_ref().sync_all());
        written.at_path(&self.path)
    }
}

/// A 128-bit hash of a game: small enough for millions of games, large enough to avoid collisions.
pub(crate) fn fingerprint(identity: &impl Hash) -> [u64; 2] {
    [0_u8, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        (half, identity).hash(&mut hasher);
        hasher.finish()
    })
}

pub(crate) fn notations() -> impl TypedValueParser<Value = Notation> {
    let notation = |text: &str| Notation::parse(text).ok_or("neither lan nor san");
    named(notation, Notation::ALL.map(Notation::name))
}
