//! What a position is worth where nobody looks further ahead.

use super::correction::CorrectionPlaces;
use super::worker::Worker;
use super::{Bound, Depth, Ply, Score, TableEntry};
use crate::evaluation::{evaluate, known_ending_or};
use crate::network::Evaluator;
use crate::position::Position;

/// The worth of a position to the side to move, by the network if there is
/// one.
#[inline]
pub(super) fn judge(network: &mut Option<Evaluator<'_>>, position: &Position, ply: Ply) -> Score {
    match network {
        Some(network) => known_ending_or(position, || network.evaluate(position, ply)),
        None => evaluate(position),
    }
}

impl Worker<'_> {
    /// The worth of a position to the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: Ply) -> Score {
        judge(&mut self.network, position, ply)
    }

    /// An evaluation, corrected by what searches have found in such positions.
    #[inline]
    pub fn corrected(&self, raw: Score, places: &CorrectionPlaces) -> Score {
        raw + self.memory.corrections.correction(places, self.tunables())
    }

    /// Keeps an evaluation, which is what takes the time, in the table. The
    /// side to move, not in check, can stand still at the end of a line.
    pub fn keep_evaluation(&self, position: &Position, ply: Ply, raw: Score, corrected: Score) {
        let entry = TableEntry {
            mv: None,
            score: corrected,
            bound: Bound::Lower,
            depth: Depth(0),
            evaluation: Some(raw),
            was_pv: false,
        };
        self.store(position, ply, entry);
    }
}
