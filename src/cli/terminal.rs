//! The terminal: how wide it is, what it can show, and texts that fit into it.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write, stderr, stdout};
use std::sync::{Mutex, PoisonError};

use console::Term;

/// Columns where nobody says how many there are, as in a file or a pipe.
const USUAL_WIDTH: usize = 80;
/// Nothing is laid out for fewer.
const LEAST_WIDTH: usize = 40;
/// Nobody reads longer lines.
const MOST_WIDTH: usize = 240;

/// Columns of standard output.
pub(super) fn width() -> usize {
    let size = Term::stdout().size_checked();
    let columns = size.map_or(USUAL_WIDTH, |(_, columns)| usize::from(columns));
    columns.clamp(LEAST_WIDTH, MOST_WIDTH)
}

/// Rows of standard output; none where it is no terminal.
pub(super) fn height() -> Option<usize> {
    Term::stdout().size_checked().map(|(rows, _)| usize::from(rows))
}

/// Whether the locale says that characters beyond ASCII can be shown.
pub(super) fn shows_unicode() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let set = set.unwrap_or_default().to_lowercase();
    set.contains("utf-8") || set.contains("utf8")
}

/// The words of a text, as they lie between its spaces.
pub(super) fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

/// Words in lines of at most `width` columns; no word is broken. The first line begins
/// with `lead`, the others are indented by `indent`.
pub(super) fn wrapped(
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

/// As many words as fit into `width` columns, at least one, with single spaces.
pub(super) fn fitting(words: &[impl AsRef<str>], width: usize) -> String {
    let all = wrapped("", words, width, 0);
    all.lines().next().unwrap_or_default().to_owned()
}

/// Prints a message on standard error, if anybody can be told.
pub(super) fn print_message(text: impl Display) {
    print_line(format_args!("qirkat: {text}"));
}

/// Prints a line on standard error, if anybody can be told.
pub(super) fn print_line(text: impl Display) {
    if cfg!(test) {
        // This way it is caught.
        return eprintln!("{text}");
    }
    if let Err(error) = writeln!(stderr(), "{text}") {
        log::error!("a message could not be written: {error}");
    }
}

/// The first fault of [`tell`].
static UNTOLD: Mutex<Option<io::Error>> = Mutex::new(None);

/// Tells on standard output how work goes whose result is a file. It goes on though nobody listens
/// any more; what else is wrong with the output is told at the end, by [`untold`].
pub(super) fn tell(text: impl Display) {
    let mut out = stdout().lock();
    if let Err(error) = writeln!(out, "{text}").and_then(|()| out.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        UNTOLD.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// Says what the work has found, where that is its result, or only tells it, where the result is a
/// file.
///
/// # Errors
/// When the result cannot be written.
pub(super) fn say(text: impl Display, result_is_file: bool) -> io::Result<()> {
    if result_is_file {
        tell(text);
        return Ok(());
    }
    let mut out = stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Why something could not be told, if that was wanted.
pub(super) fn untold() -> Option<io::Error> {
    UNTOLD.lock().unwrap_or_else(PoisonError::into_inner).take()
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
}
