//! What the content of a file depends on, kept beside it, so that nothing made
//! otherwise is added when the work goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use qirkat_system::output_file::write_whole;

/// Settings and inputs by name, such as `--nodes`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Conditions(BTreeMap<String, String>);

/// A condition that is not the same, and what it is here and there.
pub(super) struct Difference<'a> {
    pub name: &'a str,
    pub one: String,
    pub other: String,
}

impl Display for Difference<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} was {}, is now {}", self.name, self.one, self.other)
    }
}

impl Conditions {
    /// Notes a condition.
    pub fn set(&mut self, name: impl Into<String>, value: impl Display) {
        self.0.insert(name.into(), value.to_string());
    }

    /// What differs, by name.
    pub fn differences<'a>(&'a self, other: &'a Conditions) -> Vec<Difference<'a>> {
        let names: BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        let value = |conditions: &Conditions, name: &str| match conditions.0.get(name) {
            Some(value) => format!("`{value}`"),
            None => "not set".to_owned(),
        };
        names
            .into_iter()
            .filter(|&name| self.0.get(name) != other.0.get(name))
            .map(|name| Difference { name, one: value(self, name), other: value(other, name) })
            .collect()
    }

    /// Reads conditions; nothing if there is no such file.
    ///
    /// # Errors
    /// When the file cannot be read, or holds something else.
    pub fn read(path: &Path) -> Result<Option<Conditions>> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.with_context(|| path.display().to_string())?,
        };
        let conditions = toml::from_str(&text)
            .map_err(|error: toml::de::Error| anyhow!("{}: {}", path.display(), error.message()))?;
        Ok(Some(conditions))
    }

    /// Writes them below a comment.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path, comment: &str) -> Result<()> {
        let text = format!("{comment}\n\n{}", toml::to_string(self)?);
        write_whole(path, text.as_bytes()).with_context(|| path.display().to_string())
    }

    /// Sees that a file which is gone on with was made under these conditions.
    ///
    /// # Errors
    /// When it was made otherwise, with what differs, or when nothing stands beside it
    /// that tells how it was made.
    pub fn expect_same(&self, file: &Path, beside: &Path) -> Result<()> {
        let name = file.display();
        let Some(old) = Conditions::read(beside)? else {
            bail!(
                "{name} cannot go on: there is no {}, which tells how it was made",
                beside.display()
            );
        };
        let changes: Vec<String> = old.differences(self).iter().map(ToString::to_string).collect();
        if changes.is_empty() {
            return Ok(());
        }
        bail!("{name} was made otherwise: {}", changes.join("; "));
    }
}

/// The checksum and length of a file.
pub(super) fn checksum(path: &Path) -> io::Result<String> {
    let mut hasher = crc32fast::Hasher::new();
    if !path.metadata()?.is_file() {
        // A pipe may have nothing to say, and no end.
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut file = File::open(path)?;
    let length = io::copy(&mut file, &mut Hashing(&mut hasher))?;
    Ok(format!("{:08x} of {length} bytes", hasher.finalize()))
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
