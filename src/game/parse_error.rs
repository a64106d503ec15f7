//! Texts that do not stand for a point, a move, a piece, a side or a score.

use thiserror::Error;

use crate::text::Excerpt;

/// A text that does not stand for what was expected.
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
    /// The text is not what was expected, which is named with its article.
    pub fn new(expected: &'static str, text: &str) -> ParseError {
        ParseError { expected, text: Excerpt::of(text) }
    }
}
