//! How a game ends: mate, stalemate and the rules for draws.

use super::piece::PieceKind;
use super::position::Position;
use qirkat_game::{Color, DRAWING_CLOCK, DrawReason, GameHistory, Outcome, Rules};

impl Position {
    /// Whether 100 plies have passed without a pawn move or capture. Mate on
    /// the hundredth still wins, so test for that first.
    #[inline]
    pub const fn is_clock_drawn(&self) -> bool {
        self.halfmove_clock >= DRAWING_CLOCK
    }

    /// Plies without a pawn move or capture that are left before the game is
    /// drawn. Mate with the last of them still wins.
    #[inline]
    pub const fn plies_to_clock_draw(&self) -> u16 {
        DRAWING_CLOCK.saturating_sub(self.halfmove_clock)
    }

    /// Whether nobody can mate any more: bare kings, each with one knight at
    /// most. Every other set of up to four pieces can mate somehow (a lone bishop
    /// even by force); `tests/rules/dead_material.rs` shows both by enumeration.
    #[inline]
    pub fn is_dead(&self) -> bool {
        let knights = self.of_kind(PieceKind::Knight);
        self.occupied() == knights | self.of_kind(PieceKind::King)
            && Color::ALL.into_iter().all(|color| !(knights & self.of_color(color)).more_than_one())
    }

    /// How the game has ended, if it has. Checkmate comes before any draw.
    pub fn outcome(&self, history: &GameHistory) -> Option<Outcome> {
        if !self.has_legal_moves() {
            return Some(if self.in_check() {
                Outcome::Checkmate(!self.side_to_move)
            } else {
                Outcome::Draw(DrawReason::Stalemate)
            });
        }
        self.draw_by_rule(history).map(Outcome::Draw)
    }
}
