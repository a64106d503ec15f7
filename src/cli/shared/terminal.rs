//! The terminal: its width, what it can show, text layout, and progress bars on standard error,
//! which are drawn only on a terminal.

use std::fmt::{self, Display};
use std::io::{self, ErrorKind, Write, stderr, stdout};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use console::Term;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Columns assumed for a file or a pipe.
const DEFAULT_WIDTH: usize = 80;
const MIN_WIDTH: usize = 40;
const MAX_WIDTH: usize = 240;

pub(crate) fn width() -> usize {
    let size = Term::stdout().size_checked();
    let columns = size.map_or(DEFAULT_WIDTH, |(_, columns)| usize::from(columns));
    columns.clamp(MIN_WIDTH, MAX_WIDTH)
}

/// Rows of standard output; `None` if not a terminal.
pub(crate) fn height() -> Option<usize> {
    Term::stdout().size_checked().map(|(rows, _)| usize::from(rows))
}

/// Whether the locale supports characters beyond ASCII.
pub(crate) fn shows_unicode() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let set = set.unwrap_or_default().to_lowercase();
    set.contains("utf-8") || set.contains("utf8")
}

pub(crate) fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

/// Wraps words to at most `width` columns without breaking words. The first line begins with
/// `lead`, the others are indented by `indent`.
pub(crate) fn wrapped(
    lead: &str,
    words: &[impl AsRef<str>],
    width: usize,
    indent: usize,
) -> String {
    let mut text = lead.to_owned();
    let mut column = lead.chars().count();
    for (number, word) in words.iter().enumerate() {
        let length = word.as_ref().chars().count();
        if number > 0 && column + 1 + length > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if number > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word.as_ref());
        column += length;
    }
    text
}

pub(crate) fn wrapped_text(text: &str, width: usize, indent: usize) -> String {
    wrapped("", &words(text), width, indent)
}

/// As many words as fit into `width` columns, at least one.
pub(crate) fn fitting(words: &[impl AsRef<str>], width: usize) -> String {
    let all = wrapped("", words, width, 0);
    all.lines().next().unwrap_or_default().to_owned()
}

/// Prints `qirkat: text` on standard error.
pub(crate) fn print_message(text: impl Display) {
    print_to_stderr(format_args!("qirkat: {text}"));
}

pub(crate) fn print_to_stderr(text: impl Display) {
    if cfg!(test) {
        // `eprintln` output is captured by tests.
        return eprintln!("{text}");
    }
    if let Err(error) = writeln!(stderr(), "{text}") {
        log::error!("a message could not be written: {error}");
    }
}

/// The first error of standard output that was not returned at once.
static UNREPORTED: Mutex<Option<io::Error>> = Mutex::new(None);

fn save_error(error: io::Error) {
    UNREPORTED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
}

pub(crate) fn print_text(text: impl Display) -> io::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush())
}

/// Reports progress on standard output if the result is a file. A closed pipe does not end the
/// work; other write errors are saved for [`check_written`].
pub(crate) fn report(text: impl Display) {
    if let Err(error) = print_text(text)
        && error.kind() != ErrorKind::BrokenPipe
    {
        save_error(error);
    }
}

/// Prints a part of the result from within some work. If that fails, returns false, so that the
/// work can end, and saves the error for [`check_written`].
pub(crate) fn print_part(text: impl Display) -> bool {
    print_text(text).map_err(save_error).is_ok()
}

/// Prints a result; if the actual result is a file, this is only a report.
pub(crate) fn print_result(text: impl Display, result_is_file: bool) -> io::Result<()> {
    if !result_is_file {
        return print_text(text);
    }
    report(text);
    Ok(())
}

/// Fails if standard output has failed since the last call.
pub(crate) fn check_written() -> anyhow::Result<()> {
    match UNREPORTED.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) if error.kind() == ErrorKind::BrokenPipe => Err(error.into()),
        Some(error) => Err(error).context("standard output"),
        None => Ok(()),
    }
}

/// A progress bar that moves even if no progress is reported.
pub(crate) fn spinner(template: &str) -> ProgressBar {
    let bar = bar(template);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// A progress bar over this many steps, some of them already done.
pub(crate) fn bar_from(template: &str, done: u64, all: u64) -> ProgressBar {
    let bar = bar(template);
    bar.set_length(all);
    bar.set_position(done);
    bar.reset_eta();
    bar
}

pub(crate) fn bar(template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(template) {
        Ok(style) => {
            bar.set_style(style.with_key("per_sec", write_speed).with_key("eta", write_time_left))
        }
        Err(error) => log::error!("progress template `{template}`: {error}"),
    }
    bar
}

/// Replaces indicatif's `{per_sec}`, which shows a speed as `144,434,264.2259/s`.
fn write_speed(state: &ProgressState, text: &mut dyn fmt::Write) {
    // Writing to a string cannot fail.
    let _ = text.write_str(&speed(state.per_sec()));
}

/// Replaces indicatif's `{eta}`, which shows `0s` until something is done.
fn write_time_left(state: &ProgressState, text: &mut dyn fmt::Write) {
    let is_known = !state.eta().is_zero() || state.len().is_some_and(|all| state.pos() >= all);
    let _ = match is_known {
        true => write!(text, "{:#}", HumanDuration(state.eta())),
        false => text.write_str("?"),
    };
}

/// A speed with three significant digits, as in `144 M/s` or `0.25/s`.
fn speed(per_second: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    // A speed that would round up to a thousand uses the next unit.
    let unit = UNITS.into_iter().find(|(size, _)| per_second >= 0.9995 * size);
    let (size, name) = unit.unwrap_or((1.0, ""));
    let number = per_second / size;
    let decimals = match number {
        _ if number >= 99.95 => 0,
        _ if number >= 9.995 => 1,
        _ => 2,
    };
    format!("{number:.decimals$}{name}/s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_broken() {
        assert_eq!(wrapped("a: ", &words("bb ccc d"), 9, 3), "a: bb ccc\n   d");
        assert_eq!(wrapped("", &words("xxxxxxxxxxxx y"), 5, 2), "xxxxxxxxxxxx\n  y");
        assert_eq!(wrapped("lead", &[""; 0], 5, 2), "lead");
        assert_eq!(fitting(&words("bb ccc d"), 6), "bb ccc");
        assert_eq!(fitting(&words("bb ccc d"), 1), "bb");
        assert_eq!(fitting(&[""; 0], 1), "");
    }

    #[test]
    fn speeds_have_three_digits() {
        for (per_second, text) in [
            (144_434_264.225_9, "144 M/s"),
            (1_440_000.0, "1.44 M/s"),
            (999_600.0, "1.00 M/s"),
            (999_400.0, "999 k/s"),
            (15_625.0, "15.6 k/s"),
            (2_000_000_000.0, "2.00 G/s"),
            (999.4, "999/s"),
            (99.96, "100/s"),
            (12.34, "12.3/s"),
            (0.25, "0.25/s"),
            (0.0, "0.00/s"),
        ] {
            assert_eq!(speed(per_second), text, "{per_second}");
        }
    }
}
