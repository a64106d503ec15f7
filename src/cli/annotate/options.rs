//! The options of `qirkat annotate`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;

use crate::files::Overwrite;
use crate::pgn::notations;
use crate::resources::SearchResources;
use qirkat_analysis::review::AnalystBudget;
use qirkat_engine::time_text::{TimeTextError, Unit, read_time};
use qirkat_game::distance::Depth;
use qirkat_rules::pgn::Notation;
use qirkat_system::machine::cores;

#[derive(Args)]
pub(crate) struct AnnotateOptions {
    /// PGN files; `-` is standard input
    #[arg(value_name = "FILES", required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Only this game of the files, counted from 1 over all of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) game: Option<u64>,
    #[command(flatten)]
    pub(super) budget: ReviewBudget,
    #[command(flatten)]
    pub(super) resources: SearchResources,
    /// Write the annotated games to this file in PGN, each as it is done
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Go on where --output ends, with the same files and options
    #[arg(long, requires = "output", conflicts_with_all = ["json", "overwrite"])]
    pub(super) resume: bool,
    #[command(flatten)]
    pub(super) overwrite: Overwrite,
    /// Print annotated PGN instead of the report
    #[arg(long, conflicts_with_all = ["json", "output"])]
    pub(super) pgn: bool,
    /// Print a JSON object for each game instead of the report
    #[arg(long)]
    pub(super) json: bool,
    /// Draw the chances of each game into an SVG file; from the second game on
    /// with `-2`, `-3` in its name
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// List every move in the report, not only the turning points
    #[arg(long)]
    pub(super) moves: bool,
    /// How moves are written in PGN: lan or san
    #[arg(long, value_name = "NOTATION", default_value_t = Notation::San, value_parser = notations(), hide_possible_values = true)]
    pub(super) notation: Notation,
    /// Plies of a variation in PGN; mates are shown to their end
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) variation: u16,
    /// Leave out old comments, but for commands such as `[%clk ...]`
    #[arg(long)]
    pub(super) drop_comments: bool,
}

/// Time for a move when nothing bounds it.
const DEFAULT_TIME: Duration = Duration::from_millis(300);

/// The time, nodes or depth of a review.
#[derive(Args)]
pub(super) struct ReviewBudget {
    /// Milliseconds for each move: all that a game takes, reasons included, is at
    /// most twice that on average; 300 when nothing else bounds it
    #[arg(long, value_name = "MS", group = "review_budget", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Positions to visit in each search: the same review every time
    #[arg(long, value_name = "N", group = "review_budget", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies of each search: the same review every time
    #[arg(long, value_name = "PLIES", group = "review_budget", value_parser = clap::value_parser!(i16).range(1..=i64::from(Depth::MAX.0)))]
    pub depth: Option<i16>,
    /// Time for all games together, in seconds or as minutes:seconds
    #[arg(long, value_name = "TIME", group = "review_budget", value_parser = total_time)]
    pub total_time: Option<Duration>,
}

impl ReviewBudget {
    /// The budget of an analyst that begins now.
    pub(super) fn for_analyst(&self) -> AnalystBudget {
        match (self.nodes, self.depth, self.total_time) {
            (Some(nodes), ..) => AnalystBudget::Nodes(nodes),
            (_, Some(depth), _) => AnalystBudget::Depth(Depth(depth)),
            (.., Some(time)) => AnalystBudget::Until(Instant::now() + time),
            _ => AnalystBudget::Time(self.movetime.map_or(DEFAULT_TIME, Duration::from_millis)),
        }
    }

    /// The threads when nobody names a number: all cores, but one where the review is to be the
    /// same every time.
    pub(super) fn usual_threads(&self) -> usize {
        if self.nodes.is_some() || self.depth.is_some() { 1 } else { cores() }
    }
}

/// How the option `--threads` differs here.
pub(crate) const THREADS: &str =
    "Threads to search with; all cores when not given, but one with --nodes or --depth";

fn total_time(text: &str) -> Result<Duration, String> {
    match read_time(text, Unit::Seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        Ok(_) => Err("no time at all".to_owned()),
        Err(TimeTextError::NotANumber) => Err("not a time such as 90 or 5:00".to_owned()),
        Err(TimeTextError::Negative) => Err("less than no time".to_owned()),
        Err(TimeTextError::TooLong) => Err("too long".to_owned()),
    }
}

pub(crate) const HELP: &str = "\
Marks: ?! inaccuracy (5 to 10 % of a win lost), ? mistake (10 to 20 %),
?? blunder (more). With --nodes or --depth a review is the same every time,
unless --threads names several. Ctrl-C keeps the games that are done.

Examples:
  The first game, its turning points and a graph:
    qirkat annotate games.pgn --game 1
  All games into a file of annotated ones, in half an hour:
    qirkat annotate games.pgn --output annotated.pgn --total-time 30:00
  For programs, the same every time:
    qirkat annotate games.pgn --json --nodes 20000 > reviews.jsonl";
