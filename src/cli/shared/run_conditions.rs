//! Files of results that a later run resumes: the conditions that determine their content are saved
//! beside them, so that a run under others is refused, and an unfinished line is cut off.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use anyhow::{Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::exit_status::Interrupted;
use super::files::{
    AtPath, MAX_TEXT, from_toml, is_nonempty_file, open_results, read_text, tables_in,
};
use super::options::{EvalFile, SearchResources, Threads};
use super::terminal::print_message;
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::text::{LONGEST_LINE, counted};
use qirkat_system::format_version::FormatVersion;
use qirkat_system::input_file::open_regular_file;
use qirkat_system::output_file::write_atomic;

/// The settings and inputs that determine a result, by name, such as `--nodes`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Conditions(BTreeMap<String, String>);

#[derive(Serialize, Deserialize)]
struct ConditionsFile {
    #[serde(default)]
    version: FormatVersion<1>,
    #[serde(flatten)]
    conditions: Conditions,
}

pub(crate) fn change(name: &str, old: &str, new: &str) -> String {
    format!("{name} was {old}, is now {new}")
}

impl Conditions {
    pub fn set(&mut self, name: impl Into<String>, value: impl Display) {
        self.0.insert(name.into(), value.to_string());
    }

    pub fn set_given(&mut self, name: impl Into<String>, value: Option<impl Display>) {
        if let Some(value) = value {
            self.set(name, value);
        }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub fn set_network(&mut self, evaluation: &AnyEvaluation) {
        self.set("network of --eval-file", network_checksum(evaluation));
    }

    /// Adds a search's resources, with the default number of threads if none is given, and
    /// checksums of its files, since content may change under the same name. Unreadable ones are
    /// reported where they are used.
    pub fn set_resources(&mut self, resources: &SearchResources, default_threads: usize) {
        self.set("--threads", resources.threads(default_threads));
        self.set("--hash", resources.hash);
        if let Some(network) = resources.eval_file.other_than_embedded() {
            self.set("--eval-file", network);
            self.set_given("network of --eval-file", checksum(Path::new(network)).ok());
        }
        if let Some(folder) = resources.table_path.other_than_embedded() {
            self.set("--table-path", folder);
            self.set_given("tables of --table-path", tables_checksum(Path::new(folder)).ok());
        }
    }

    /// The differences, each formatted by `format` from its name and both values; `None` ignores
    /// one.
    pub fn differences(
        &self,
        other: &Conditions,
        format: impl Fn(&str, &str, &str) -> Option<String>,
    ) -> Vec<String> {
        let names: BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        let value = |value: Option<&String>| {
            value.map_or_else(|| "not set".to_owned(), |value| format!("`{value}`"))
        };
        let values = names.into_iter().map(|name| (name, self.0.get(name), other.0.get(name)));
        values
            .filter(|(_, here, there)| here != there)
            .filter_map(|(name, here, there)| format(name, &value(here), &value(there)))
            .collect()
    }

    /// `None` if the file is missing.
    pub fn read(path: &Path) -> Result<Option<Conditions>> {
        let text = match read_text(path, MAX_TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.at_path(path)?,
        };
        let file: ConditionsFile = from_toml(&text).at_path(path)?;
        Ok(Some(file.conditions))
    }

    /// Fails if the conditions would overwrite another kind of file.
    pub fn check_replaceable(path: &Path) -> Result<()> {
        match Conditions::read(path) {
            Err(error) if is_nonempty_file(path) => {
                bail!("{error:#}; the settings of this run belong there: rename it")
            }
            _ => Ok(()),
        }
    }

    pub fn write(&self, path: &Path, comment: &str) -> Result<()> {
        Conditions::check_replaceable(path)?;
        let file = ConditionsFile { version: FormatVersion, conditions: self.clone() };
        let text = format!("{comment}\n\n{}", toml::to_string(&file)?);
        write_atomic(path, text.as_bytes()).at_path(path)
    }

    /// Checks that a resumed file was made under these conditions. Fails with the differences, or
    /// if the file of its conditions is missing.
    pub fn check_resumable(&self, file: &Path, conditions_path: &Path) -> Result<()> {
        let name = file.display();
        let Some(old) = Conditions::read(conditions_path)? else {
            bail!(
                "{name} cannot be resumed: {} is missing, which says how it was made",
                conditions_path.display()
            );
        };
        let changes = old.differences(self, |name, old, new| Some(change(name, old, new)));
        if changes.is_empty() {
            return Ok(());
        }
        bail!("{name} was made with other settings: {}", changes.join("; "));
    }
}

pub(crate) fn network_checksum(evaluation: &AnyEvaluation) -> String {
    let network = evaluation.network().map(|network| format!("{:08x}", network.checksum));
    network.unwrap_or_else(|| "none".to_owned())
}

pub fn checksum(path: &Path) -> io::Result<String> {
    let mut hasher = crc32fast::Hasher::new();
    // Engines have tens of megabytes, which would be thousands of reads of the default size.
    let mut file = BufReader::with_capacity(1 << 20, open_regular_file(path)?);
    let length = io::copy(&mut file, &mut Hashing(&mut hasher))?;
    Ok(format!("{:08x} of {length} bytes", hasher.finalize()))
}

/// Bytes read at either end of a table: they include a checksum of the rest, and reading gigabytes
/// would take minutes.
const ENDS: u64 = 64 << 10;

/// The number of tables in a folder and a checksum of their names, lengths and ends.
pub(crate) fn tables_checksum(folder: &Path) -> io::Result<String> {
    let paths = tables_in(folder)?;
    let mut hasher = crc32fast::Hasher::new();
    for path in &paths {
        hasher.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        hasher.update(&length.to_le_bytes());
        io::copy(&mut (&file).take(ENDS), &mut Hashing(&mut hasher))?;
        file.seek(SeekFrom::Start(length.saturating_sub(ENDS).max(ENDS)))?;
        io::copy(&mut file.take(ENDS), &mut Hashing(&mut hasher))?;
    }
    Ok(format!("{:08x} of {} tables", hasher.finalize(), paths.len()))
}

struct Hashing<'a>(&'a mut crc32fast::Hasher);

impl io::Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

// The network, the threads, and whether an earlier run is resumed.
#[derive(Args)]
#[command(mut_arg("threads", |arg| arg.help("Games at a time; all cores when not given")))]
pub(crate) struct ResumableOptions {
    #[command(flatten)]
    pub eval_file: EvalFile,
    #[command(flatten)]
    pub threads: Threads,
    /// Resume the file with the same options, or create it
    #[arg(long)]
    resume: bool,
}

impl ResumableOptions {
    /// Whether the output file is to be resumed. Fails if it has content and resuming was not
    /// requested, or if it is not a file.
    pub fn is_continued(&self, output: &Path) -> Result<bool> {
        let there = output.metadata().ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            bail!("{} is not a regular file", output.display());
        }
        let is_continued = there.is_some_and(|there| there.len() > 0);
        if is_continued && !self.resume {
            bail!("{} already exists; continue it with --resume", output.display());
        }
        Ok(is_continued)
    }
}

pub fn stopped_before(wanted: u64) -> Interrupted {
    Interrupted(format!("stopped before there were {wanted}; continue with --resume"))
}

/// Opens a file of results, saves its conditions beside it, and returns the file and its lines. A
/// file that is continued must have been made under the same conditions.
pub(crate) fn open_resumable(
    path: &Path,
    is_continued: bool,
    conditions_path: &Path,
    conditions: &Conditions,
    comment: &str,
) -> Result<(File, String)> {
    Conditions::check_replaceable(conditions_path)?;
    let mut file = open_results(path).at_path(path)?;
    if is_continued {
        conditions.check_resumable(path, conditions_path)?;
    }
    let lines = whole_lines(&mut file, path)?;
    conditions.write(conditions_path, comment)?;
    Ok((file, lines))
}

/// The lines of a result file. An incomplete last line of an interrupted run is cut off.
pub(crate) fn whole_lines(file: &mut File, path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    let mut input = BufReader::new(&mut *file);
    loop {
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).at_path(path)? {
            0 => break,
            read if read as u64 == LONGEST_LINE => bail!("{}: a line is too long", path.display()),
            _ => {}
        }
    }
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole < bytes.len() {
        file.set_len(whole as u64).at_path(path)?;
        report_truncation(path, (bytes.len() - whole) as u64, "line");
        bytes.truncate(whole);
    }
    String::from_utf8(bytes).at_path(path)
}

/// Reports how many bytes of an interrupted run were cut off.
pub(crate) fn report_truncation(path: &Path, bytes: u64, part: &str) {
    let unfinished = counted(bytes, "byte");
    print_message(format_args!("{}: cut off {unfinished} of an unfinished {part}", path.display()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::fs;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        resources: SearchResources,
    }

    /// A network and tables that keep their names are known by what is in them.
    #[test]
    fn resources_are_known_by_their_content() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name).display().to_string();
        let write = |name: &str, text: &[u8]| fs::write(at(name), text).expect("room");
        fs::create_dir(at("tables")).expect("a folder");
        let large = vec![1; 3 * ENDS as usize];
        write("net", b"weights");
        write("tables/KRvK.qtb", &large);
        let (network, tables) = (at("net"), at("tables"));
        let line = ["x", "--eval-file", &network, "--table-path", &tables];
        let of = |line: &[&str]| {
            let mut conditions = Conditions::default();
            conditions.set_resources(&Line::try_parse_from(line).expect("options").resources, 1);
            conditions
        };
        let begun = of(&line);
        let changed = |what: &str| {
            let changes =
                begun.differences(&of(&line), |name, old, new| Some(change(name, old, new)));
            assert!(changes.iter().all(|change| change.contains(" was `")), "{changes:?}");
            assert_eq!(changes.len(), usize::from(!what.is_empty()), "{what}: {changes:?}");
            assert!(changes.iter().all(|change| change.starts_with(what)), "{what}: {changes:?}");
        };
        changed("");
        write("net", b"Weights");
        changed("network of --eval-file");
        write("net", b"weights");
        let other = |offset: usize| {
            let mut bytes = large.clone();
            bytes[offset] = 2;
            bytes
        };
        for bytes in [other(7), other(large.len() - 1), large[1..].to_vec(), Vec::new()] {
            write("tables/KRvK.qtb", &bytes);
            changed("tables of --table-path");
        }
        write("tables/KRvK.qtb", &large);
        // Other files in the folder do not count.
        write("tables/games.pgn", b"1. e4 *");
        changed("");
        for name in ["tables/KQvK.masonic.qtb", "tables/start.cert"] {
            write(name, b"");
            changed("tables of --table-path");
            fs::remove_file(at(name)).expect("the table");
        }
        fs::rename(at("tables/KRvK.qtb"), at("tables/KBvK.qtb")).expect("another name");
        changed("tables of --table-path");
        // The built-in network and tables need no name: they belong to the program.
        assert!(of(&["x", "--eval-file", "<none>"]).0.len() > of(&["x"]).0.len());
    }
}
