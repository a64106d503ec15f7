//! Whether a move deserves more or less than its share of the time: an easy
//! one is played soon, a doubtful one is thought over.

use super::root::RootMoves;
use qirkat_game::Searchable;
use qirkat_game::score::Score;

/// How settled the search is, by the iterations so far.
pub(super) struct Timing<G: Searchable> {
    best: Option<G::Move>,
    /// Iterations that the best move has stayed the same.
    unchanged: usize,
    /// The score of the last iteration.
    last: Score,
    /// How much worse the score has become since then, in centipawns.
    fall: i32,
    /// The part of all nodes that the best move took.
    share: f64,
}

/// Factor of the time by how long the best move has been the same.
const STABILITY: [f64; 6] = [1.6, 1.3, 1.1, 0.95, 0.85, 0.8];
/// Factor by the best move's share of the nodes: none at all, and how much
/// less for the whole.
const WITHOUT_SHARE: f64 = 2.0;
const SHARE_WEIGHT: f64 = 1.5;
/// Centipawns by which the score must fall to double the time.
const DOUBLING_FALL: f64 = 100.0;
/// Bounds of the factor by the score's fall.
const FALL_FACTORS: (f64, f64) = (0.8, 1.6);

impl<G: Searchable> Timing<G> {
    pub fn new() -> Timing<G> {
        Timing { best: None, unchanged: 0, last: Score::DRAW, fall: 0, share: 0.5 }
    }

    /// Takes note of an iteration that has just ended.
    pub fn note_iteration(&mut self, root: &RootMoves<G>) {
        let best = Some(root.first_move(0));
        let score = root.best_score();
        if best == self.best {
            self.unchanged += 1;
        } else {
            self.unchanged = 0;
        }
        self.fall = if self.best.is_some() { self.last - score } else { 0 };
        self.best = best;
        self.last = score;
        self.share = root.best_share();
    }

    /// The factor of the planned time.
    pub fn factor(&self) -> f64 {
        let stability = STABILITY[self.unchanged.min(STABILITY.len() - 1)];
        let share = WITHOUT_SHARE - SHARE_WEIGHT * self.share;
        let fall =
            (1.0 + f64::from(self.fall) / DOUBLING_FALL).clamp(FALL_FACTORS.0, FALL_FACTORS.1);
        stability * share * fall
    }
}
