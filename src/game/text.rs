//! Text helpers: building text, parsing numbers, sanitising untrusted text, and errors.

use std::borrow::Borrow;
use std::fmt;
use std::io::{BufRead, Error, ErrorKind, Read};

use derive_more::Display;
use thiserror::Error;

/// The UTF-8 byte order mark, which some programs write.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Rejects text that starts like UTF-16, with its byte order mark and an ASCII character.
pub fn check_not_utf16(start: &[u8]) -> Result<(), Error> {
    match start {
        [0xFF, 0xFE, letter, 0, ..] | [0xFE, 0xFF, 0, letter, ..] if *letter != 0 => {
            let fault = "the text is UTF-16; save it as UTF-8";
            Err(Error::new(ErrorKind::InvalidData, fault))
        }
        _ => Ok(()),
    }
}

/// Lines of this many bytes or more are rejected.
pub const LONGEST_LINE: u64 = 1 << 20;

/// The lines of a text without their `\n`; a `\r` before it stays. Null bytes and overlong lines are errors.
pub fn lines_of(mut input: impl BufRead) -> impl Iterator<Item = Result<Vec<u8>, Error>> {
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let refused = |what: &str| Error::new(ErrorKind::InvalidData, what);
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) if line.contains(&0) => {
                let fault = check_not_utf16(&line).err();
                Some(Err(fault.unwrap_or_else(|| refused("not a text"))))
            }
            Ok(read) if read as u64 == LONGEST_LINE => Some(Err(refused("a line is too long"))),
            Ok(_) => {
                line.pop_if(|last| *last == b'\n');
                Some(Ok(line))
            }
            Err(error) => Some(Err(error)),
        }
    })
}

pub fn push(text: &mut String, piece: fmt::Arguments<'_>) {
    if fmt::Write::write_fmt(text, piece).is_err() {
        log::error!("a text could not be put together");
    }
}

/// A number with a noun, as in `1 game` and `2 games`.
pub fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Names as in `a1, b2 and c3`, with a word such as `and` before the last.
pub fn listed<T: Borrow<str>>(names: &[T], word: &str) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => {
            format!("{} {word} {}", others.join(", "), last.borrow())
        }
        few => few.concat(),
    }
}

/// Parses an integer of any length; values beyond 64 bits saturate.
pub fn read_number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -size } else { size })
}

/// Untrusted text as one line that is safe for a terminal: control and bidirectional characters are
/// escaped, and text beyond `longest` characters is replaced by `...`.
pub fn one_line(text: &str, longest: usize) -> String {
    shortened(text, longest, |shown, letter| {
        if letter.is_control() || is_layout(letter) {
            shown.extend(letter.escape_debug());
        } else {
            shown.push(letter);
        }
    })
}

/// Whether a character changes the text direction or ends a line (Unicode Standard Annex 9), so
/// that it could disguise the text after it.
pub fn is_layout(letter: char) -> bool {
    matches!(
        letter,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

fn shortened(text: &str, longest: usize, push: impl Fn(&mut String, char)) -> String {
    let mut shown = String::with_capacity(text.len().min(longest));
    let mut letters = text.chars();
    for letter in letters.by_ref().take(longest) {
        push(&mut shown, letter);
    }
    if letters.next().is_some() {
        shown.push_str("...");
    }
    shown
}

/// A short excerpt of untrusted text on one line: all but printable ASCII is escaped.
///
/// ```
/// use qirkat_game::text::Excerpt;
/// assert_eq!(Excerpt::of("e2\te4").to_string(), "e2\\te4");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Display, Hash)]
pub struct Excerpt(String);

impl Excerpt {
    const LENGTH: usize = 24;

    pub fn of(text: &str) -> Excerpt {
        let escape = |shown: &mut String, letter: char| shown.extend(letter.escape_default());
        Excerpt(shortened(text, Self::LENGTH, escape))
    }
}

/// A text that could not be parsed as what was expected.
///
/// ```
/// use qirkat::Point;
///
/// let error = "j5".parse::<Point>().unwrap_err();
/// assert_eq!(error.to_string(), "`j5` is not a point such as `e5`");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{text}` is not {expected}")]
pub struct ParseError {
    expected: &'static str,
    text: Excerpt,
}

impl ParseError {
    /// `expected` names what was expected, with an article.
    pub fn new(expected: &'static str, text: &str) -> ParseError {
        ParseError { expected, text: Excerpt::of(text) }
    }
}

/// Why a text in standard algebraic notation (SAN) is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SanError {
    #[error("`{0}` is not a move in algebraic notation")]
    Malformed(Excerpt),
    #[error("`{0}` is not a legal move here")]
    Illegal(Excerpt),
    #[error("`{0}` could mean several moves")]
    Ambiguous(Excerpt),
}

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveTextError<I> {
    /// A move in coordinate form, but illegal for this reason.
    #[error("{0}")]
    Illegal(I),
    /// The error of an invalid move in a game without algebraic notation.
    #[error("{0}")]
    Malformed(String),
    /// Not a legal move in algebraic notation either.
    #[error(transparent)]
    San(#[from] SanError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untrusted_text_is_escaped_to_one_line() {
        let text = "e2\te4\n\u{1b}[2J é \\";
        assert_eq!(one_line(text, 100), "e2\\te4\\n\\u{1b}[2J é \\");
        assert_eq!(one_line(text, 3), "e2\\t...");
        assert_eq!(one_line("\u{202e}nnA\u{2069} \u{5d0}", 9), "\\u{202e}nnA\\u{2069} \u{5d0}");
        assert_eq!(Excerpt::of("é\n").to_string(), "\\u{e9}\\n");
        assert_eq!(Excerpt::of(&"x".repeat(30)).to_string(), format!("{}...", "x".repeat(24)));
    }

    #[test]
    fn large_numbers_saturate() {
        for (text, number) in [
            ("0", Some(0)),
            ("-5", Some(-5)),
            ("+7", Some(7)),
            ("99999999999999999999", Some(i64::MAX)),
            ("-99999999999999999999", Some(-i64::MAX)),
            ("", None),
            ("-", None),
            ("1.5", None),
            ("abc", None),
            ("--1", None),
        ] {
            assert_eq!(read_number(text), number, "{text}");
        }
    }
}
