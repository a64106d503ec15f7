//! The news of a session: what the screen or the lines of text show.

/// Something to be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum News {
    /// A sentence or two.
    Said(String),
    /// Why something that was asked for cannot be done.
    Refused(String),
    /// A move was made, as in `3. Nc3`.
    Moved {
        /// The move with its number.
        text: String,
        by_engine: bool,
    },
    Ended(String),
    /// A text of several lines.
    Page {
        /// Its subject in a few words.
        title: String,
        text: String,
    },
    /// The board is to be drawn.
    Board,
    Leave,
}

impl News {
    /// A sentence from a reason, as errors give it: with a capital, and a full stop.
    pub fn refused(reason: &str) -> News {
        let mut letters = reason.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        let stop = if reason.ends_with(['.', '!', '?']) { "" } else { "." };
        News::Refused(format!("{first}{}{stop}", letters.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_become_sentences() {
        for (reason, sentence) in [
            ("the way is blocked", "The way is blocked."),
            ("`x` is no move", "`x` is no move."),
            ("", "."),
        ] {
            assert_eq!(News::refused(reason), News::Refused(sentence.to_owned()));
        }
    }
}
