//! `qirkat pgn epd`: the positions of games.

use std::iter::once;

use clap::Args;

use super::{Files, Output, read_games};
use crate::shared::files::{epd_text, operation};
use qirkat_game::Rules;
use qirkat_game::text::counted;

#[derive(Args)]
pub(crate) struct EpdOptions {
    #[command(flatten)]
    files: Files,
    /// Only the last position of each game
    #[arg(long, conflicts_with = "commented")]
    last: bool,
    /// Only positions with a comment
    #[arg(long)]
    commented: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(options: &EpdOptions) -> anyhow::Result<u64> {
    let EpdOptions { files, last, commented, output } = options;
    let mut written = 0;
    let faults = output.write(|out| {
        read_games(files, output.output.as_deref(), |game| {
            let mut position = game.start;
            let comments = game.moves.iter().map(|played| &played.comment);
            for (ply, comment) in once(&game.opening_comment).chain(comments).enumerate() {
                if ply > 0 {
                    position.make(game.moves[ply - 1].mv);
                }
                if (*last && ply < game.moves.len()) || (*commented && comment.is_none()) {
                    continue;
                }
                // EPD has no way to write this mark within a text.
                let comment = comment.iter().map(|text| text.replace('"', "'"));
                let operations: Vec<_> = comment.map(|it| operation("c0", vec![it])).collect();
                writeln!(out, "{}", epd_text(&position, &operations))?;
                written += 1;
            }
            Ok(true)
        })
    })?;
    output.report(format_args!("{} written", counted(written, "position")));
    Ok(faults)
}
