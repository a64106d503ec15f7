//! Repetition detection.

use super::game_history::GameHistory;
use super::rules::Rules;

impl GameHistory {
    /// Adds a position, just before a move is made in it.
    #[inline]
    pub fn push<G: Rules>(&mut self, position: &G) {
        self.earlier.push(position.key());
    }

    /// The earlier occurrences of `position`, as plies back, the latest first. Only
    /// positions since the last irreversible move can be equal, and only those with the
    /// same side to move.
    #[inline]
    pub fn repetitions<G: Rules>(&self, position: &G) -> impl Iterator<Item = usize> + use<'_, G> {
        let reversible = position.reversible_plies();
        let key = position.key();
        self.earlier
            .iter()
            .rev()
            .take(reversible)
            .enumerate()
            .skip(1)
            .step_by(2)
            .filter(move |(_, earlier)| **earlier == key)
            .map(|(index, _)| index + 1)
    }

    /// Whether this is the third occurrence of `position`.
    pub fn is_threefold<G: Rules>(&self, position: &G) -> bool {
        self.repetitions(position).nth(1).is_some()
    }
}
