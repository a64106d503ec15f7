//! Games to look at, in a form that XBoard can replay.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::super::pgn::game_input::{GameFiles, for_each_game_to_copy};
use qirkat_notation::pgn::Notation;
use qirkat_system::output_file::WholeFile;

/// A file of games for XBoard.
pub(super) struct Games {
    pub file: PathBuf,
    /// How many there are; more than one are shown in a list.
    pub count: u64,
}

impl Games {
    /// Reads games (or the one that is wanted, counted from 1) and writes them
    /// to the folder as XBoard reads them.
    ///
    /// # Errors
    /// When the file cannot be read or copied, or there is no game to look at.
    pub fn convert(source: &Path, wanted: Option<u64>, folder: &Path) -> anyhow::Result<Games> {
        // XBoard shows the name.
        let name = source.file_name().filter(|name| *name != "-");
        let file = folder.join(name.unwrap_or("games.pgn".as_ref()));
        let mut copy = WholeFile::create(&file).with_context(|| file.display().to_string())?;
        let mut count = 0;
        let paths = [source.to_owned()];
        for_each_game_to_copy(&GameFiles::all(&paths), None, |number, read| {
            let shown = wanted.is_none_or(|wanted| wanted == number);
            if shown {
                read.game.write_to(&mut copy.content, Notation::Lan)?;
                count += 1;
            }
            Ok(shown)
        })?;
        match wanted {
            Some(number) if count == 0 => bail!("{}: no sound game {number}", source.display()),
            None if count == 0 => bail!("{}: no sound game", source.display()),
            _ => {}
        }
        copy.finish().with_context(|| file.display().to_string())?;
        Ok(Games { file, count })
    }
}
