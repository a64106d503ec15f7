//! What a thread remembers from one move of the game to the next.

use super::correction::Corrections;
use super::history::MoveHistory;

/// Statistics that guide one thread's search. They change its order and
/// depth, never the rules.
pub(super) struct ThreadMemory {
    pub moves: MoveHistory,
    pub corrections: Corrections,
}

impl ThreadMemory {
    /// The system finds memory for it as it is used.
    pub fn new() -> ThreadMemory {
        ThreadMemory { moves: MoveHistory::new(), corrections: Corrections::new() }
    }

    /// As new, but all of its memory is there, so that no move waits for it.
    pub fn forget(&mut self) {
        self.moves.forget();
        self.corrections.forget();
    }
}
