//! How the tries to make openings are counted.

use std::fmt;

/// What became of the tries to make openings.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OpeningTally {
    /// Different openings found.
    pub found: usize,
    /// Tries that came to a position met before.
    pub repeated: usize,
    /// Tries that the quick search found won for one side.
    pub unbalanced: usize,
    /// Tries in which the random moves ended the game.
    pub ended: usize,
}

impl OpeningTally {
    /// All tries.
    pub fn tries(&self) -> usize {
        self.found + self.repeated + self.unbalanced + self.ended
    }
}

/// As in `18 found in 10018 tries (10000 repeated, 0 unbalanced, 0 over before
/// their end)`.
impl fmt::Display for OpeningTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} found in {} tries ({} repeated, {} unbalanced, {} over before their end)",
            self.found,
            self.tries(),
            self.repeated,
            self.unbalanced,
            self.ended
        )
    }
}
