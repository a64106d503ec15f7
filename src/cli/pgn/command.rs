//! `qirkat pgn`: hands each task to the file that does it.

use thiserror::Error;

use super::pgn_arguments::{PgnOptions, PgnTask};
use super::{check_games, convert, filter, merge, stats};

/// Some games were faulty. They have been told about already; what is left
/// to do is to end with another exit status.
#[derive(Clone, Copy, Debug, Error)]
#[error("some games are faulty")]
pub(crate) struct FaultyGames;

/// Works on PGN files.
pub(crate) fn run(options: &PgnOptions) -> anyhow::Result<()> {
    let faults = match &options.task {
        PgnTask::Check(options) => check_games::run(options)?,
        PgnTask::Convert(options) => convert::run(options)?,
        PgnTask::Filter(options) => filter::run(options)?,
        PgnTask::Merge(options) => merge::run(options)?,
        PgnTask::Stats(options) => stats::run(options)?,
    };
    if faults > 0 { Err(FaultyGames.into()) } else { Ok(()) }
}
