//! The positions a game has gone through, for the repetition rule.

use super::{Key, Rules};

/// Keys of all earlier positions of a game, oldest first. It is kept apart
/// from the position, which is copied for every move.
///
/// ```
/// use qirkat::{GameHistory, Position};
///
/// let mut history = GameHistory::new();
/// let mut position: Position = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1".parse()?;
/// for text in "a1b1 e9e8 b1a1 e8e9".split(' ') {
///     history.push(&position);
///     position.make(text.parse()?);
/// }
/// // The position stood on the board four plies ago.
/// assert_eq!(history.repetitions(&position).collect::<Vec<_>>(), [4]);
/// assert!(!history.is_threefold(&position));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct GameHistory {
    earlier: Vec<Key>,
}

impl GameHistory {
    /// A game without earlier positions.
    pub fn new() -> GameHistory {
        GameHistory::default()
    }

    /// Notes a position that a move is about to leave.
    #[inline]
    pub fn push<G: Rules>(&mut self, position: &G) {
        self.earlier.push(position.key());
    }

    /// Forgets the latest noted position.
    #[inline]
    pub fn pop(&mut self) {
        self.earlier.pop();
    }

    /// How many positions have been noted.
    pub fn len(&self) -> usize {
        self.earlier.len()
    }

    /// Whether no position has been noted.
    pub fn is_empty(&self) -> bool {
        self.earlier.is_empty()
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
