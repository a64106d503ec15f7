//! The command line.

mod analyse;
mod arguments;
mod bench;
mod blocks;
mod compliance;
mod data;
mod datagen;
mod eval_file;
mod interrupt;
mod match_games;
mod network;
mod openings;
mod perft;
mod pgn;
mod progress;
mod resources;
mod setup;
mod suite;
mod train;
mod tune;
#[cfg(feature = "tuning")]
mod tune_search;
mod xboard;

use std::io::BufReader;
use std::process::ExitCode;

use arguments::{Arguments, Task};
use clap::Parser;

use crate::protocol;

/// Exit status for input that makes no sense.
const BAD_INPUT: u8 = 2;

/// Runs the program.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.task {
        None => protocol::run(BufReader::new(std::io::stdin())),
        Some(Task::Bench(options)) => bench::run(&options),
        Some(Task::Perft(options)) => perft::run(&options),
        Some(Task::Analyse(options)) => analyse::run(&options),
        Some(Task::Suite(options)) => suite::run(&options),
        Some(Task::Xboard(options)) => xboard::run(&options),
        Some(Task::Match(options)) => match_games::run(&options),
        Some(Task::Compliance(options)) => compliance::run(&options),
        Some(Task::Openings(options)) => openings::run(&options),
        Some(Task::Pgn(options)) => pgn::run(&options),
        Some(Task::Datagen(options)) => datagen::run(&options),
        Some(Task::Data(options)) => data::run(&options),
        Some(Task::Train(options)) => train::run(&options),
        Some(Task::Network(options)) => network::run(&options),
        Some(Task::Tune(options)) => tune::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if error.is::<pgn::FaultyGames>() => ExitCode::FAILURE,
        Err(error) if error.is::<compliance::FailedChecks>() => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("qirkat: {error:#}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Whether nobody reads the output any more: no reason to complain.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
