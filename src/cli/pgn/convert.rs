//! `qirkat pgn convert`.

use super::game_input::{GameFiles, for_each_game_to_copy};
use super::pgn_arguments::ConvertOptions;
use qirkat_game::text::counted;

/// Writes all games in the notation that is wanted; gives back the number of
/// faulty ones, which are kept apart.
pub(super) fn run(options: &ConvertOptions) -> anyhow::Result<u64> {
    let mut written = 0;
    let files = GameFiles::all(&options.files.paths);
    let counts = options.output.write(&options.files.paths, |out| {
        for_each_game_to_copy(&files, options.output.output.as_deref(), |_, read| {
            read.game.write_to(out, options.notation)?;
            written += 1;
            Ok(true)
        })
    })?;
    options.output.report(&format!("{} written", counted(written, "game")))?;
    Ok(counts.faulty)
}
