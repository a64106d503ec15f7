//! Where games are written.

use std::fs::{self, File};
use std::io::{BufWriter, Write, stdout};

use anyhow::Context;

use super::pgn_arguments::Output;
use crate::whole_file::WholeFile;

impl Output {
    /// Lets `write` write games to the file, or to standard output without
    /// one.
    ///
    /// The file may be among those read and must not be lost when something
    /// fails, so it is written beside its place first.
    ///
    /// # Errors
    /// When the file cannot be written, or `write` fails.
    pub fn write<T>(
        &self,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let Some(path) = &self.output else {
            return buffered(stdout().lock(), write);
        };
        let name = || path.display().to_string();
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if path.exists() && !path.is_file() {
            // A device or a pipe has nothing to lose.
            return buffered(File::create(&path).with_context(name)?, write);
        }
        let mut file = WholeFile::create(&path).with_context(name)?;
        let done = write(&mut file.content)?;
        file.finish().with_context(name)?;
        Ok(done)
    }

    /// Says what has been done, unless that would stand among the games.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn report(&self, text: &str) -> anyhow::Result<()> {
        if self.output.is_some() {
            writeln!(stdout(), "{text}")?;
        }
        Ok(())
    }
}

fn buffered<T>(
    out: impl Write,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut out = BufWriter::new(out);
    let done = write(&mut out)?;
    out.flush()?;
    Ok(done)
}
