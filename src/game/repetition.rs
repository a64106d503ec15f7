//! Which positions a game has gone through before.

use super::game_history::GameHistory;
use super::rules::Rules;

impl GameHistory {
    /// Notes a position that a move is about to leave.
    #[inline]
    pub fn push<G: Rules>(&mut self, position: &G) {
        self.earlier.push(position.key());
    }

    /// How far back, in plies, `position` last stood and stood before that:
    /// only positions since the last move that cannot be taken back can be
    /// equal, and only those with the same side to move.
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

    /// Whether `position` stands for the third time.
    pub fn is_threefold<G: Rules>(&self, position: &G) -> bool {
        self.repetitions(position).nth(1).is_some()
    }
}
