//! Texts: put together piece by piece, and made fit for one line when they come
//! from outside.

use std::fmt::{self, Arguments, Write};

/// Adds a piece to a text.
pub(crate) fn push(text: &mut String, piece: Arguments<'_>) {
    if text.write_fmt(piece).is_err() {
        log::error!("a text could not be put together");
    }
}

/// A short piece of somebody's text, safe to put into one line: all but
/// printable ASCII is escaped.
///
/// ```
/// use qirkat::text::Excerpt;
/// assert_eq!(Excerpt::of("e2\te4").to_string(), "e2\\te4");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Excerpt(String);

impl Excerpt {
    /// Characters shown at most.
    const LENGTH: usize = 24;

    /// Shortens and escapes a text.
    pub fn of(text: &str) -> Excerpt {
        let mut chars = text.chars();
        let mut excerpt: String =
            chars.by_ref().take(Self::LENGTH).flat_map(char::escape_default).collect();
        if chars.next().is_some() {
            excerpt.push_str("...");
        }
        Excerpt(excerpt)
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
