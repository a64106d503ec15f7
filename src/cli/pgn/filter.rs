//! `qirkat pgn filter`.

use std::io::{BufWriter, Write, stdout};

use super::game_input::{GameFiles, for_each_game_to_copy};
use super::pgn_arguments::FilterOptions;
use crate::game::Rules;
use crate::pgn::{Notation, PgnGame};
use crate::variant::AnyPosition;

/// Prints the games that fit; gives back the number of faulty ones.
pub(super) fn run(options: &FilterOptions) -> anyhow::Result<u64> {
    let mut out = BufWriter::new(stdout().lock());
    let files = GameFiles::all(&options.files.paths);
    let counts = for_each_game_to_copy(&files, None, |_, read| {
        let fits = fits(options, &read.game);
        if fits {
            read.game.write_to(&mut out, Notation::San)?;
        }
        Ok(fits)
    })?;
    out.flush()?;
    Ok(counts.faulty)
}

/// Conditions that are not given are met.
fn fits(options: &FilterOptions, game: &PgnGame) -> bool {
    let plays = |color: &str, name: &String| {
        game.tag(color).is_some_and(|player| player.to_lowercase() == name.to_lowercase())
    };
    let plies = game.moves.len();
    options.player.as_ref().is_none_or(|name| plays("White", name) || plays("Black", name))
        && options.white.as_ref().is_none_or(|name| plays("White", name))
        && options.black.as_ref().is_none_or(|name| plays("Black", name))
        && (options.result.is_empty() || options.result.contains(&game.result))
        && options.min_plies.is_none_or(|least| plies >= least)
        && options.max_plies.is_none_or(|most| plies <= most)
        && options.termination.as_ref().is_none_or(|text| terminated(game, text))
        && (options.from.is_empty()
            || options.from.iter().any(|start| same_position(start, &game.start)))
}

fn terminated(game: &PgnGame, text: &str) -> bool {
    let termination = game.tag("Termination").unwrap_or_default();
    termination.to_lowercase().contains(&text.to_lowercase())
}

/// Equal but for the clocks.
fn same_position(a: &AnyPosition, b: &AnyPosition) -> bool {
    let without_clocks =
        |position: &AnyPosition| position.fen().split(' ').take(4).collect::<Vec<_>>().join(" ");
    a.key() == b.key() && without_clocks(a) == without_clocks(b)
}
