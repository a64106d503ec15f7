//! `qirkat pgn convert`.

use super::game_input::for_each_game_to_copy;
use super::pgn_arguments::ConvertOptions;
use crate::text::counted;

/// Writes all games in the notation that is wanted; gives back the number of
/// faulty ones, which are not written.
pub(super) fn run(options: &ConvertOptions) -> anyhow::Result<u64> {
    let mut written = 0;
    let faults = options.output.write(&options.files.paths, |out| {
        for_each_game_to_copy(&options.files.paths, |read| {
            read.game.write_to(out, options.notation)?;
            written += 1;
            Ok(true)
        })
    })?;
    options.output.report(&format!("{} written", counted(written, "game")))?;
    Ok(faults)
}
