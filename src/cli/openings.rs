//! `qirkat openings`.

use std::collections::HashSet;
use std::io::{Write, stdout};

use anyhow::bail;
use rayon::prelude::*;

use super::arguments::OpeningsOptions;
use super::progress;
use crate::arena::{OpeningBook, OpeningError, RandomOpenings};
use crate::position::{Game, Position};

/// Openings made at a time on all cores.
const BATCH: usize = 64;
/// Attempts for each opening before it is given up: most may be repetitions.
const ATTEMPTS_EACH: usize = 50;

/// Prints positions after balanced random moves, each once.
pub(super) fn run(options: &OpeningsOptions) -> anyhow::Result<()> {
    let plies = usize::from(options.plies);
    let book = OpeningBook::Random(RandomOpenings {
        plies,
        balance: options.balance,
        nodes: options.nodes,
        network: options.eval_file.network()?,
        seed: options.seed,
    });
    let bar = progress::bar("{bar:30} {pos}/{len} openings, {eta} left");
    bar.set_length(options.count as u64);
    let mut seen = HashSet::new();
    let mut number = 0;
    while seen.len() < options.count {
        if number > ATTEMPTS_EACH * options.count + BATCH {
            bail!("only {} different openings of {plies} plies found", seen.len());
        }
        let batch = (number..number + BATCH)
            .into_par_iter()
            .map(|number| end_of(&book, number))
            .collect::<Result<Vec<Position>, _>>()?;
        number += BATCH;
        for position in batch {
            if seen.len() < options.count && seen.insert(position.key()) {
                bar.suspend(|| writeln!(stdout(), "{position}"))?;
                bar.inc(1);
            }
        }
    }
    bar.finish_and_clear();
    Ok(())
}

fn end_of(book: &OpeningBook, number: usize) -> Result<Position, OpeningError> {
    let opening = book.opening(number)?;
    let mut game = Game::from_position(opening.start);
    for &mv in &opening.moves {
        game.play(mv);
    }
    Ok(*game.position())
}
