//! Scores: the value of a position for the side to move.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use derive_more::Neg;
use serde::{Deserialize, Serialize};

use crate::ParseError;
use crate::distance::{MAX_PLY, Ply};

/// A score in centipawns, a tablebase win or loss, or a distance to mate, for the side to move.
///
/// ```
/// use qirkat::{Ply, Score};
///
/// let ahead = Score::centipawns(35);
/// assert_eq!((-ahead).value(), -35);
/// // Mate in two: the third ply from here mates.
/// let mate = Score::mating_at(Ply(3));
/// assert!(mate.is_win() && mate > ahead);
/// assert_eq!(mate.moves_to_mate(), Some(2));
/// // As UCI writes it, and back.
/// assert_eq!(format!("{ahead}, {mate}"), "cp 35, mate 2");
/// assert_eq!("mate 2".parse::<Score>()?, mate);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Hash, Neg, Serialize, Deserialize,
)]
pub struct Score(i16);

const MATE: i16 = 32_000;
/// Scores at least this far from zero are distances to mate.
const MATE_BOUND: i16 = MATE - MAX_PLY as i16;

/// The score of a tablebase win at the root: below mates, so that a mate on the board scores
/// higher, and above any evaluation.
const TABLEBASE_WIN: i16 = 31_500;
/// The smallest absolute tablebase score; evaluators must stay below it.
const TABLEBASE_BOUND: i16 = TABLEBASE_WIN - 1_000;

impl Score {
    pub const DRAW: Score = Score(0);
    /// Better than any other score.
    pub const INFINITE: Score = Score(MATE + 1);
    /// Worse than any other score.
    pub const LOWEST: Score = Score(-Self::INFINITE.0);

    /// A score in centipawns, clamped below the mate scores.
    pub const fn centipawns(value: i32) -> Score {
        let bound = MATE_BOUND as i32 - 1;
        Score(if value > bound {
            bound as i16
        } else if value < -bound {
            -bound as i16
        } else {
            value as i16
        })
    }

    /// The side to move is mated `ply` plies from the root.
    #[inline]
    pub const fn mated_at(ply: Ply) -> Score {
        Score(ply.0 as i16 - MATE)
    }

    /// The side to move mates `ply` plies from the root.
    #[inline]
    pub const fn mating_at(ply: Ply) -> Score {
        Score(MATE - ply.0 as i16)
    }

    /// The side to move wins by a tablebase in this many plies from the root.
    #[inline]
    pub const fn tablebase_win_in(plies: u16) -> Score {
        let most = (TABLEBASE_WIN - TABLEBASE_BOUND) as u16;
        Score(TABLEBASE_WIN - if plies < most { plies } else { most } as i16)
    }

    #[inline]
    pub const fn is_tablebase(self) -> bool {
        let distance = self.0.unsigned_abs();
        distance >= TABLEBASE_BOUND as u16 && distance <= TABLEBASE_WIN as u16
    }

    /// Plies to mate, if it is one; negative or zero when the side to move is mated.
    pub const fn plies_to_mate(self) -> Option<i16> {
        if self.0 >= MATE_BOUND {
            Some(MATE - self.0)
        } else if self.0 <= -MATE_BOUND {
            Some(-MATE - self.0)
        } else {
            None
        }
    }

    /// Moves to mate as in UCI: negative when the side to move is mated.
    pub const fn moves_to_mate(self) -> Option<i16> {
        match self.plies_to_mate() {
            Some(plies) if plies > 0 => Some((plies + 1) / 2),
            // Rounded away from zero: the negated score of the side that mates has odd plies.
            Some(plies) => Some((plies - 1) / 2),
            None => None,
        }
    }

    fn from_moves_to_mate(moves: i32) -> Option<Score> {
        let plies = if moves > 0 { moves.checked_mul(2)? - 1 } else { moves.checked_mul(-2)? };
        let ply = u16::try_from(plies).ok().filter(|&plies| plies <= MAX_PLY).map(Ply)?;
        Some(if moves > 0 { Score::mating_at(ply) } else { Score::mated_at(ply) })
    }

    #[inline]
    #[must_use]
    pub const fn just_above(self) -> Score {
        Score(self.0 + 1)
    }

    #[inline]
    #[must_use]
    pub const fn just_below(self) -> Score {
        Score(self.0 - 1)
    }

    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0 >= MATE_BOUND || self.0 <= -MATE_BOUND
    }

    /// Whether the side to move wins by mate.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= MATE_BOUND
    }

    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -MATE_BOUND
    }

    /// The plain number, in centipawns unless it is a mate or a tablebase result.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0 as i32
    }

    /// The score for the transposition table: mates and tablebase wins are counted from the position.
    #[inline]
    pub const fn to_tt(self, ply: Ply) -> i16 {
        let distance = ply.0 as i16;
        if self.0 >= TABLEBASE_BOUND {
            self.0 + distance
        } else if self.0 <= -TABLEBASE_BOUND {
            self.0 - distance
        } else {
            self.0
        }
    }

    /// [`Score::value`] in 16 bits, for storage.
    #[inline]
    pub const fn to_bits(self) -> i16 {
        self.0
    }

    /// The inverse of [`Score::to_bits`], clamped to valid scores.
    #[inline]
    pub fn from_bits(kept: i16) -> Score {
        Score(kept.clamp(-MATE, MATE))
    }

    /// The inverse of [`Score::to_tt`], clamped to valid scores.
    #[inline]
    pub fn from_tt(kept: i16, ply: Ply) -> Score {
        let kept = kept.clamp(-MATE, MATE);
        let distance = ply.0 as i16;
        if kept >= TABLEBASE_BOUND {
            Score(kept - distance)
        } else if kept <= -TABLEBASE_BOUND {
            Score(kept + distance)
        } else {
            Score(kept)
        }
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, margin: i32) -> Score {
        Score::centipawns(self.value() + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, margin: i32) -> Score {
        Score::centipawns(self.value() - margin)
    }
}

impl Sub for Score {
    type Output = i32;
    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.value() - other.value()
    }
}

/// Signed pawns, or `#` and moves to mate.
pub fn score_text(score: Score) -> String {
    match (score.plies_to_mate(), score.moves_to_mate()) {
        (Some(0), _) => "#".to_owned(),
        (_, Some(moves)) => format!("#{moves}"),
        (_, None) => format!("{:+.2}", f64::from(score.value()) / 100.0),
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

impl FromStr for Score {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Score, ParseError> {
        let number = |text: &str| text.parse::<i32>().ok();
        let score = if let Some(value) = text.strip_prefix("cp ") {
            number(value).map(Score::centipawns)
        } else {
            text.strip_prefix("mate ").and_then(number).and_then(Score::from_moves_to_mate)
        };
        score.ok_or_else(|| ParseError::new("a score such as `cp 35` or `mate -2`", text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_and_parsed_as_in_uci() {
        for (score, text) in [
            (Score::mating_at(Ply(1)), "mate 1"),
            (Score::mating_at(Ply(3)), "mate 2"),
            (Score::mated_at(Ply(0)), "mate 0"),
            (Score::mated_at(Ply(2)), "mate -1"),
            (Score::mated_at(Ply(4)), "mate -2"),
            (Score::centipawns(-35), "cp -35"),
            (Score::centipawns(1_000_000), "cp 31871"),
        ] {
            assert_eq!(score.to_string(), text);
            assert_eq!(text.parse(), Ok(score));
        }
    }

    #[test]
    fn tablebase_scores_lie_between_evaluations_and_mates() {
        let known = Score::tablebase_win_in(35);
        assert!(known > Score::tablebase_win_in(37) && known < Score::mating_at(Ply(99)));
        assert!(
            known.is_tablebase() && !known.is_mate() && !Score::centipawns(2500).is_tablebase()
        );
        assert_eq!(Score::DRAW.moves_to_mate(), None);
        assert_eq!((-Score::mating_at(Ply(3))).moves_to_mate(), Some(-2));
    }

    #[test]
    fn invalid_scores_are_rejected() {
        for text in ["", "35", "cp", "cp ", "cp x", "mate 1000", "mate -99999999999", "cp 1 2"] {
            assert!(text.parse::<Score>().is_err(), "{text}");
        }
    }

    #[test]
    fn stored_mates_are_adjusted_by_ply() {
        let here = Score::mating_at(Ply(7));
        assert_eq!(Score::from_tt(here.to_tt(Ply(4)), Ply(4)), here);
        // Two plies nearer to the root, the mate is two plies nearer too.
        assert_eq!(Score::from_tt(here.to_tt(Ply(4)), Ply(2)), Score::mating_at(Ply(5)));
        let there = Score::mated_at(Ply(6));
        assert_eq!(Score::from_tt(there.to_tt(Ply(3)), Ply(5)), Score::mated_at(Ply(8)));
        for kept in [i16::MIN, i16::MAX, 0, MATE, -MATE] {
            let score = Score::from_tt(kept, Ply(3));
            assert!(score <= Score::INFINITE && score >= -Score::INFINITE);
        }
    }
}
