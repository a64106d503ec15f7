//! What a thread learns while it searches and keeps from one move of the game
//! to the next.

use super::correction::CorrectionHistory;
use super::history::MoveHistory;
use qirkat_game::Game;

/// Statistics that guide one thread's search. They change its order and
/// depth, never the rules.
pub(super) struct Histories<G: Game> {
    pub moves: MoveHistory<G>,
    pub corrections: CorrectionHistory<G>,
}

impl<G: Game> Histories<G> {
    /// The system finds memory for it as it is used.
    pub fn new() -> Histories<G> {
        Histories { moves: MoveHistory::new(), corrections: CorrectionHistory::new() }
    }

    /// As new, but all of its memory is there, so that no move waits for it.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.corrections.clear();
    }
}
