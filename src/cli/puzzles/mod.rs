//! `qirkat puzzles`: positions of a suite to solve.

mod answers;
mod choice;
mod command;
mod options;
mod session;
mod tally;
mod words;

use std::io::{Write, stdout};

use self::answers::Answers;
use self::choice::Choice;
pub(super) use self::options::{PUZZLES_HELP, PuzzleOptions};
use self::session::Session;
use super::interrupt;
use qirkat_analysis::review::{AnalystBudget, EngineAnalyst};

/// Poses puzzles on standard output and reads the answers from standard input, line by
/// line. Ctrl-C ends it with the score, as the end of input does.
pub(super) fn run(options: &PuzzleOptions) -> anyhow::Result<()> {
    let Choice { problems, seed } = choice::choose(options)?;
    if let (Some(seed), None) = (seed, options.seed) {
        writeln!(stdout(), "In random order; --seed {seed} gives the same.")?;
    }
    let stop = interrupt::flag()?;
    let analyst = EngineAnalyst::new(AnalystBudget::Nodes(options.nodes), 0, stop.clone());
    Session::new(Answers::read(stop)?, analyst, &options.resources).run(&problems)
}
