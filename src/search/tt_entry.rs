//! An entry of the transposition table, and how it fits into a word.

use qirkat_game::PackedMove;
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;

/// Searches after which the generation starts over.
pub(super) const GENERATIONS: u8 = 32;

/// How a kept score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// The true score is this or less.
    Upper,
    /// The true score is this or more.
    Lower,
    /// The true score.
    Exact,
}

/// An entry of the transposition table: the result of an earlier search of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TtEntry {
    /// The best move found, not necessarily legal here (keys can collide), or
    /// [`PackedMove::NONE`].
    pub mv: PackedMove,
    /// Its score.
    pub score: Score,
    /// How the score is to be understood.
    pub bound: Bound,
    /// The depth it was searched to.
    pub depth: Depth,
    /// The static evaluation; none in check.
    pub evaluation: Option<Score>,
    /// Whether it has been part of a principal variation.
    pub tt_pv: bool,
}

/// An entry's data in one word: move in bits 0–15, score in 16–31, depth in
/// 32–39, bound in 40–41 (0 is no entry), principal variation in 42,
/// generation in 43–47, evaluation in 48–63.
#[derive(Clone, Copy)]
pub(super) struct PackedEntry(pub u64);

/// Stands for no evaluation; no score is kept as this.
const NO_EVALUATION: i16 = i16::MIN;

impl PackedEntry {
    #[inline]
    pub fn new(entry: &TtEntry, mv: PackedMove, ply: Ply, generation: u8) -> PackedEntry {
        let bound: u64 = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let score = entry.score.to_table(ply) as u16;
        let evaluation = entry.evaluation.map_or(NO_EVALUATION, Score::to_bits) as u16;
        let depth = entry.depth.0.clamp(0, i16::from(u8::MAX)) as u64;
        PackedEntry(
            u64::from(mv.0)
                | u64::from(score) << 16
                | depth << 32
                | bound << 40
                | u64::from(entry.tt_pv) << 42
                | u64::from(generation) << 43
                | u64::from(evaluation) << 48,
        )
    }

    #[inline]
    pub fn unpack(self, ply: Ply) -> Option<TtEntry> {
        let bound = match self.0 >> 40 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(TtEntry {
            mv: self.mv(),
            score: Score::from_table((self.0 >> 16) as i16, ply),
            bound,
            depth: Depth(self.depth() as i16),
            evaluation: self.evaluation(),
            tt_pv: self.0 >> 42 & 1 != 0,
        })
    }

    #[inline]
    pub fn mv(self) -> PackedMove {
        PackedMove(self.0 as u16)
    }

    #[inline]
    pub fn evaluation(self) -> Option<Score> {
        let kept = (self.0 >> 48) as i16;
        (kept != NO_EVALUATION).then(|| Score::from_bits(kept))
    }

    #[inline]
    pub fn depth(self) -> i32 {
        (self.0 >> 32 & 0xFF) as i32
    }

    #[inline]
    pub fn generation(self) -> u8 {
        (self.0 >> 43) as u8 % GENERATIONS
    }
}
