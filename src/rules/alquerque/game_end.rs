//! How a game ends: a side that cannot move has lost, and the rules for draws.

use super::position::Position;
use qirkat_game::{DRAWING_CLOCK, GameHistory, Outcome, Rules};

impl Position {
    /// Whether 100 plies have passed without a jump or forward step. A side that
    /// then cannot move has lost nevertheless, so test for that first.
    #[inline]
    pub const fn is_clock_drawn(&self) -> bool {
        self.halfmove_clock >= DRAWING_CLOCK
    }

    /// Plies without a jump or forward step that are left before the game is
    /// drawn. A win with the last of them still counts.
    #[inline]
    pub const fn plies_to_clock_draw(&self) -> u16 {
        DRAWING_CLOCK.saturating_sub(self.halfmove_clock)
    }

    /// How the game has ended, if it has. A loss comes before any draw.
    pub fn outcome(&self, history: &GameHistory) -> Option<Outcome> {
        if !self.has_legal_moves() {
            let no_men = self.men(self.side_to_move).is_empty();
            let winner = !self.side_to_move;
            return Some(if no_men { Outcome::NoPieces(winner) } else { Outcome::Blocked(winner) });
        }
        self.draw_by_rule(history).map(Outcome::Draw)
    }
}
