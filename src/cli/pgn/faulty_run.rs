//! What is told of faulty games in a row.

use qirkat_game::text::counted;
use qirkat_notation::pgn::PgnError;

/// So many are told one by one.
const TOLD: usize = 10;

/// Faulty games in a row, with no sound one among them. A file of something else has
/// thousands, so only the first are told one by one.
#[derive(Default)]
pub(super) struct FaultyRun {
    told: Vec<String>,
    /// Those beyond them.
    more: u64,
    /// The line of the last fault.
    last_line: u64,
    /// Whether there was a sound game before.
    is_after_game: bool,
}

impl FaultyRun {
    /// Adds a faulty game.
    pub fn add(&mut self, error: &PgnError) {
        if let PgnError::Game { line, .. } = error {
            self.last_line = *line;
        }
        if self.told.len() < TOLD {
            self.told.push(error.to_string());
        } else {
            self.more += 1;
        }
    }

    /// What is to be told before a sound game.
    pub fn end_at_game(&mut self) -> Vec<String> {
        self.is_after_game = true;
        let mut lines = std::mem::take(&mut self.told);
        let more = std::mem::take(&mut self.more);
        if more > 0 {
            let games = counted(more, "faulty game");
            lines.push(format!("{games} more, up to line {}", self.last_line));
        }
        lines
    }

    /// What is to be told at the end of the file.
    pub fn end_of_file(mut self) -> Vec<String> {
        if self.more > 0 && !self.is_after_game {
            let games = self.told.len() as u64 + self.more;
            return vec![format!("{games} games, none of them can be read ({})", self.told[0])];
        }
        self.end_at_game()
    }
}
