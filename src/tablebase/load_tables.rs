//! Loads the endgame tables that the option `TablePath` selects: the built-in tables, none, or the
//! built-in ones and those of a folder.

use std::io;
use std::path::Path;

use thiserror::Error;

use qirkat_game::text::one_line;

use crate::AllTables;

const EMBEDDED: &str = "<embedded>";
const NONE: &str = "<none>";
/// The most characters of a name that messages show.
const MAX_SHOWN: usize = 200;

#[derive(Debug, Error)]
pub enum LoadTablesError {
    #[error("{0}: {1}")]
    Io(String, io::Error),
    #[error("{0}: no tables there")]
    NoTables(String),
    #[error("{first}{}", fault_count(*.count))]
    Faulty { first: String, count: usize },
}

fn fault_count(count: usize) -> String {
    if count > 1 { format!("; files that cannot be used: {count}") } else { String::new() }
}

/// Loads the tables that this name selects: the built-in ones for an empty name or `<embedded>`,
/// none for `<none>`, otherwise the built-in ones and those of this folder. Faulty files are
/// skipped; the first fault is returned.
///
/// # Errors
/// If there is no such folder, or no table in it.
pub fn load_tables(
    name: &str,
) -> Result<(Option<AllTables>, Option<LoadTablesError>), LoadTablesError> {
    if name == NONE {
        return Ok((None, None));
    }
    if ["", EMBEDDED].contains(&name) {
        return Ok((Some(AllTables::with_embedded()), None));
    }
    let shown = || one_line(name, MAX_SHOWN);
    let (tables, found) = AllTables::with_folder(Path::new(name))
        .map_err(|error| LoadTablesError::Io(shown(), error))?;
    let fault = found.faulty.first().map(|first| {
        let path = one_line(&first.path.display().to_string(), MAX_SHOWN);
        let first = format!("{path}: {}", first.error);
        LoadTablesError::Faulty { first, count: found.faulty.len() }
    });
    if fault.is_none() && found.added == 0 {
        return Err(LoadTablesError::NoTables(shown()));
    }
    let (count, pieces) = tables.extent();
    log::info!("{count} tables, up to {pieces} pieces");
    Ok((Some(tables), fault))
}
