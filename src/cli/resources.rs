//! The threads and memory that a search on the command line may use.

use clap::Args;

use super::eval_file::EvalFile;
use crate::machine::megabytes_of_memory;
use crate::search::MAX_THREADS;

/// What a search may use.
#[derive(Args)]
pub(super) struct SearchResources {
    /// Threads to search with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub threads: u16,
    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = megabytes)]
    pub hash: u32,
    #[command(flatten)]
    pub eval_file: EvalFile,
}

/// Reads a size. The memory is asked for only when one is read, since every
/// start of the program goes through the list of arguments.
pub(super) fn megabytes(text: &str) -> Result<u32, String> {
    let most = megabytes_of_memory();
    let size = text.parse().ok().filter(|&size: &u32| (1..=most).contains(&(size as usize)));
    size.ok_or_else(|| format!("not a number of megabytes from 1 to {most}"))
}
