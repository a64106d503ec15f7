//! What can stand on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::data::DataOptions;
use super::datagen::DatagenOptions;
use super::eval_file::EvalFile;
use super::network::NetworkOptions;
use super::pgn::PgnOptions;
use super::resources::SearchResources;
use super::train::TrainOptions;
use super::tune::TuneOptions;
use super::xboard::XboardOptions;
use crate::arena::RandomOpenings;
use crate::distance::Depth;
use crate::position::{MAX_MOVES, START_FEN};
use crate::search::MAX_THREADS;

/// A chess engine for Chesquerque: chess on the 81 points of four joined
/// Alquerque boards.
///
/// Without a command it speaks UCI on standard input and output, or the
/// protocol of XBoard if the first line is `xboard`: what a GUI or a match
/// tool wants. Type `help` there for the commands of UCI.
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
    /// Count how many positions with known best moves a search solves
    Suite(SuiteOptions),
    /// Play by mouse: starts XBoard with the lined board and this engine
    Xboard(XboardOptions),
    /// Let engines play each other; options as in cutechess-cli
    #[command(after_long_help = MATCH_HELP)]
    Match(MatchOptions),
    /// Make balanced random openings, one position a line
    Openings(OpeningsOptions),
    /// Check, filter, merge and count games in PGN files
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
}

/// What can stand behind `qirkat match`.
const MATCH_HELP: &str = "\
-engine NAME=VALUE...   an engine; give two or more
-each NAME=VALUE...     what holds for each engine
    cmd=PROGRAM  name=TEXT  arg=TEXT  dir=FOLDER  env.NAME=VALUE
    option.NAME=VALUE   a UCI option
    tc=40/60+0.6, tc=10+0.1, st=SECONDS, nodes=N, depth=N
    timemargin=MS       how late an answer may come
    ponder              think on the opponent's time
    restart=on          start the engine anew for each game
-games N                games of each meeting, in pairs with colours
                        exchanged (2)
-rounds N               how often everybody meets (1)
-tournament KIND        round-robin (default) or gauntlet
-concurrency N          games at a time (as many as there are cores for)
-openings format=random plies=8 balance=80
-openings file=BOOK format=epd|pgn order=sequential|random plies=N start=N
-srand N                seed of openings and their order (0)
-pgnout FILE            write the games there, each as it ends
--resume                go on where that file ends
-sprt elo0=A elo1=B alpha=0.05 beta=0.05 model=logistic|normalized
-draw movenumber=N movecount=N score=CP
-resign movecount=N score=CP twosided=true
-maxmoves N             longer games are draws
-ratinginterval N       report every N games (10)
-event TEXT, -site TEXT for the PGN file
--report FILE           write the report as JSON too
--shard 1/4             play every fourth pair only
--config FILE           a TOML file with the same names, first of all;
                        engine-config/match.toml is an example
--merge FILE...         join the JSON reports of the parts of one match

qirkat match -engine cmd=./new -engine cmd=./old -each tc=10+0.1 \\
    -games 2 -rounds 1000 -sprt elo0=0 elo1=5 -pgnout games.pgn";

#[derive(Args)]
pub(super) struct MatchOptions {
    /// Options as users of cutechess-cli type them; see --help
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

#[derive(Args)]
pub(super) struct OpeningsOptions {
    /// How many
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub count: usize,
    /// Random plies of each
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub plies: u16,
    /// What the random moves come from
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The largest score, in centipawns, that a search may find for a side
    #[arg(long, value_name = "CP", default_value_t = RandomOpenings::BALANCE)]
    pub balance: i32,
    /// Positions that the search visits
    #[arg(long, value_name = "N", default_value_t = RandomOpenings::NODES)]
    pub nodes: u64,
    #[command(flatten)]
    pub eval_file: EvalFile,
}

/// A position on the command line.
#[derive(Args)]
pub(super) struct PositionOptions {
    /// The position; the usual starting position when not given
    #[arg(long, value_name = "FEN", default_value = START_FEN, hide_default_value = true)]
    pub fen: String,
    /// Moves made from there, such as `e2e4 e8e6` or `e4 e6`
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
}

#[derive(Args)]
pub(super) struct BenchOptions {
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
    #[arg(value_name = "DEPTH")]
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
pub(super) struct AnalyseOptions {
    #[command(flatten)]
    pub position: PositionOptions,
    /// Stop after this many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i16).range(1..=i64::from(Depth::MAX.0)))]
    pub depth: Option<i16>,
    /// Stop after this many milliseconds; 5000 when nothing else bounds it
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Stop after this many positions
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Lines to show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_MOVES as i64))]
    pub multipv: u16,
    #[command(flatten)]
    pub resources: SearchResources,
    /// Print each line of the search as a JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct SuiteOptions {
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
