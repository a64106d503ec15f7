//! Text from outside, made safe for an error message.

use std::fmt;

/// A short printable piece of a foreign text, safe to put into one line.
#[derive(Clone, PartialEq, Eq, Debug)]
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
