//! The commands of the program: their arguments, and the function that runs each.

mod analyse;
mod annotate;
mod bench;
#[cfg(feature = "board")]
mod board;
mod book;
mod compliance;
mod data;
mod documents;
mod match_games;
mod network;
mod openings;
mod pgn;
#[cfg(feature = "play")]
mod play;
mod problem;
mod puzzles;
mod rules;
mod solve;
mod suite;
mod tables;
mod train;
mod tune;
#[cfg(feature = "tuning")]
mod tune_search;
mod xboard;

use std::io::{BufReader, IsTerminal, Write, stdin, stdout};
use std::path::Path;
use std::process::ExitCode;

use clap::builder::styling::Style;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command, CommandFactory, Error, FromArgMatches, Parser, Subcommand};

use super::shared::exit_status::{
    FaultsFound, INTERRUPTED_STATUS, Interrupted, OUTPUT_CLOSED_STATUS, catch_interrupts,
};
use super::shared::files::NamedFiles;
use super::shared::terminal::{check_written, print_message};
use qirkat_engine::protocol::Output;
use qirkat_game::text::push;
use qirkat_rules::variant::Variant;

/// A chess engine for Chesquerque: chess on the 81 points of four joined
/// Alquerque boards.
///
/// Without a command it speaks UCI on standard input and output, or the
/// protocol of XBoard if the first line is `xboard`: what a GUI or a match
/// tool wants. Type `help` there for the commands of UCI.
#[derive(Parser)]
#[command(name = "qirkat", version = qirkat_engine::VERSION, max_term_width = 80, after_help = HELP)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

// `defer` builds only the options of the command that is called. With it, a doc comment on a struct of options would
// replace what is said of the command.
#[derive(Subcommand)]
#[command(defer = true)]
enum Task {
    /// Search fixed positions; prints the node count and the speed
    #[command(after_help = bench::HELP)]
    Bench(bench::BenchOptions),
    /// Count the move sequences from a position, to test move generation
    #[command(after_help = bench::PERFT_HELP)]
    Perft(bench::PerftOptions),
    /// Find the best moves in a position
    #[command(visible_alias = "analyze", after_help = analyse::HELP)]
    Analyse(Box<analyse::AnalyseOptions>),
    /// Review games: what each move was worth, where they turned and why
    #[command(after_help = annotate::HELP)]
    Annotate(annotate::AnnotateOptions),
    /// Draw where a piece can go; without one, a summary of the rules
    #[command(after_help = rules::HELP)]
    Rules(rules::RulesOptions),
    /// Solve puzzles, with hints and explanations
    #[command(after_help = puzzles::HELP)]
    Puzzles(puzzles::PuzzleOptions),
    /// Count how many positions with known best moves a search solves
    #[command(after_help = suite::HELP)]
    Suite(suite::SuiteOptions),
    /// Play, analyse and look through games in the browser
    ///
    /// Starts a server that only this machine can reach, opens its page in the
    /// browser and prints the address. Ctrl-C ends it; games are kept.
    #[cfg(feature = "board")]
    #[command(after_help = board::HELP)]
    Board(board::BoardOptions),
    /// Play in the terminal: against the engine, or two at one board
    #[cfg(feature = "play")]
    #[command(after_help = play::HELP)]
    Play(Box<play::PlayOptions>),
    /// Play by mouse or look at games: starts XBoard
    #[command(after_help = xboard::HELP)]
    Xboard(xboard::XboardOptions),
    /// Let engines play each other; options as in cutechess-cli
    #[command(after_help = match_games::HELP)]
    Match(match_games::MatchOptions),
    /// Check whether an engine follows the UCI protocol
    ///
    /// The engine must play Chesquerque: all checks are of that game. Prints a
    /// line for each check, and for each that fails what was sent, expected and
    /// received. Options come before the engine. The exit status is 0 when no
    /// check fails, 1 when one does, and 2 when the engine cannot be examined.
    #[command(after_help = compliance::HELP)]
    Compliance(compliance::ComplianceOptions),
    /// Build, probe and export opening books
    #[command(subcommand, after_help = book::HELP)]
    Book(book::BookTask),
    /// Make balanced random openings, one position a line
    #[command(after_help = openings::HELP)]
    Openings(openings::OpeningsOptions),
    /// Check, convert, filter, merge, sort and split games in PGN files
    #[command(subcommand, after_help = pgn::HELP)]
    Pgn(pgn::PgnTask),
    /// Generate training data: games of the engine against itself
    #[command(after_help = data::DATAGEN_HELP)]
    Datagen(data::DatagenOptions),
    /// Count, check, show, merge, shuffle and export training data
    #[command(subcommand, after_help = data::HELP)]
    Data(data::DataTask),
    /// Train a network on training data
    #[command(after_help = train::HELP)]
    Train(train::TrainOptions),
    /// Show the piece values of a network, on average over positions
    #[command(after_help = network::HELP)]
    Network(network::NetworkOptions),
    /// Fit the win-draw-loss model to games
    #[cfg_attr(feature = "tuning", doc = "and tune the search by them")]
    #[command(subcommand, after_help = tune::HELP)]
    Tune(tune::TuneTask),
    /// Make, check and probe endgame tables
    #[command(subcommand, after_help = tables::HELP)]
    Tables(tables::TablesTask),
    /// Solve problems with proof: mates, selfmates, helpmates
    #[command(after_help = problem::HELP)]
    Problem(Box<problem::ProblemOptions>),
    /// Solve positions of Alquerque: who wins, with a certificate
    #[command(after_help = solve::HELP)]
    Solve(solve::SolveOptions),
    /// Print completions for a shell such as `bash`
    #[command(after_help = documents::COMPLETIONS_HELP)]
    Completions(documents::CompletionsOptions),
    /// Write man pages into a folder
    #[command(after_help = documents::MAN_HELP)]
    Man(documents::ManOptions),
}

/// The commands by purpose, in the order of the help.
pub(crate) const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["board", "play", "xboard", "puzzles", "rules"]),
    ("Analyse", &["analyse", "annotate", "pgn", "book", "tables", "problem", "solve"]),
    ("Tournaments and engines", &["match", "openings", "compliance"]),
    ("Make it stronger", &["datagen", "data", "train", "network", "tune", "suite"]),
    ("Other", &["bench", "perft", "completions", "man", "help"]),
];

/// The end of the help. All man pages have these sections too.
pub(crate) const HELP: &str = "\
Environment:
  RUST_LOG=LEVEL  log to standard error; `2> FILE` puts it into a file
      warn   options refused, threads or memory missing
      info   also options set, tables, threads, networks and files
      debug  also searches with limits and results, stops, ponder hits
      trace  also the protocol's lines; qirkat::protocol=trace: only these
  NO_COLOR=1      no colours

Exit status:
  0    all went well
  1    faults were found: in games, positions, tables or an engine
  2    the input or the machine does not allow it; a line says why
  130  ended by Ctrl-C
  141  standard output was closed before all of the result was written

Examples:
  Explain a command:
    qirkat help analyse
  Play in the browser:
    qirkat board
  Look at the start, ten plies deep:
    qirkat analyse --depth 10";

const BAD_INPUT: u8 = 2;

pub(crate) fn command() -> Command {
    let command = Arguments::command();
    let styles = command.get_styles();
    let (header, name) = (*styles.get_header(), *styles.get_literal());
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for (group, names) in GROUPS {
        push(&mut template, format_args!("{header}{group}:{header:#}\n"));
        for word in names {
            let about = match command.find_subcommand(word).and_then(Command::get_about) {
                Some(about) => about.to_string(),
                None if *word == "help" => "Explain a command, with examples".to_owned(),
                // Not in this build.
                None => continue,
            };
            push(&mut template, format_args!("  {name}{word:<12}{name:#} {about}\n"));
        }
        template.push('\n');
    }
    push(&mut template, format_args!("{header}Options:{header:#}\n{{options}}{{after-help}}"));
    with_headings(command.help_template(template), header)
}

fn with_headings(command: Command, style: Style) -> Command {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let is_heading = |line: &str| line.ends_with(':') && !line.starts_with(' ');
    let lines = help.lines().map(|line| {
        if is_heading(line) { format!("{style}{line}{style:#}") } else { line.to_owned() }
    });
    let help = lines.collect::<Vec<_>>().join("\n");
    command.after_help(help).mut_subcommands(|below| with_headings(below, style))
}

pub fn run() -> ExitCode {
    let call: Vec<_> = std::env::args_os().skip(1).collect();
    log::info!("qirkat {}, called with {call:?}", qirkat_engine::VERSION);
    // A GUI waits for an engine to start, and clap takes milliseconds to learn all commands.
    let mut plain = if call.is_empty() { Command::new("qirkat") } else { Arguments::command() };
    let read = |matches: ArgMatches| Ok((Arguments::from_arg_matches(&matches)?, matches));
    let parsed = plain
        .try_get_matches_from_mut(std::env::args_os())
        .and_then(read)
        .or_else(|_| command().try_get_matches().and_then(read));
    let (arguments, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) if error.use_stderr() => {
            print_message(usage_error_text(&error, command()));
            return ExitCode::from(BAD_INPUT);
        }
        // Help or version.
        Err(error) => return status_of(error.print().map_err(Into::into)),
    };
    // As an engine the program leaves Ctrl-C to the GUI.
    let caught = if arguments.task.is_some() { catch_interrupts() } else { Ok(()) };
    let checked = caught.and_then(|()| match arguments.task {
        // It checks its own files.
        Some(Task::Match(_)) => Ok(()),
        _ => NamedFiles::of(&plain, &matches).check_no_overlap(),
    });
    status_of(checked.and_then(|()| do_task(arguments)).and_then(|()| check_written()))
}

/// Reports an error unless already reported, and returns the exit status.
fn status_of(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::from(OUTPUT_CLOSED_STATUS),
        Err(error) if error.is::<FaultsFound>() => ExitCode::FAILURE,
        Err(error) => {
            let status = if error.is::<Interrupted>() { INTERRUPTED_STATUS } else { BAD_INPUT };
            let text = format!("{error:#}");
            if !text.is_empty() {
                print_message(text);
            }
            ExitCode::from(status)
        }
    }
}

fn do_task(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.task {
        None => speak_protocol(),
        Some(Task::Bench(options)) => bench::run(&options),
        Some(Task::Perft(options)) => bench::run_perft(&options),
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
        Some(Task::Book(task)) => book::run(&task),
        Some(Task::Openings(options)) => openings::run(&options),
        Some(Task::Pgn(task)) => pgn::run(&task),
        Some(Task::Datagen(options)) => data::generate(&options),
        Some(Task::Data(task)) => data::run(&task),
        Some(Task::Train(options)) => train::run(&options),
        Some(Task::Network(options)) => network::run(&options),
        Some(Task::Tune(task)) => tune::run(&task),
        Some(Task::Tables(task)) => tables::run(&task),
        Some(Task::Problem(options)) => problem::run(&options),
        Some(Task::Solve(options)) => solve::run(&options),
        Some(Task::Completions(options)) => documents::run_completions(&options, command()),
        Some(Task::Man(options)) => documents::run_man(&options, command()),
    }
}

const HELLO: &str = "\
a chess engine, which speaks UCI here: `help` lists commands.
`qirkat board` plays in the browser, `qirkat play` in the terminal, and
`qirkat help` shows all that it can do; `quit` ends this.";

/// Speaks UCI or the protocol of XBoard. If input and output are a terminal, the user is a person,
/// not a GUI, and first sees where to play.
fn speak_protocol() -> anyhow::Result<()> {
    if stdin().is_terminal() && stdout().is_terminal() {
        writeln!(stdout(), "Qirkat {}, {HELLO}", env!("CARGO_PKG_VERSION"))?;
    }
    Ok(qirkat_engine::protocol::run(BufReader::new(stdin()), Output::stdout())?)
}

/// Whether the error is a closed output pipe. Errors of files carry the file's name.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let first = error.chain().next().and_then(|error| error.downcast_ref::<std::io::Error>());
    first.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The error in a command line, and what to type instead, in one line.
fn usage_error_text(error: &Error, mut program: Command) -> String {
    program.build();
    let fault = one_line(&error.to_string());
    let call = call_of(error);
    let command = call.iter().skip(1).try_fold(&program, |at, name| at.find_subcommand(name));
    let call = call.join(" ");
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            let names = command.into_iter().flat_map(Command::get_subcommands);
            let names = names.map(Command::get_name).filter(|&name| name != "help");
            let names: Vec<&str> = names.collect();
            format!("`{call}` needs one of {}; `{call} --help` explains them", names.join(", "))
        }
        ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument if !fault.contains("; ") => {
            let word = word(error, ContextKind::InvalidSubcommand)
                .or(word(error, ContextKind::InvalidArg))
                .unwrap_or_default();
            format!("{fault}; {}", next_step(word, &call, command.unwrap_or(&program)))
        }
        ErrorKind::MissingRequiredArgument => {
            format!("{fault}; `{call} --help` shows examples")
        }
        _ => fault,
    }
}

/// clap's error and, after `; `, its suggestion, in one line. Its usage, and its note on passing
/// any word as a value, are cut off.
fn one_line(error: &str) -> String {
    let text = error.trim_start_matches("error: ");
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("tip: to pass"));
    let lines =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    lines.collect::<Vec<_>>().join(" ").replace(" tip: ", "; ")
}

/// The words that call the intended command: its usage up to the first variable part.
fn call_of(error: &Error) -> Vec<String> {
    let text = error.to_string();
    let usage = text.split_once("Usage: ").map_or("qirkat", |(_, usage)| usage);
    let words = usage.split_whitespace();
    words.take_while(|word| !word.starts_with(['[', '<', '-'])).map(str::to_owned).collect()
}

fn word(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

/// What to type instead of an unknown word.
fn next_step(word: &str, call: &str, command: &Command) -> String {
    let has = |name: &str| command.get_arguments().any(|arg| arg.get_long() == Some(name));
    let is_program = call == "qirkat";
    let path = Path::new(word);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match word {
        "version" | "-v" => "`qirkat --version` prints the version".to_owned(),
        "uci" => "without a command Qirkat speaks UCI".to_owned(),
        _ if !path.exists() && word.contains('/') && Variant::with_board_of(word).is_some() => {
            let call = if is_program { "qirkat analyse" } else { call };
            if is_program || has("fen") {
                format!("a position has its option: {call} --fen 'FEN'")
            } else {
                format!("`{call} --help` shows examples")
            }
        }
        _ if is_program && ending == "epd" => {
            format!("positions of a file are analysed by: qirkat analyse --epd {word}")
        }
        _ if is_program && (ending == "pgn" || path.exists()) => {
            format!("games of a file are reviewed by: qirkat annotate {word}")
        }
        _ if has("pgn") && ending == "pgn" => {
            format!("a file of games has its option: {call} --pgn {word}")
        }
        _ if has("epd") && ending == "epd" => {
            format!("a file of positions has its option: {call} --epd {word}")
        }
        _ if is_program && word.starts_with('-') => {
            "options come after a command, and `qirkat --help` lists the commands".to_owned()
        }
        _ if is_program => "`qirkat --help` lists the commands".to_owned(),
        _ => format!("`{call} --help` shows examples"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::files::{Role, names_files, role};
    use std::any::TypeId;
    use std::path::PathBuf;

    fn all_commands() -> Vec<(Vec<String>, Command)> {
        let mut root = command().disable_help_subcommand(true);
        root.build();
        let mut found = Vec::new();
        let mut left = vec![(vec!["qirkat".to_owned()], root)];
        while let Some((call, command)) = left.pop() {
            for below in command.get_subcommands() {
                let call = [call.as_slice(), &[below.get_name().to_owned()]].concat();
                left.push((call, below.clone()));
            }
            found.push((call, command));
        }
        found
    }

    /// The commands at the end of a help, without what a shell makes of them.
    fn examples(help: &str) -> Vec<Vec<String>> {
        let examples = help.split_once("Examples:\n").map_or("", |(_, rest)| rest);
        let joined = examples.replace("\\\n", "");
        let lines = joined.lines().filter(|line| line.starts_with("    "));
        let words = lines.map(|line| shlex::split(line).expect(line));
        words
            .map(|all| all.into_iter().take_while(|word| word != ">" && word != "<").collect())
            .collect()
    }

    #[test]
    fn every_command_shows_examples_that_work() {
        let commands = all_commands();
        assert!(commands.len() > 40, "{}", commands.len());
        for (call, command) in commands {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let shown = examples(&help);
            assert!(shown.len() >= 2, "{call:?} shows {shown:?}");
            for words in shown {
                assert!(words.starts_with(&call), "{words:?} is none of {call:?}");
                let read = super::command().try_get_matches_from(&words);
                let read = read.and_then(|matches| Arguments::from_arg_matches(&matches));
                if let Err(error) = read {
                    // `help` ends in this error too, which goes to standard output.
                    assert!(!error.use_stderr(), "{words:?}: {error}");
                }
            }
            assert!(help.lines().all(|line| line.len() <= 80), "{call:?}: {help}");
        }
    }

    /// Lists every option that names a file to write; all others are read.
    #[test]
    fn every_file_has_its_part() {
        let mut found = Vec::new();
        for (call, command) in all_commands() {
            for argument in command.get_arguments() {
                let is_path = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
                assert!(names_files(argument) || !is_path, "{call:?} {argument}");
                let option = argument.get_long().unwrap_or(argument.get_id().as_str());
                if names_files(argument) && role(command.get_name(), option) != Role::Read {
                    found.push(format!("{} --{option}", call[1..].join(" ")));
                }
            }
        }
        found.sort_unstable();
        let expected = [
            ("--output", "annotate,book build,book export,data export,data merge,data positions"),
            (
                "--output",
                "data repair,data shuffle,datagen,pgn convert,pgn epd,pgn filter,pgn merge",
            ),
            ("--output", "pgn sort,pgn split,puzzles mine,tables build,tables survey,train"),
            ("--checkpoint", "solve,train"),
            ("--pgn", "play,xboard"),
        ];
        let expected = expected.iter().flat_map(|(option, calls)| {
            calls.split(',').map(move |call| format!("{call} {option}"))
        });
        let rest = "annotate --svg,compliance --log,play --load,solve --certificate,train --plot";
        let mut expected: Vec<String> =
            expected.chain(rest.split(',').map(str::to_owned)).collect();
        expected.sort_unstable();
        let searches = |name: &String| !cfg!(feature = "tuning") || !name.contains("tune search");
        let found: Vec<String> = found.into_iter().filter(searches).collect();
        if cfg!(all(feature = "board", feature = "play")) {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_help_lists_every_command_once() {
        let command = command();
        let mut listed: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        listed.sort_unstable();
        let names = command.get_subcommands().map(Command::get_name);
        let mut names: Vec<&str> = names.chain(["help"]).collect();
        names.sort_unstable();
        if cfg!(all(feature = "board", feature = "play")) {
            assert_eq!(listed, names);
        }
        let abouts = all_commands().into_iter().map(|it| it.1.get_about().map(ToString::to_string));
        let abouts: Vec<_> = abouts.collect();
        let distinct: std::collections::HashSet<_> = abouts.iter().collect();
        assert_eq!(distinct.len(), abouts.len(), "{abouts:?}");
        let help = command.clone().render_help().to_string();
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }

    const USAGE_FAULTS: &str = "\
perft 5000 :: invalid value '5000' for '<DEPTH>': 5000 is not in 0..=127
xyzzy :: unrecognized subcommand 'xyzzy'; `qirkat --help` lists the commands
version :: unrecognized subcommand 'version'; `qirkat --version` prints the version
uci :: unrecognized subcommand 'uci'; without a command Qirkat speaks UCI
9/9/9/9/9/9/9/8k/7K1 :: unrecognized subcommand '9/9/9/9/9/9/9/8k/7K1'; a position has its option: qirkat analyse --fen 'FEN'
play 9/9/9/9/9/9/9/8k/7K1 :: unexpected argument '9/9/9/9/9/9/9/8k/7K1' found; a position has its option: qirkat play --fen 'FEN'
games.pgn :: unrecognized subcommand 'games.pgn'; games of a file are reviewed by: qirkat annotate games.pgn
analyse games.pgn :: unexpected argument 'games.pgn' found; a file of games has its option: qirkat analyse --pgn games.pgn
--fen startpos :: unexpected argument '--fen' found; options come after a command, and `qirkat --help` lists the commands
tables probe xyzzy :: unexpected argument 'xyzzy' found; `qirkat tables probe --help` shows examples
pgn check games.pgn --xyzzy :: unexpected argument '--xyzzy' found; `qirkat pgn check --help` shows examples
analyse --dept 3 :: unexpected argument '--dept' found; a similar argument exists: '--depth'
train --output x :: the following required arguments were not provided: --data <FILE>...; `qirkat train --help` shows examples
suite --nodes 5 --depth 5 :: the argument '--nodes <N>' cannot be used with '--depth <PLIES>'
pgn :: `qirkat pgn` needs one of check, convert, epd, filter, merge, ratings, sort, split, stats; `qirkat pgn --help` explains them";

    #[test]
    fn faults_in_arguments_are_one_line() {
        for (line, message) in USAGE_FAULTS.lines().filter_map(|line| line.split_once(" :: ")) {
            let words = ["qirkat"].into_iter().chain(line.split(' '));
            let error = command().try_get_matches_from(words).expect_err(line);
            assert_eq!(usage_error_text(&error, command()), message, "{line}");
        }
    }
}
