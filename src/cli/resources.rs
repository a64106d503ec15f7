//! What a search on the command line may use.

use clap::Args;

use super::eval_file::EvalFile;
use crate::engine::MEGABYTES_OF_MEMORY;
use crate::search::MAX_THREADS;

/// What a search may use.
#[derive(Args)]
pub(super) struct SearchResources {
    /// Threads to search with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub threads: u16,
    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=*MEGABYTES_OF_MEMORY as i64))]
    pub hash: u32,
    #[command(flatten)]
    pub eval_file: EvalFile,
}
