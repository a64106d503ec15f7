//! Judging position after position, as a search meets them.

use super::Network;
use super::accumulator::Accumulator;
use crate::distance::{MAX_PLY, Ply};
use crate::position::{Bitboard, PerPoint, PieceKind, Point, Position};

/// Judges positions with a network, and keeps for each ply the sums of the
/// position it last judged there.
///
/// Sums come from those of any position that differs little. Near at hand are
/// that of the ply before, if it was judged, that of the ply itself, which is
/// often another move from the same position, and that of two plies before.
/// So nobody has to tell of moves, and nothing is summed that is not asked
/// for.
pub struct Evaluator<'a> {
    network: &'a Network,
    plies: Vec<Accumulator>,
}

/// Differences that a single move makes; nothing nearer need be looked for.
const MOVE_DIFFERENCES: u32 = 2;

impl<'a> Evaluator<'a> {
    /// An evaluator for a search from this position.
    pub fn new(network: &'a Network, root: &Position) -> Evaluator<'a> {
        let mut plies = Vec::with_capacity(usize::from(MAX_PLY) + 1);
        plies.push(Accumulator::new(network, root));
        Evaluator { network, plies }
    }

    /// What a position, `ply` plies from the root, is worth to the side to
    /// move, in centipawns.
    pub fn evaluate(&mut self, position: &Position, ply: Ply) -> i32 {
        let ply = ply.index();
        while self.plies.len() <= ply {
            self.plies.extend(self.plies.last().cloned());
        }
        let (near, points) = self.nearest(position, ply);
        if near < ply {
            let (before, rest) = self.plies.split_at_mut(ply);
            rest[0].follow(self.network, &before[near], position, points);
        } else {
            let base = self.plies[ply].clone();
            self.plies[ply].follow(self.network, &base, position, points);
        }
        self.plies[ply].output(self.network, position.occupied().len())
    }

    /// The ply, of those near, whose sums were made for the most similar
    /// position, and the points where that differs.
    fn nearest(&self, position: &Position, ply: usize) -> (usize, Bitboard) {
        let mut nearest = (ply, Bitboard::ALL);
        for candidate in [1, 0, 2].into_iter().filter_map(|back| ply.checked_sub(back)) {
            let points = self.plies[candidate].position.differing_points(position);
            if points.len() < nearest.1.len() {
                nearest = (candidate, points);
            }
            if points.len() <= MOVE_DIFFERENCES {
                break;
            }
        }
        nearest
    }
}

impl Network {
    /// What a position is worth to the side to move, in centipawns, all sums
    /// made anew.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_without(position, None)
    }

    /// What each man is worth to its side, in centipawns: how much the side
    /// would lose without it. Nothing of kings and empty points.
    pub fn piece_values(&self, position: &Position) -> PerPoint<Option<i32>> {
        let whole = self.evaluate(position);
        let mut worths = PerPoint([None; Point::COUNT]);
        for point in position.occupied() & !position.of_kind(PieceKind::King) {
            let lost = whole - self.evaluate_without(position, Some(point));
            let is_own = position.of_color(position.side_to_move()).has(point);
            worths[point] = Some(if is_own { lost } else { -lost });
        }
        worths
    }

    /// The same as if a man, not a king, were missing.
    fn evaluate_without(&self, position: &Position, left_out: Option<Point>) -> i32 {
        let men = position.occupied().len() - u32::from(left_out.is_some());
        Accumulator::without(self, position, left_out).output(self, men)
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    use super::super::{Kernel, random_network};
    use super::*;

    /// Whatever is asked for in whatever order, sums kept are sums made anew,
    /// and the sides are treated alike.
    #[test]
    fn kept_sums_are_those_made_anew() {
        let mut rng = StdRng::seed_from_u64(8);
        let network = random_network(1);
        let portable = network.with_kernel(Kernel::Portable);
        for _ in 0..20 {
            let mut path = vec![Position::start()];
            let mut kept = Evaluator::new(&network, &path[0]);
            for _ in 0..300 {
                // Forward, or back by some plies as a search goes.
                let back = rng.random_range(0..8usize).saturating_sub(4);
                path.truncate(path.len().saturating_sub(back).max(1));
                let position = path[path.len() - 1];
                if let Some(&mv) = position.legal_moves().choose(&mut rng)
                    && path.len() < usize::from(MAX_PLY)
                {
                    path.push(position.play(mv));
                } else {
                    path.truncate(1);
                }
                if rng.random_bool(0.7) {
                    let position = path[path.len() - 1];
                    let ply = Ply(path.len() as u16 - 1);
                    let worth = network.evaluate(&position);
                    assert_eq!(kept.evaluate(&position, ply), worth, "{position}");
                    assert_eq!(portable.evaluate(&position), worth, "{position}");
                    assert_eq!(network.evaluate(&position.flipped()), worth, "{position}");
                }
            }
        }
    }
}
