//! The options of `qirkat problem`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::compose::ComposeOptions;
use super::means::ProofMeans;
use crate::position_options::GameChoice;
use qirkat_problem::{MOST_MOVES, Stipulation};

/// What the long help ends with.
pub(crate) const PROBLEM_HELP: &str = "\
Stipulations: `#3` mate in 3, `s#2` selfmate in 2, `h#2` helpmate in 2, in which the side to \
move begins and is mated, `h#2.5`: it begins, and mates with its third move. In EPD, `dm 3`, \
`sm 2`, `hm 2` and `hm 2.5` say the same, and `bm` the intended keys of a direct mate or \
selfmate. `dm3` needs no quotation marks in a shell.

Draws by repetition and by 100 plies are left out of account, as composers do.";

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ProblemOptions {
    #[command(subcommand)]
    pub(super) task: Option<ProblemTask>,
    #[command(flatten)]
    pub(super) game: GameChoice,
    /// Problems in EPD with `dm`, `hm` or `sm`, and keys in `bm`; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "fen")]
    pub(super) file: Option<PathBuf>,
    /// The position
    #[arg(long, value_name = "FEN", conflicts_with = "file", requires = "stipulation")]
    pub(super) fen: Option<String>,
    /// What is to be done, such as `#2`, `s#3`, `h#2` or `h#2.5`, whatever EPD says
    #[arg(long, value_name = "AIM")]
    pub(super) stipulation: Option<Stipulation>,
    /// Tell first moves with one refutation, or with up to N
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    pub(super) tries: Option<usize>,
    /// Tell what follows if the other side begins
    #[arg(long)]
    pub(super) set_play: bool,
    /// Show all variations of so many moves behind the key; all up to 3 moves, one of
    /// longer problems when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=i64::from(MOST_MOVES)))]
    pub(super) variations: Option<u8>,
    /// Solutions that there should be, where no keys are stated
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) solutions: usize,
    #[command(flatten)]
    pub(super) means: ProofMeans,
    /// Print a JSON object for each problem
    #[arg(long, conflicts_with = "epd")]
    pub(super) json: bool,
    /// Print each problem in EPD, with its keys in `bm` and the verdict in `c9`
    #[arg(long)]
    pub(super) epd: bool,
}

#[derive(Subcommand)]
pub(super) enum ProblemTask {
    /// Look through the neighbours of a position for problems with one solution
    ///
    /// A neighbour has one piece moved, taken away or added. Told are those with exactly
    /// one key (or line, of a helpmate) in just so many moves, and none in fewer.
    Compose(ComposeOptions),
}
