//! What can stand on the command line.

use clap::{Args, Parser, Subcommand};

use super::pgn::PgnOptions;
use crate::position::START_FEN;

/// A chess engine for Chesquerque: chess on the 81 points of four joined
/// Alquerque boards.
///
/// Without a command it speaks UCI on standard input and output, which is
/// what a GUI or a match tool wants. Type `help` there for its commands.
#[derive(Parser)]
#[command(name = "qirkat", version, max_term_width = 80)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub task: Option<Task>,
}

#[derive(Subcommand)]
pub(super) enum Task {
    /// Search a fixed set of positions; prints the node count and the speed
    Bench(BenchOptions),
    /// Count the move sequences from a position, to test move generation
    Perft(PerftOptions),
    /// Find the best moves in a position
    Analyse(AnalyseOptions),
    /// Check, filter, merge and count games in PGN files
    Pgn(PgnOptions),
}

/// A position on the command line.
#[derive(Args)]
pub(super) struct PositionOptions {
    /// The position; the usual starting position when not given
    #[arg(long, value_name = "FEN", default_value = START_FEN, hide_default_value = true)]
    pub fen: String,
    /// Moves made from there, such as `e2e4 e8e6` or `Nc3 Nc7`
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
}

#[derive(Args)]
pub(super) struct BenchOptions {
    /// How deep to search each position
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i16).range(1..=127))]
    pub depth: Option<i16>,
}

#[derive(Args)]
pub(super) struct PerftOptions {
    /// How many plies
    #[arg(value_name = "DEPTH")]
    pub depth: u32,
    #[command(flatten)]
    pub position: PositionOptions,
    /// Threads to count with; all cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Show the count below each move
    #[arg(long)]
    pub divide: bool,
}

#[derive(Args)]
pub(super) struct AnalyseOptions {
    #[command(flatten)]
    pub position: PositionOptions,
    /// Stop after this many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i16).range(1..=127))]
    pub depth: Option<i16>,
    /// Stop after this many milliseconds; 5000 when nothing else bounds it
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Stop after this many positions
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Lines to show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub multipv: u16,
    /// Threads to search with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub hash: u32,
    /// Print each line of the search as a JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}
