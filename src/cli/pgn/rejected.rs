//! Games that cannot be carried over, kept in a file of their own.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::fingerprint;
use crate::files::AtPath;
use qirkat_rules::pgn::PgnReader;
use qirkat_system::output_file::open_alone;

/// The file beside an output for games that could not be read: their text as it was. It is
/// made when there is the first one, and added to when it is there already.
pub(crate) struct Rejected {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    /// The games in it, by fingerprints.
    texts: HashSet<[u64; 2]>,
}

impl Rejected {
    /// The file beside this one; none beside a device or a pipe.
    pub fn beside(output: &Path) -> Option<Rejected> {
        if output.exists() && !output.is_file() {
            return None;
        }
        // `/dev/stdout` may be a file with a name of its own.
        let output = output.canonicalize().unwrap_or_else(|_| output.to_owned());
        let path = output.with_added_extension("rejected.pgn");
        Some(Rejected { path, file: None, texts: HashSet::new() })
    }

    /// The fate of a faulty game, in words.
    pub fn fate(&self) -> String {
        format!("kept in {}", self.path.display())
    }

    /// Adds the text of a game, unless it is there already: a command may be given again.
    pub fn add(&mut self, text: &[u8]) -> anyhow::Result<()> {
        self.try_to_add(text).at_path(&self.path)
    }

    fn try_to_add(&mut self, text: &[u8]) -> anyhow::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let options = &mut OpenOptions::new();
                let opened = open_alone(&self.path, options.create(true).read(true).append(true))?;
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

    /// Sees the file to the disk.
    pub fn finish(self) -> anyhow::Result<()> {
        let Some(mut file) = self.file else { return Ok(()) };
        let written = file.flush().and_then(|()| file.get_ref().sync_all());
        written.at_path(&self.path)
    }
}
