//! Marks for moves that lose something.

use derive_more::Display;

/// How bad a move is, by the expected points that it loses.
///
/// The steps are .05, .10 and .20 points, which chess.com uses for the same three words
/// (lichess: .05, .10 and .15 on a flatter curve). How often players of each strength make
/// such moves is measured in `docs/records/chances.md`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Display, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mark {
    /// All marks, the mildest first.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The mark for a move that loses this many expected points, if it deserves one.
    ///
    /// ```
    /// use qirkat_analysis::review::Mark;
    ///
    /// assert_eq!(Mark::of_loss(0.03), None);
    /// assert_eq!(Mark::of_loss(0.25), Some(Mark::Blunder));
    /// ```
    pub fn of_loss(loss: f64) -> Option<Mark> {
        Mark::ALL.into_iter().rev().find(|mark| loss >= mark.least_loss())
    }

    /// The expected points from which on a move deserves it.
    pub const fn least_loss(self) -> f64 {
        match self {
            Mark::Inaccuracy => 0.05,
            Mark::Mistake => 0.10,
            Mark::Blunder => 0.20,
        }
    }

    /// As it stands behind a move.
    pub const fn symbol(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// Its Numeric Annotation Glyph in PGN.
    pub const fn nag(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}
