//! `qirkat pgn`.

mod arguments;
mod check;
mod convert;
mod counted;
mod filter;
pub(super) mod input;
mod merge;
mod output;
mod stats;

pub(super) use arguments::PgnOptions;
use arguments::PgnTask;
use thiserror::Error;

/// Some games were faulty. They have been told about already; what is left
/// to do is to end with another exit status.
#[derive(Clone, Copy, Debug, Error)]
#[error("some games are faulty")]
pub(super) struct FaultyGames;

/// Works on PGN files.
pub(super) fn run(options: &PgnOptions) -> anyhow::Result<()> {
    let faults = match &options.task {
        PgnTask::Check(options) => check::run(options)?,
        PgnTask::Convert(options) => convert::run(options)?,
        PgnTask::Filter(options) => filter::run(options)?,
        PgnTask::Merge(options) => merge::run(options)?,
        PgnTask::Stats(options) => stats::run(options)?,
    };
    if faults > 0 { Err(FaultyGames.into()) } else { Ok(()) }
}
