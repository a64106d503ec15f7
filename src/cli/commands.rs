//! The commands of the program: the arguments of the command line, and what runs each.

use std::io::{BufReader, IsTerminal, Write, stdin, stdout};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

#[cfg(feature = "board")]
use super::board;
use super::exit_status::{FaultsFound, Interrupted};
#[cfg(feature = "play")]
use super::play;
use super::terminal::print_message;
use super::{
    analyse, annotate, bench, compliance, data, datagen, install, match_games, network, openings,
    perft, pgn, problem, puzzles, rules, suite, tables, train, tune, xboard,
};
use qirkat_protocol::Output;

/// A chess engine for Chesquerque: chess on the 81 points of four joined
/// Alquerque boards.
///
/// Without a command it speaks UCI on standard input and output, or the
/// protocol of XBoard if the first line is `xboard`: what a GUI or a match
/// tool wants. Type `help` there for the commands of UCI.
#[derive(Parser)]
#[command(name = "qirkat", version = qirkat_engine::VERSION, max_term_width = 80, after_help = LOG_HELP)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Search a fixed set of positions; prints the node count and the speed
    Bench(bench::BenchOptions),
    /// Count the move sequences from a position, to test move generation
    Perft(perft::PerftOptions),
    /// Find the best moves in a position
    #[command(visible_alias = "analyze")]
    Analyse(Box<analyse::AnalyseOptions>),
    /// Review games: what each move was worth, where they turned, and why
    #[command(after_long_help = annotate::ANNOTATE_HELP)]
    Annotate(annotate::AnnotateOptions),
    /// Draw where a piece goes; without one, the game in short
    Rules(rules::RulesOptions),
    /// Solve puzzles: mates and wins of material, with hints and explanations
    #[command(after_long_help = puzzles::PUZZLES_HELP)]
    Puzzles(puzzles::PuzzleOptions),
    /// Count how many positions with known best moves a search solves
    Suite(suite::SuiteOptions),
    /// Play, analyse and look through games in the browser
    ///
    /// Starts a server that only this machine can reach, opens its page in the
    /// browser and prints the address. Ctrl-C ends it; games are kept.
    #[cfg(feature = "board")]
    Board(board::BoardOptions),
    /// Play in the terminal: against the engine, or two people at one board
    #[cfg(feature = "play")]
    #[command(after_long_help = play::PLAY_HELP)]
    Play(Box<play::PlayOptions>),
    /// Play by mouse or look at games: starts XBoard with the lined board
    #[command(after_long_help = xboard::XBOARD_HELP)]
    Xboard(xboard::XboardOptions),
    /// Let engines play each other; options as in cutechess-cli
    #[command(after_long_help = match_games::HELP)]
    Match(match_games::MatchOptions),
    /// Examine how an engine keeps to the UCI protocol
    ///
    /// Prints a line for each check, and for each that fails what was sent,
    /// what was expected and what came. Options stand before the engine. The
    /// exit status is 0 when no check fails, 1 when one does, and 2 when the
    /// engine cannot be examined.
    Compliance(compliance::ComplianceOptions),
    /// Make balanced random openings, one position a line
    Openings(openings::OpeningsOptions),
    /// Check, convert, filter, merge and count games in PGN files
    Pgn(pgn::PgnOptions),
    /// Generate training data: positions of games against itself
    Datagen(datagen::DatagenOptions),
    /// Count, check, show, merge, shuffle and export training data
    Data(data::DataOptions),
    /// Train a network on such positions
    Train(train::TrainOptions),
    /// Show the piece values of a network, on average over positions
    Network(network::NetworkOptions),
    /// Tune evaluation, win-draw-loss model and search by games
    Tune(tune::TuneOptions),
    /// Make, check and ask endgame tables
    Tables(tables::TablesOptions),
    /// Solve problems with proof: mates, selfmates, helpmates; look for new ones
    #[command(after_long_help = problem::PROBLEM_HELP)]
    Problem(Box<problem::ProblemOptions>),
    /// Print completions for a shell, as for `bash`
    Completions(install::CompletionsOptions),
    /// Write man pages into a folder
    Man(install::ManOptions),
}

/// How to see what the program does.
const LOG_HELP: &str = "\
Environment:
  RUST_LOG=LEVEL  log to standard error; `2> FILE` puts the log into a file
      warn   options refused, threads or memory missing
      info   also options set, tables, threads, networks and files
      debug  also searches with limits and results, stops, ponder hits
      trace  also every line of the protocol; qirkat_protocol=trace: these only";

/// Exit status for input that makes no sense.
const BAD_INPUT: u8 = 2;
/// Exit status after Ctrl-C, as shells have it.
const INTERRUPTED: u8 = 130;

/// Runs the program.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            print_message(one_line(&error.to_string()));
            return ExitCode::from(BAD_INPUT);
        }
        // Help or version.
        Err(error) => error.exit(),
    };
    let call: Vec<_> = std::env::args_os().skip(1).collect();
    log::info!("qirkat {}, called with {call:?}", qirkat_engine::VERSION);
    let result = match arguments.task {
        None => speak_protocol(),
        Some(Task::Bench(options)) => bench::run(&options),
        Some(Task::Perft(options)) => perft::run(&options),
        Some(Task::Analyse(options)) => analyse::run(&options),
        Some(Task::Annotate(options)) => annotate::run(&options),
        Some(Task::Rules(options)) => rules::run(&options),
        Some(Task::Puzzles(options)) => puzzles::run(&options),
        Some(Task::Suite(options)) => suite::run(&options),
        #[cfg(feature = "board")]
        Some(Task::Board(options)) => board::run(&options),
        #[cfg(feature = "play")]
        Some(Task::Play(options)) => play::run(*options),
        Some(Task::Xboard(options)) => xboard::run(&options),
        Some(Task::Match(options)) => match_games::run(&options),
        Some(Task::Compliance(options)) => compliance::run(&options),
        Some(Task::Openings(options)) => openings::run(&options),
        Some(Task::Pgn(options)) => pgn::run(&options),
        Some(Task::Datagen(options)) => datagen::run(&options),
        Some(Task::Data(options)) => data::run(&options),
        Some(Task::Train(options)) => train::run(&options),
        Some(Task::Network(options)) => network::run(&options),
        Some(Task::Tune(options)) => tune::run(&options),
        Some(Task::Tables(options)) => tables::run(&options),
        Some(Task::Problem(options)) => problem::run(&options),
        Some(Task::Completions(options)) => install::completions(&options, Arguments::command()),
        Some(Task::Man(options)) => install::man(&options, Arguments::command()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if error.is::<FaultsFound>() => ExitCode::FAILURE,
        Err(error) => {
            print_message(format_args!("{error:#}"));
            let interrupted = error.is::<Interrupted>();
            ExitCode::from(if interrupted { INTERRUPTED } else { BAD_INPUT })
        }
    }
}

/// Talks in a protocol. A person at a terminal is told so first; no GUI has one at both
/// ends.
fn speak_protocol() -> anyhow::Result<()> {
    if stdin().is_terminal() && stdout().is_terminal() {
        writeln!(
            stdout(),
            "Qirkat {}, speaking UCI: `help` lists commands; `qirkat play` plays a game",
            env!("CARGO_PKG_VERSION")
        )?;
    }
    Ok(qirkat_protocol::run(BufReader::new(stdin()), Output::stdout())?)
}

/// The fault in the arguments, and a hint if there is one, in one line. Behind it clap says
/// how to call the program.
fn one_line(error: &str) -> String {
    let said = error.trim_start_matches("error: ");
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    lines.collect::<Vec<_>>().join(" ").replace(" tip: ", "; ")
}

/// Whether nobody reads the output any more, which is no error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_in_arguments_are_one_line() {
        for (line, message) in [
            ("qirkat perft 5000", "invalid value '5000' for '<DEPTH>': 5000 is not in 0..=127"),
            ("qirkat xyzzy", "unrecognized subcommand 'xyzzy'"),
            (
                "qirkat analyse --dept 3",
                "unexpected argument '--dept' found; a similar argument exists: '--depth'",
            ),
            (
                "qirkat train --output x",
                "the following required arguments were not provided: --data <FILE>...",
            ),
            (
                "qirkat suite --nodes 5 --depth 5",
                "the argument '--nodes <N>' cannot be used with '--depth <PLIES>'",
            ),
        ] {
            let error = Arguments::try_parse_from(line.split(' ')).err().expect(line);
            assert_eq!(one_line(&error.to_string()), message, "{line}");
        }
    }
}
