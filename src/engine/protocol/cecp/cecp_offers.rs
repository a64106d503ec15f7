//! Ends of games by agreement: claims, draw offers, resignation.

use super::cecp_lines;
use super::cecp_player::{Player, Role};
use qirkat_game::score::Score;
use qirkat_rules::chesquerque::Outcome;

/// The engine accepts a draw below this score, at any time.
const CONTENT_WITH_DRAW: Score = Score::centipawns(-50);
/// Later in the game it accepts a draw unless its score is better than this.
const CONTENT_WITH_DRAW_LATER: Score = Score::centipawns(10);
const LATER_PLIES: usize = 80;
/// With `Resign` on, the engine gives up when it has stood worse than this
/// for this many moves.
const HOPELESS: Score = Score::centipawns(-1000);
const HOPELESS_MOVES: u32 = 3;

impl Player {
    /// Claims the end of the game, if it has ended.
    pub(super) fn claim(&self) -> bool {
        let outcome: Option<Outcome> = self.game.outcome();
        if let Some(outcome) = outcome {
            self.output.line(&cecp_lines::claim(outcome));
        }
        outcome.is_some()
    }

    pub(super) fn gives_up(&mut self, score: Score) -> bool {
        self.hopeless_moves = if score <= HOPELESS { self.hopeless_moves + 1 } else { 0 };
        self.engine.settings.resign && self.hopeless_moves >= HOPELESS_MOVES
    }

    /// `draw`: takes the offer if the engine does not hope for more. While it
    /// thinks, that is decided with its move.
    pub fn consider_draw(&mut self) {
        if self.is_thinking() {
            self.draw_offered = true;
            return;
        }
        let least = if self.game.moves().len() < LATER_PLIES {
            CONTENT_WITH_DRAW
        } else {
            CONTENT_WITH_DRAW_LATER
        };
        let plays = matches!(self.role, Role::Plays(_));
        if plays && self.score.is_some_and(|score| score <= least) {
            self.output.line("offer draw");
        }
    }
}
