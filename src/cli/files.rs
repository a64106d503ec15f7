//! Inputs, which may be standard input, and output files, which take no file's place unasked.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use qirkat_system::output_file::{WholeFile, open_alone};

/// Names the file that an error is about.
pub(super) trait AtPath<T> {
    /// The same, with the path before the error.
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

/// Opens a file to read; `-` is standard input.
pub(super) fn open_input(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(stdin().lock()));
    }
    Ok(Box::new(BufReader::new(open_file(path)?)))
}

/// Opens a file to read, which a folder is not.
pub(super) fn open_file(path: &Path) -> anyhow::Result<File> {
    if path.is_dir() {
        bail!("{} is a folder, not a file", path.display());
    }
    File::open(path).at_path(path)
}

/// The most bytes of a text that is read at once: a device might never end.
const MOST_TEXT: u64 = 64 << 20;

/// Reads a file of text.
pub(super) fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    if File::open(path)?.take(MOST_TEXT + 1).read_to_string(&mut text)? as u64 > MOST_TEXT {
        let fault = format!("more than {} MB", MOST_TEXT >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, fault));
    }
    Ok(text)
}

/// Opens a file of results for adding to it, which no other process can do meanwhile.
pub(super) fn open_results(path: &Path) -> anyhow::Result<File> {
    if let Ok(there) = path.metadata()
        && !there.is_file()
    {
        bail!("is {}, not a file to add to", if there.is_dir() { "a folder" } else { "special" });
    }
    Ok(open_alone(path, fs::OpenOptions::new().create(true).read(true).append(true))?)
}

/// Whether files that are there may be replaced.
#[derive(Args, Clone, Copy, Default)]
pub(super) struct Overwrite {
    /// Replace an output file that exists already
    #[arg(long)]
    pub overwrite: bool,
}

/// Sees, before the work begins, that something can be added to a file, or the file made.
/// Fails when that is a folder, lies in a folder that is not there, or cannot be written.
#[cfg(feature = "play")]
pub(super) fn check_append(path: &Path) -> anyhow::Result<()> {
    check_place(path)?;
    if path.exists() {
        fs::OpenOptions::new().append(true).open(path).at_path(path)?;
    }
    Ok(())
}

fn check_place(path: &Path) -> anyhow::Result<()> {
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
    /// Begins an output file, before the work whose result it takes. `inputs` are the
    /// files that the work reads. `instead` is what else may be done about a file that is
    /// there, such as `go on with --resume, `.
    /// Fails when it cannot be written, is an input, or is there already and holds something.
    pub fn begin(
        self,
        path: &Path,
        inputs: &[PathBuf],
        instead: &str,
    ) -> anyhow::Result<WholeFile> {
        check_place(path)?;
        let name = path.display();
        if let Some(there) = path.metadata().ok().filter(fs::Metadata::is_file) {
            let place = path.canonicalize();
            let is_it = |input: &PathBuf| matches!((&place, input.canonicalize()), (Ok(one), Ok(other)) if *one == other);
            if inputs.iter().any(is_it) {
                bail!("{name} is read: name another file for the output");
            }
            if there.len() > 0 && !self.overwrite {
                bail!(
                    "{name} exists already: {instead}name another file, or replace it with --overwrite"
                );
            }
        }
        WholeFile::create(path).with_context(|| name.to_string())
    }
}
