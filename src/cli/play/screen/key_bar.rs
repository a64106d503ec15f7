//! The keys for what is wanted often, shown below, for the mouse too.

/// The keys of the bar, each with the word that could be typed instead; its number,
/// and its name.
const KEYS: [(u8, &str, &str); 10] = [
    (1, "Help", "help"),
    (2, "Hint", "hint"),
    (3, "Back", "back"),
    (4, "Flip", "flip"),
    (5, "Draw", "draw"),
    (6, "Resign", "resign"),
    (7, "Graph", "graph"),
    (8, "Review", "review"),
    (9, "Save", "save"),
    (10, "Quit", "quit"),
];

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ShownKey {
    pub column: u16,
    /// As in `F1`.
    pub key: String,
    pub name: &'static str,
    /// The word that could be typed instead.
    pub word: &'static str,
}

impl ShownKey {
    fn end(&self) -> u16 {
        self.column + (self.key.len() + self.name.len()) as u16
    }
}

/// The keys one beside the other.
pub(super) fn shown() -> Vec<ShownKey> {
    let mut column = 0;
    let place = |&(number, name, word): &(u8, &'static str, &'static str)| {
        let shown = ShownKey { column, key: format!("F{number}"), name, word };
        column = shown.end() + 1;
        shown
    };
    KEYS.iter().map(place).collect()
}

/// The word for a function key.
pub(super) fn word_of(number: u8) -> Option<&'static str> {
    KEYS.iter().find(|(known, ..)| *known == number).map(|&(_, _, word)| word)
}

/// The word for a place in the bar.
pub(super) fn word_at(column: u16) -> Option<&'static str> {
    let shown = shown().into_iter().find(|key| (key.column..key.end()).contains(&column));
    shown.map(|key| key.word)
}

#[cfg(test)]
mod tests {
    use super::super::super::command::Command;
    use super::*;

    #[test]
    fn all_keys_fit_and_mean_something() {
        let keys = shown();
        assert!(keys.last().is_some_and(|last| last.end() <= 80), "{keys:?}");
        for key in keys {
            assert_eq!(word_at(key.column), Some(key.word));
            assert!(!matches!(Command::read(key.word), Ok(Command::Move(_))), "{}", key.word);
        }
        assert_eq!((word_of(2), word_of(12), word_at(200)), (Some("hint"), None, None));
    }
}
