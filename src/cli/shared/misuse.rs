//! Errors in command lines: what is wrong, in one line, and what to type instead.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use qirkat_rules::variant::Variant;

pub(crate) fn usage_error_text(error: &Error, program: &Command) -> String {
    let fault = one_line(&error.to_string());
    let call = call_of(error);
    let command = call.iter().skip(1).try_fold(program, |at, name| at.find_subcommand(name));
    let call = call.join(" ");
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            let names = command.into_iter().flat_map(Command::get_subcommands);
            let names: Vec<&str> = names.map(Command::get_name).collect();
            format!("`{call}` needs one of {}; `{call} --help` explains them", names.join(", "))
        }
        ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument if !fault.contains("; ") => {
            let word = word(error, ContextKind::InvalidSubcommand)
                .or(word(error, ContextKind::InvalidArg))
                .unwrap_or_default();
            format!("{fault}; {}", next_step(word, &call, command.unwrap_or(program)))
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
    let said = error.trim_start_matches("error: ");
    let lines = said.lines().map(str::trim);
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
        "version" | "-v" => "`qirkat --version` tells the version".to_owned(),
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
            "options stand behind a command, which `qirkat --help` lists".to_owned()
        }
        _ if is_program => "`qirkat --help` lists the commands".to_owned(),
        _ => format!("`{call} --help` shows examples"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::command;

    #[test]
    fn faults_in_arguments_are_one_line() {
        for (line, message) in [
            ("perft 5000", "invalid value '5000' for '<DEPTH>': 5000 is not in 0..=127"),
            ("xyzzy", "unrecognized subcommand 'xyzzy'; `qirkat --help` lists the commands"),
            ("version", "unrecognized subcommand 'version'; `qirkat --version` tells the version"),
            ("uci", "unrecognized subcommand 'uci'; without a command Qirkat speaks UCI"),
            (
                "9/9/9/9/9/9/9/8k/7K1",
                "unrecognized subcommand '9/9/9/9/9/9/9/8k/7K1'; a position has its option: qirkat \
                 analyse --fen 'FEN'",
            ),
            (
                "play 9/9/9/9/9/9/9/8k/7K1",
                "unexpected argument '9/9/9/9/9/9/9/8k/7K1' found; a position has its option: \
                 qirkat play --fen 'FEN'",
            ),
            (
                "games.pgn",
                "unrecognized subcommand 'games.pgn'; games of a file are reviewed by: qirkat \
                 annotate games.pgn",
            ),
            (
                "analyse games.pgn",
                "unexpected argument 'games.pgn' found; a file of games has its option: qirkat \
                 analyse --pgn games.pgn",
            ),
            (
                "--fen startpos",
                "unexpected argument '--fen' found; options stand behind a command, which `qirkat \
                 --help` lists",
            ),
            (
                "tables probe xyzzy",
                "unexpected argument 'xyzzy' found; `qirkat tables probe --help` shows examples",
            ),
            (
                "pgn check games.pgn --xyzzy",
                "unexpected argument '--xyzzy' found; `qirkat pgn check --help` shows examples",
            ),
            (
                "analyse --dept 3",
                "unexpected argument '--dept' found; a similar argument exists: '--depth'",
            ),
            (
                "train --output x",
                "the following required arguments were not provided: --data <FILE>...; `qirkat train \
                 --help` shows examples",
            ),
            (
                "suite --nodes 5 --depth 5",
                "the argument '--nodes <N>' cannot be used with '--depth <PLIES>'",
            ),
            (
                "pgn",
                "`qirkat pgn` needs one of check, convert, filter, merge, stats; `qirkat pgn --help` \
                 explains them",
            ),
        ] {
            let words = ["qirkat"].into_iter().chain(line.split(' '));
            let error = command().try_get_matches_from(words).expect_err(line);
            assert_eq!(usage_error_text(&error, &command()), message, "{line}");
        }
    }
}
