//! Settings in files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde::de::DeserializeOwned;

/// Reads a TOML file, or says in one line what is wrong and where.
pub(in crate::match_games) fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| name.clone())?;
    toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| format!(", line {}", before.matches('\n').count() + 1));
        let message = error.message().lines().collect::<Vec<_>>().join(" ");
        anyhow!("{name}{}: {message}", line.unwrap_or_default())
    })
}
