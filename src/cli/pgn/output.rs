//! Where games are written.

use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use anyhow::Context;

use super::pgn_arguments::Output;

impl Output {
    /// Lets `write` write games to the file, or to standard output without
    /// one.
    ///
    /// # Errors
    /// When the file cannot be written, is one of the `inputs`, or may not be replaced, or
    /// when `write` fails.
    pub fn write<T>(
        &self,
        inputs: &[PathBuf],
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let Some(path) = &self.output else {
            let mut out = BufWriter::new(stdout().lock());
            let done = write(&mut out)?;
            out.flush()?;
            return Ok(done);
        };
        let mut file = self.overwrite.begin(path, inputs, "")?;
        let done = write(&mut file.content)?;
        file.finish().with_context(|| path.display().to_string())?;
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
