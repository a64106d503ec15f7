//! The arguments of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::analyse::AnalyseOptions;
use super::annotate::{ANNOTATE_HELP, AnnotateOptions};
#[cfg(feature = "board")]
use super::board::BoardOptions;
use super::compliance::ComplianceOptions;
use super::data::DataOptions;
use super::datagen::DatagenOptions;
use super::eval_file::EvalFile;
use super::install::{CompletionsOptions, ManOptions};
use super::match_games::{self, MatchOptions};
use super::network::NetworkOptions;
use super::pgn::PgnOptions;
#[cfg(feature = "play")]
use super::play::{PLAY_HELP, PlayOptions};
use super::position_options::{GameChoice, PositionOptions};
use super::problem::{PROBLEM_HELP, ProblemOptions};
use super::puzzles::{PUZZLES_HELP, PuzzleOptions};
use super::resources::SearchResources;
use super::rules::RulesOptions;
use super::tables::TablesOptions;
use super::train::TrainOptions;
use super::tune::TuneOptions;
use super::xboard::{XBOARD_HELP, XboardOptions};
use qirkat_arena::RandomOpenings;
use qirkat_game::distance::Depth;
use qirkat_search::MAX_THREADS;

/// A chess engine for Chesquerque: chess on the 81 points of four joined
/// Alquerque boards.
///
/// Without a command it speaks UCI on standard input and output, or the
/// protocol of XBoard if the first line is `xboard`: what a GUI or a match
/// tool wants. Type `help` there for the commands of UCI.
#[derive(Parser)]
#[command(name = "qirkat", version = qirkat_engine::VERSION, max_term_width = 80, after_help = LOG_HELP)]
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
    #[command(visible_alias = "analyze")]
    Analyse(Box<AnalyseOptions>),
    /// Review games: what each move was worth, where they turned, and why
    #[command(after_long_help = ANNOTATE_HELP)]
    Annotate(AnnotateOptions),
    /// Draw where a piece goes; without one, the game in short
    Rules(RulesOptions),
    /// Solve puzzles: mates and wins of material, with hints and explanations
    #[command(after_long_help = PUZZLES_HELP)]
    Puzzles(PuzzleOptions),
    /// Count how many positions with known best moves a search solves
    Suite(SuiteOptions),
    /// Play, analyse and look through games in the browser
    ///
    /// Starts a server that only this machine can reach, opens its page in the
    /// browser and prints the address. Ctrl-C ends it; games are kept.
    #[cfg(feature = "board")]
    Board(BoardOptions),
    /// Play in the terminal: against the engine, or two people at one board
    #[cfg(feature = "play")]
    #[command(after_long_help = PLAY_HELP)]
    Play(Box<PlayOptions>),
    /// Play by mouse or look at games: starts XBoard with the lined board
    #[command(after_long_help = XBOARD_HELP)]
    Xboard(XboardOptions),
    /// Let engines play each other; options as in cutechess-cli
    #[command(after_long_help = match_games::HELP)]
    Match(MatchOptions),
    /// Examine how an engine keeps to the UCI protocol
    ///
    /// Prints a line for each check, and for each that fails what was sent,
    /// what was expected and what came. Options stand before the engine. The
    /// exit status is 0 when no check fails, 1 when one does, and 2 when the
    /// engine cannot be examined.
    Compliance(ComplianceOptions),
    /// Make balanced random openings, one position a line
    Openings(OpeningsOptions),
    /// Check, convert, filter, merge and count games in PGN files
    Pgn(PgnOptions),
    /// Generate training data: positions of games against itself
    Datagen(DatagenOptions),
    /// Count, check, show, merge, shuffle and export training data
    Data(DataOptions),
    /// Train a network on such positions
    Train(TrainOptions),
    /// Show the piece values of a network, on average over positions
    Network(NetworkOptions),
    /// Tune evaluation, win-draw-loss model and search by games
    Tune(TuneOptions),
    /// Make, check and ask endgame tables
    Tables(TablesOptions),
    /// Solve problems with proof: mates, selfmates, helpmates; look for new ones
    #[command(after_long_help = PROBLEM_HELP)]
    Problem(Box<ProblemOptions>),
    /// Print completions for a shell, as for `bash`
    Completions(CompletionsOptions),
    /// Write man pages into a folder
    Man(ManOptions),
}

/// How to see what the program does.
const LOG_HELP: &str = "\
Environment:
  RUST_LOG=LEVEL  log to standard error; `2> FILE` puts the log into a file
      warn   options refused, threads or memory missing
      info   also options set, tables, threads, networks and files
      debug  also searches with limits and results, stops, ponder hits
      trace  also every line of the protocol; qirkat_protocol=trace: these only";

#[derive(Args)]
pub(super) struct OpeningsOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,
    /// Random plies of each
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub plies: u16,
    /// What the random moves come from
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The largest score, in centipawns, that a search may find for a side
    #[arg(long, value_name = "CP", default_value_t = RandomOpenings::BALANCE, value_parser = clap::value_parser!(i32).range(0..))]
    pub balance: i32,
    /// Positions that the search visits
    #[arg(long, value_name = "N", default_value_t = RandomOpenings::NODES, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    #[command(flatten)]
    pub eval_file: EvalFile,
}

#[derive(Args)]
pub(super) struct BenchOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// How deep to search each position
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i16).range(1..=i64::from(Depth::MAX.0)))]
    pub depth: Option<i16>,
    #[command(flatten)]
    pub eval_file: EvalFile,
    /// Reckon the network without the wide instructions that this machine may
    /// have beyond those that the program was built for
    #[arg(long)]
    pub portable: bool,
}

#[derive(Args)]
pub(super) struct PerftOptions {
    /// How many plies
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(..=i64::from(Depth::MAX.0)))]
    pub depth: u32,
    #[command(flatten)]
    pub position: PositionOptions,
    /// Threads to count with; all cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub threads: Option<u16>,
    /// Show the count below each move
    #[arg(long)]
    pub divide: bool,
}

#[derive(Args)]
pub(super) struct SuiteOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// Positions in EPD with `bm`; the suite in the program when not given
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Milliseconds for each position; 1000 when nothing else bounds it
    #[arg(long, value_name = "MS", group = "budget", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Positions to visit for each position of the suite
    #[arg(long, value_name = "N", group = "budget", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies to search each position
    #[arg(long, value_name = "PLIES", group = "budget", value_parser = clap::value_parser!(i16).range(1..=i64::from(Depth::MAX.0)))]
    pub depth: Option<i16>,
    #[command(flatten)]
    pub resources: SearchResources,
    /// Print a JSON object for each position and one for the count
    #[arg(long)]
    pub json: bool,
}
