//! The line in which moves and words are typed.

use unicode_width::UnicodeWidthStr;

use super::super::{command, move_input};
use qirkat_rules::variant::AnyPosition;

/// Characters that it holds at most.
const LONGEST: usize = 60;

/// The line in which moves and words are typed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct InputLine {
    text: String,
}

impl InputLine {
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Columns that it takes.
    pub fn width(&self) -> u16 {
        u16::try_from(self.text.width()).unwrap_or(u16::MAX)
    }

    /// Puts something else in it.
    pub fn set(&mut self, text: impl Into<String>) {
        self.text = text.into();
    }

    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Adds characters at the end, those that are seen and have room.
    pub fn add(&mut self, text: &str) {
        let room = LONGEST.saturating_sub(self.text.chars().count());
        self.text.extend(text.chars().filter(|letter| !letter.is_control()).take(room));
    }

    /// Takes the last character away.
    pub fn backspace(&mut self) {
        self.text.pop();
    }

    /// The words and legal moves that it can become. Nothing where neither begins so.
    pub fn candidates(&self, position: &AnyPosition) -> Vec<String> {
        let mut found = command::completions(&self.text);
        found.extend(move_input::completions(position, &self.text));
        found
    }

    /// Completes it as far as all candidates agree.
    pub fn complete(&mut self, position: &AnyPosition) {
        let candidates = self.candidates(position);
        let Some(first) = candidates.first() else { return };
        let agreed = candidates.iter().fold(first.as_str(), |agreed, next| common(agreed, next));
        if agreed.chars().count() >= self.text.chars().count() {
            self.text = agreed.to_owned();
        }
    }

    /// The rest of the only candidate, where it is beyond doubt.
    pub fn completion(&self, position: &AnyPosition) -> Option<String> {
        match self.candidates(position).as_slice() {
            [only] => only.strip_prefix(&self.text).map(str::to_owned),
            _ => None,
        }
    }
}

/// The beginning that two texts have in common.
fn common<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other);
    let length = same.map(|(letter, _)| letter.len_utf8()).sum();
    &one[..length]
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::variant::Variant;

    #[test]
    fn what_is_beyond_doubt_is_completed() {
        let start = Variant::Chesquerque.start();
        for (typed, completed, completion) in [
            ("hi", "hint", Some("nt")),
            ("re", "re", None),
            ("rev", "review", Some("iew")),
            ("d2", "d2d", None),
            ("d2d3", "d2d3", Some("")),
            ("HI", "HI", None),
            ("zz", "zz", None),
            ("", "", None),
        ] {
            let mut line = InputLine::default();
            line.add(typed);
            assert_eq!(line.completion(&start).as_deref(), completion, "{typed}");
            line.complete(&start);
            assert_eq!(line.text(), completed, "{typed}");
        }
    }

    #[test]
    fn it_holds_what_can_be_seen_and_no_more() {
        let mut line = InputLine::default();
        line.add("e\u{1b}[2\n");
        assert_eq!(line.text(), "e[2");
        line.add(&"é".repeat(1000));
        assert_eq!(line.text().chars().count(), LONGEST);
        line.backspace();
        assert_eq!(line.width(), 59);
        assert_eq!(line.take().chars().count(), 59);
        line.backspace();
        assert_eq!(line.text(), "");
    }
}
