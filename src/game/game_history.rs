//! The earlier positions of a game, by their keys.

use super::key::Key;

/// Keys of all earlier positions of a game, oldest first. It is kept apart
/// from the position, which is copied for every move.
///
/// ```
/// use qirkat::game::Rules;
/// use qirkat::{GameHistory, Position};
///
/// let mut history = GameHistory::new();
/// let mut position: Position = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1".parse()?;
/// for text in "a1b1 e9e8 b1a1 e8e9".split(' ') {
///     history.push(&position);
///     position.make(text.parse()?);
/// }
/// // The same position occurred four plies ago.
/// assert_eq!(history.repetitions(&position).collect::<Vec<_>>(), [4]);
/// assert!(!history.is_threefold(&position));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct GameHistory {
    pub(super) earlier: Vec<Key>,
}

impl GameHistory {
    /// A game without earlier positions.
    pub fn new() -> GameHistory {
        GameHistory::default()
    }

    /// Removes the latest position.
    #[inline]
    pub fn pop(&mut self) {
        self.earlier.pop();
    }

    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.earlier.len()
    }

    /// Whether it holds no position.
    pub fn is_empty(&self) -> bool {
        self.earlier.is_empty()
    }
}
