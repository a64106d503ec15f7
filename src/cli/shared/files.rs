//! Inputs (files, standard input, EPD, JSON, TOML) and output files, which are overwritten only on
//! request.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, stdin};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, sync_channel};

use anyhow::{Context, anyhow, bail};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};
use indicatif::ProgressBar;
use serde::de::DeserializeOwned;

use super::exit_status::while_waiting;
use qirkat_engine::protocol::Input;
use qirkat_game::text::lines_of;
use qirkat_rules::epd::{EpdError, Operation, read_epd};
use qirkat_rules::variant::{AnyPosition, Variant};
use qirkat_system::compression::{Decompressor, compression_extension};
use qirkat_system::output_file::{
    AtomicFile, FileIdentity, check_not_dash, open_exclusive, part_of,
};
use qirkat_tablebase::TABLE_EXTENSION;
use qirkat_tablebase::alquerque::CERTIFICATE_EXTENSION;

pub(crate) trait AtPath<T> {
    fn at_path(self, path: &Path) -> anyhow::Result<T>;
}

impl<T, E> AtPath<T> for Result<T, E>
where
    Result<T, E>: Context<T, E>,
{
    fn at_path(self, path: &Path) -> anyhow::Result<T> {
        self.with_context(|| path.display().to_string())
    }
}

/// Standard input. Ctrl-C ends the program while it waits.
struct StandardInput;

impl Read for StandardInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while_waiting(|| stdin().lock().read(buffer))
    }
}

const LINES_AHEAD: usize = 16;

/// The lines of standard input, read on a separate thread because a thread blocked on input does
/// not notice Ctrl-C.
pub(crate) fn input_lines() -> anyhow::Result<Receiver<Input>> {
    let (sender, lines) = sync_channel(LINES_AHEAD);
    Input::read_in_background(BufReader::new(stdin()), move |input| sender.send(input).is_ok())
        .context("standard input cannot be read")?;
    Ok(lines)
}

const BUFFER: usize = 1 << 16;

/// Opens a text to be read once, compressed or not; `-` is standard input. The bar shows how much
/// of the file is read.
pub(crate) fn open_input(path: &Path, bar: &ProgressBar) -> anyhow::Result<Box<dyn BufRead>> {
    let input: Box<dyn Read + Send> = match path == Path::new("-") {
        true => Box::new(StandardInput),
        false => Box::new(bar.wrap_read(open_file(path)?)),
    };
    Ok(Box::new(BufReader::with_capacity(BUFFER, Decompressor::new(input))))
}

/// Opens a file for reading; fails for a folder.
pub(crate) fn open_file(path: &Path) -> anyhow::Result<File> {
    if path.is_dir() {
        bail!("{} is a folder, not a file", path.display());
    }
    File::open(path).at_path(path)
}

/// The largest text that is read at once: a device might never end.
pub(crate) const MAX_TEXT: u64 = 64 << 20;

pub(crate) fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?.take(limit.saturating_add(1)).read_to_string(&mut text)?;
    if read as u64 > limit {
        let fault = format!("more than {} MB", limit >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, fault));
    }
    Ok(text)
}

/// Reads a regular text file: a pipe may never begin or end.
pub(crate) fn read_plain_text(path: &Path, limit: u64) -> anyhow::Result<String> {
    check_regular_file(path)?;
    let text = read_text(path, limit).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => anyhow!("not a text in UTF-8"),
        _ => error.into(),
    });
    text.at_path(path)
}

pub(crate) fn check_regular_file(path: &Path) -> anyhow::Result<()> {
    match path.metadata() {
        Ok(there) if there.is_dir() => open_file(path).map(drop),
        Ok(there) if !there.is_file() => bail!("{} is not a file", path.display()),
        // Opening it reports the error.
        _ => Ok(()),
    }
}

/// Refuses a compressed output where each result is written at once, and read again on resuming.
pub(crate) fn check_not_compressed(path: &Path) -> anyhow::Result<()> {
    if let Some(ending) = compression_extension(path) {
        bail!("a file that grows with each result is not compressed: name it without .{ending}");
    }
    Ok(())
}

/// The path with `-suffix` before the endings: `games.pgn.gz` becomes `games-1.pgn.gz`.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let inner =
        if compression_extension(path).is_some() { path.with_extension("") } else { path.into() };
    let stem = inner.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{suffix}{}", name.strip_prefix(&*stem).unwrap_or_default()))
}

/// Opens and locks a result file for appending.
pub(crate) fn open_results(path: &Path) -> anyhow::Result<File> {
    check_not_compressed(path)?;
    if let Ok(there) = path.metadata()
        && !there.is_file()
    {
        bail!("is {}, not a file to add to", if there.is_dir() { "a folder" } else { "special" });
    }
    Ok(open_exclusive(path, fs::OpenOptions::new().create(true).read(true).append(true))?)
}

#[derive(Args, Clone, Copy, Default)]
pub(crate) struct Overwrite {
    /// Replace an output file that already exists
    #[arg(long)]
    pub overwrite: bool,
}

/// Fails if no file can be created there: it is `-` or a folder, or its folder is missing.
pub(crate) fn check_creatable(path: &Path) -> anyhow::Result<()> {
    check_not_dash(path).at_path(path)?;
    if path.is_dir() {
        bail!("{} is a folder", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        bail!("{}: there is no such folder", path.display());
    }
    Ok(())
}

impl Overwrite {
    /// Starts an output file before the work begins. `instead` suggests an alternative if the file
    /// exists, such as `continue with --resume, `. Fails if it cannot be written, is also read, or
    /// exists and is not empty.
    pub fn begin(self, path: &Path, instead: &str) -> anyhow::Result<AtomicFile> {
        check_creatable(path)?;
        let name = path.display();
        if FileIdentity::at(path)
            .is_some_and(|file| READ.get().is_some_and(|read| read.contains(&file)))
        {
            bail!("{name} is read: name another file for the output");
        }
        if !self.overwrite && is_nonempty_file(path) {
            bail!(
                "{name} already exists: {instead}name another file, or replace it with --overwrite"
            );
        }
        AtomicFile::create(path).with_context(|| name.to_string())
    }
}

pub(crate) fn is_nonempty_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|there| there.is_file() && there.len() > 0)
}

/// The files that the command reads, once known.
static READ: OnceLock<Vec<FileIdentity>> = OnceLock::new();

/// The files that a command reads and writes, each with its option, if any.
#[derive(Default)]
pub(crate) struct NamedFiles {
    read: Vec<(String, PathBuf, FileIdentity)>,
    written: Vec<(String, PathBuf)>,
    reads_input: bool,
}

impl NamedFiles {
    /// Those of a command line. Every named file that is not written is read.
    pub fn of(mut command: &Command, mut matches: &ArgMatches) -> NamedFiles {
        let mut files = NamedFiles::default();
        loop {
            for argument in command.get_arguments() {
                let id = argument.get_id().as_str();
                let is_typed = matches.value_source(id) == Some(ValueSource::CommandLine);
                if !is_typed || !names_files(argument) {
                    continue;
                }
                let option = argument.get_long().map(|name| format!("--{name}"));
                for value in matches.get_raw(id).into_iter().flatten() {
                    let (option, path) = (option.clone().unwrap_or_default(), PathBuf::from(value));
                    match role(command.get_name(), argument.get_long().unwrap_or(id)) {
                        Role::Read => files.read(option, path),
                        Role::Written => files.write(option, path),
                        Role::Unchecked => {}
                    }
                }
            }
            let Some((name, below)) = matches.subcommand() else { break };
            let Some(next) = command.find_subcommand(name) else { break };
            (command, matches) = (next, below);
        }
        // These commands read the user's input.
        files.reads_input |= ["qirkat", "play", "puzzles"].contains(&command.get_name());
        files
    }

    /// Adds a file that is read, or all tables of a folder; `-` is standard input.
    pub fn read(&mut self, option: impl Into<String>, path: impl Into<PathBuf>) {
        let (option, path) = (option.into(), path.into());
        if path == Path::new("-") {
            self.reads_input = true;
            return;
        }
        let files = tables_in(&path).unwrap_or_else(|_| vec![path]);
        let files = files.into_iter().filter(|path| path.is_file());
        self.read.extend(files.filter_map(|path| {
            let file = FileIdentity::at(&path)?;
            Some((option.clone(), path, file))
        }));
    }

    pub fn write(&mut self, option: impl Into<String>, path: impl Into<PathBuf>) {
        self.written.push((option.into(), path.into()));
    }

    /// Refuses to write a file that is also read, or that is written twice.
    pub fn check_no_overlap(self) -> anyhow::Result<()> {
        let reader_of = |file: &FileIdentity| self.read.iter().find(|(.., read)| read == file);
        let input = FileIdentity::of_input().filter(|_| self.reads_input);
        let output = FileIdentity::of_output();
        let mut written: Vec<(FileIdentity, &str)> = Vec::new();
        for (option, path) in &self.written {
            let name = path.display();
            let Some(file) = FileIdentity::at(path) else { continue };
            match reader_of(&file) {
                None => {}
                Some((reading, ..)) if reading.is_empty() => {
                    bail!("{option}: {name} is read: name another file")
                }
                Some((reading, ..)) => bail!(
                    "{reading} and {option} name the same file, {name}, which is read: name another file"
                ),
            }
            if input.as_ref() == Some(&file) {
                bail!("{option}: {name} is standard input, which is read: name another file");
            }
            if let Some((_, other)) = written.iter().find(|(known, _)| *known == file) {
                bail!("{other} and {option} name the same file, {name}");
            }
            // `/dev/stdout` is meant.
            let is_device = path.starts_with("/dev") || path.starts_with("/proc");
            if output.as_ref() == Some(&file) && !is_device {
                bail!("{option}: {name} is standard output: name another file");
            }
            // The temporary file that is written first.
            let part = FileIdentity::at(&part_of(path));
            if let Some((_, path, _)) = part.and_then(|part| reader_of(&part)) {
                let name = path.display();
                bail!("{option}: {name} would be replaced, which is read: rename it first");
            }
            written.push((file, option));
        }
        if let Some(output) = output {
            if let Some((_, path, _)) = reader_of(&output) {
                let name = path.display();
                bail!("standard output goes to {name}, which is read: name another file");
            }
            if input.as_ref() == Some(&output) {
                bail!("standard output goes to the file that standard input comes from");
            }
        }
        let _ = READ.set(self.read.into_iter().map(|(.., file)| file).chain(input).collect());
        Ok(())
    }
}

/// Extensions of tables, Qirkat's and Syzygy's.
const TABLES: [&str; 4] = [TABLE_EXTENSION, CERTIFICATE_EXTENSION, "rtbw", "rtbz"];

pub(crate) fn tables_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = folder.read_dir()?.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<io::Result<_>>()?;
    let is_table = |path: &PathBuf| {
        path.extension().is_some_and(|ending| TABLES.iter().any(|table| ending == *table))
            && path.is_file()
    };
    paths.retain(is_table);
    paths.sort();
    Ok(paths)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The command reads the file, or all tables of the folder.
    Read,
    /// The command creates or extends the file.
    Written,
    /// The file may be both read and written: it is not checked for overlap.
    Unchecked,
}

/// Whether the values of an argument are files or folders.
pub(crate) fn names_files(argument: &Arg) -> bool {
    let names = argument.get_value_names().unwrap_or_default();
    names.iter().any(|name| {
        ["FILE", "FILES", "GAMES", "DIR", "FOLDER", "ENGINE", "ARGS"].contains(&name.as_str())
    })
}

pub(crate) fn role(command: &str, option: &str) -> Role {
    match (command, option) {
        // `--pgn` may name the same file; `find_saved` has read it by then.
        ("play", "load") => Role::Unchecked,
        ("play" | "xboard", "pgn") | ("compliance", "log") => Role::Written,
        (_, "output" | "svg" | "checkpoint" | "plot" | "certificate" | "state") => Role::Written,
        _ => Role::Read,
    }
}

/// Fields of an EPD position.
const FIELDS: usize = 4;

pub(crate) struct EpdLine {
    pub location: String,
    pub position: AnyPosition,
    pub operations: Vec<Operation>,
}

impl EpdLine {
    pub fn id(&self) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == "id")
    }
}

/// The positions of a file; `-` is standard input. The inner error is that of a faulty line, which
/// can be skipped; after the outer one nothing more can be read.
pub(crate) fn epd_lines(
    path: &Path,
    variant: Variant,
) -> anyhow::Result<impl Iterator<Item = anyhow::Result<anyhow::Result<EpdLine>>> + use<>> {
    let name = path.display().to_string();
    let lines = (1..).zip(lines_of(open_input(path, &ProgressBar::hidden())?));
    Ok(lines.filter_map(move |(number, line)| match line.with_context(|| name.clone()) {
        Err(error) => Some(Err(error)),
        Ok(line) => match read_epd(line.as_slice(), &name, variant) {
            Err(EpdError::Fen { path, error, .. }) => {
                Some(Ok(Err(EpdError::Fen { path, line: number, error }.into())))
            }
            Err(error) => Some(Err(error.into())),
            Ok(records) => {
                let (record, location) = (records.first()?, format!("{name}, line {number}"));
                let operations = record.operations().with_context(|| location.clone());
                let position = record.position;
                Some(Ok(operations.map(|operations| EpdLine { location, position, operations })))
            }
        },
    }))
}

pub(crate) fn operation(opcode: &str, operands: Vec<String>) -> Operation {
    Operation { opcode: opcode.to_owned(), operands }
}

pub(crate) fn epd_text(position: &AnyPosition, operations: &[Operation]) -> String {
    let fen = position.fen();
    let fields = fen.split(' ').take(FIELDS).map(str::to_owned);
    fields.chain(operations.iter().map(Operation::to_string)).collect::<Vec<_>>().join(" ")
}

pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> anyhow::Result<T> {
    serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => anyhow!(plain_words(&error.to_string())),
        _ => anyhow!("not JSON: {error}"),
    })
}

/// The error is one line with its location, without the excerpt that `toml` shows.
pub(crate) fn from_toml<T: DeserializeOwned>(text: &str) -> anyhow::Result<T> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let location = before.map_or(String::new(), |before| {
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|&letter| letter != '\n').count() + 1;
            format!(" at line {line} column {column}")
        });
        let message = plain_words(error.message());
        anyhow!("{}{location}", message.lines().collect::<Vec<_>>().join(" "))
    })
}

/// Replaces serde's terms by words that users of the program know.
pub(crate) fn plain_words(message: &str) -> String {
    const WHOLE: &str = "expected a whole number";
    const TERMS: [(&str, &str); 9] = [
        ("unknown field", "unknown name"),
        ("unknown variant", "unknown value"),
        ("missing field", "missing"),
        ("expected u8", WHOLE),
        ("expected u16", WHOLE),
        ("expected u32", WHOLE),
        ("expected u64", WHOLE),
        ("expected usize", WHOLE),
        ("expected f64", "expected a number"),
    ];
    TERMS.iter().fold(message.to_owned(), |text, (term, plain)| text.replace(term, plain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "it is read")]
    struct File {
        games: u32,
    }

    #[test]
    fn faults_are_one_line_with_their_location() {
        let json = |text| from_json::<File>(text).expect_err(text).to_string();
        let toml = |text| from_toml::<File>(text).expect_err(text).to_string();
        for (found, expected) in [
            (json("{\n x"), "not JSON: key must be a string at line 2 column 2"),
            (json("{}"), "missing `games` at line 1 column 2"),
            (toml("games = 1\nx = 3"), "unknown name `x`, expected `games` at line 2 column 1"),
            (
                toml("games = -1"),
                "invalid value: integer `-1`, expected a whole number at line 1 column 9",
            ),
            (toml("games"), "key with no value, expected `=` at line 1 column 6"),
        ] {
            assert_eq!(found, expected);
        }
    }
}
