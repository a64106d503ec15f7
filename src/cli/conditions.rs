//! The settings and inputs that the content of a file depends on, kept beside it, so that
//! nothing made otherwise is added when the work goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use crate::files::{AtPath, read_text};
use qirkat_evaluation::AnyEvaluation;
use qirkat_system::format_version::FormatVersion;
use qirkat_system::output_file::write_whole;

/// Settings and inputs by name, such as `--nodes`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Conditions(BTreeMap<String, String>);

/// The file beside another that keeps its conditions.
#[derive(Serialize, Deserialize)]
struct ConditionsFile {
    #[serde(default)]
    version: FormatVersion<1>,
    #[serde(flatten)]
    conditions: Conditions,
}

/// A condition that has changed, in words.
pub(super) fn change(name: &str, old: &str, new: &str) -> String {
    format!("{name} was {old}, is now {new}")
}

impl Conditions {
    /// Notes a condition.
    pub fn set(&mut self, name: impl Into<String>, value: impl Display) {
        self.0.insert(name.into(), value.to_string());
    }

    /// Notes the network that `--eval-file` names.
    pub fn set_network(&mut self, evaluation: &AnyEvaluation) {
        let network = evaluation.network().map(|network| format!("{:08x}", network.checksum));
        self.set("network of --eval-file", network.as_deref().unwrap_or("none"));
    }

    /// The differences, each put in words by `say` from its name and its value here and there,
    /// unless it does not count.
    pub fn differences(
        &self,
        other: &Conditions,
        say: impl Fn(&str, &str, &str) -> Option<String>,
    ) -> Vec<String> {
        let names: BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        let value = |value: Option<&String>| {
            value.map_or_else(|| "not set".to_owned(), |value| format!("`{value}`"))
        };
        let values = names.into_iter().map(|name| (name, self.0.get(name), other.0.get(name)));
        values
            .filter(|(_, here, there)| here != there)
            .filter_map(|(name, here, there)| say(name, &value(here), &value(there)))
            .collect()
    }

    /// Reads conditions; nothing if there is no such file.
    pub fn read(path: &Path) -> Result<Option<Conditions>> {
        let text = match read_text(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.at_path(path)?,
        };
        let file: ConditionsFile = toml::from_str(&text)
            .map_err(|error: toml::de::Error| anyhow!("{}: {}", path.display(), error.message()))?;
        Ok(Some(file.conditions))
    }

    /// Writes them below a comment.
    pub fn write(&self, path: &Path, comment: &str) -> Result<()> {
        let file = ConditionsFile { version: FormatVersion, conditions: self.clone() };
        let text = format!("{comment}\n\n{}", toml::to_string(&file)?);
        write_whole(path, text.as_bytes()).at_path(path)
    }

    /// Sees that a file which is gone on with was made under these conditions.
    /// Fails when it was made otherwise, with what differs, or when nothing stands beside it
    /// that tells how it was made.
    pub fn expect_same(&self, file: &Path, beside: &Path) -> Result<()> {
        let name = file.display();
        let Some(old) = Conditions::read(beside)? else {
            bail!(
                "{name} cannot go on: there is no {}, which tells how it was made",
                beside.display()
            );
        };
        let changes = old.differences(self, |name, old, new| Some(change(name, old, new)));
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
