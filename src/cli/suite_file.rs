//! Suites by the names of their files.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, bail};

use qirkat_analysis::suite::{Problem, TACTICS, read_suite};
use qirkat_rules::variant::Variant;

/// What the suite in the program is called in complaints.
const BUILT_IN: &str = "the built-in suite";

/// The problems of a file, or those in the program.
///
/// # Errors
/// When the file cannot be read, or the program has none of that game.
pub(super) fn read(file: Option<&Path>, variant: Variant) -> anyhow::Result<Vec<Problem>> {
    let Some(path) = file else {
        if variant != Variant::Chesquerque {
            bail!(
                "the suite in the program is for Chesquerque: give a file with positions of {}",
                variant.title()
            );
        }
        return Ok(read_suite(TACTICS.as_bytes(), BUILT_IN, variant)?);
    };
    let name = path.display().to_string();
    let input = File::open(path).with_context(|| name.clone())?;
    log::info!("{name}: opened to read a suite");
    Ok(read_suite(BufReader::new(input), &name, variant)?)
}
