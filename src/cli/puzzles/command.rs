//! What a line that is typed asks for.

/// What the person wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// An empty line.
    Nothing,
    /// A bit of help with the puzzle.
    Hint,
    /// The answer.
    Solution,
    /// The next puzzle.
    Skip,
    /// The board once more.
    Board,
    /// What can be typed.
    Help,
    /// The end.
    Quit,
    /// Anything else is meant to be a move.
    Move(String),
}

impl Command {
    /// Reads a line.
    pub fn read(line: &str) -> Command {
        let line = line.trim();
        match line.to_ascii_lowercase().as_str() {
            "" => Command::Nothing,
            "hint" | "h" => Command::Hint,
            "solution" | "s" => Command::Solution,
            "skip" | "next" => Command::Skip,
            "board" | "d" => Command::Board,
            "help" | "?" => Command::Help,
            "quit" | "exit" | "q" => Command::Quit,
            _ => Command::Move(line.to_owned()),
        }
    }
}

/// What can be typed, in a line.
pub(super) const HELP: &str =
    "Type a move such as Nc3 or b1c3, or hint, solution, skip, board, quit.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        for (line, command) in [
            ("  ", Command::Nothing),
            (" HINT\r", Command::Hint),
            ("?", Command::Help),
            ("q", Command::Quit),
            (" Qd4 ", Command::Move("Qd4".to_owned())),
        ] {
            assert_eq!(Command::read(line), command, "{line:?}");
        }
    }
}
