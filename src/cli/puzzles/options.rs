//! The options of `qirkat puzzles`.

use std::path::PathBuf;

use clap::Args;

use super::super::position_options::GameChoice;
use super::super::resources::SearchResources;

#[derive(Args)]
pub(crate) struct PuzzleOptions {
    #[command(flatten)]
    pub(super) game: GameChoice,
    /// Positions in EPD with `bm`; those of the suite in the program when not given
    #[arg(value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// Only puzzles of this theme: mate, mate-2 to mate-6, or win
    #[arg(long, value_name = "THEME")]
    pub(super) theme: Option<String>,
    /// The puzzle of this name; can be given several times
    #[arg(long, value_name = "ID", conflicts_with = "theme")]
    pub(super) id: Vec<String>,
    /// How many puzzles; all when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) count: Option<u32>,
    /// In random order
    #[arg(long)]
    pub(super) random: bool,
    /// What the random order comes from: the same seed, the same puzzles
    #[arg(long, value_name = "N", requires = "random")]
    pub(super) seed: Option<u64>,
    /// Positions that the engine visits to find out what is wrong with a move
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,
    #[command(flatten)]
    pub(super) resources: SearchResources,
}

/// What help tells beyond the options.
pub(crate) const PUZZLES_HELP: &str = "\
Answer with a move such as Nc3 or b1c3, or with
  hint      a bit of help, more each time
  solution  the move and what follows
  skip      the next puzzle
  board     the board once more
  quit      the end; so do Ctrl-C and the end of input

Examples:
  qirkat puzzles --theme mate-2
  qirkat puzzles --random --count 5";
