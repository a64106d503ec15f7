//! Random texts of a form.

use proptest::string::{RegexGeneratorStrategy, string_regex};

/// Any text.
pub const ANY: &str = r"\PC*";

/// Texts that a regular expression matches. It is compiled once here; one that stands for
/// a strategy by itself, as in `any::<String>()`, is compiled anew for each text, which
/// takes far longer than what is tested with the text.
pub fn texts_like(pattern: &str) -> RegexGeneratorStrategy<String> {
    string_regex(pattern).expect("a regular expression")
}
