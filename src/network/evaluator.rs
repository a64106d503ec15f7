//! Judging position after position, as a search meets them.

use super::Network;
use super::accumulator::{Accumulator, MOST_DIFFERENCES};
use crate::distance::{MAX_PLY, Ply};
use crate::position::{PieceKind, Point, Position};

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
        let near = self.nearest(position, ply);
        if near == ply {
            if self.plies[ply].position.differing_points(position).any() {
                let base = self.plies[ply].clone();
                self.plies[ply].follow(self.network, &base, position);
            }
        } else {
            let (before, rest) = self.plies.split_at_mut(ply);
            rest[0].follow(self.network, &before[near], position);
        }
        let own = position.side_to_move();
        let sums = &self.plies[ply];
        self.network.output(sums.sums(own), sums.sums(!own), position.occupied().len())
    }

    /// The ply, of those near, whose sums were made for the most similar
    /// position.
    fn nearest(&self, position: &Position, ply: usize) -> usize {
        let mut nearest = (MOST_DIFFERENCES as u32, ply);
        for back in [1, 0, 2] {
            let Some(candidate) = ply.checked_sub(back) else { continue };
            let differences = self.plies[candidate].position.differing_points(position).len();
            if differences <= MOVE_DIFFERENCES {
                return candidate;
            }
            nearest = nearest.min((differences, candidate));
        }
        nearest.1
    }
}

impl Network {
    /// What a position is worth to the side to move, in centipawns, all sums
    /// made anew.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_without(position, None)
    }

    /// What the man on a point is worth to its side, in centipawns: how much
    /// the side would lose without it. Nothing of kings and empty points.
    pub fn worth_of_man(&self, position: &Position, point: Point) -> Option<i32> {
        let man = position.piece_on(point).filter(|man| man.kind != PieceKind::King)?;
        let lost = self.evaluate(position) - self.evaluate_without(position, Some(point));
        Some(if man.color == position.side_to_move() { lost } else { -lost })
    }

    /// The same as if a man, not a king, were missing.
    fn evaluate_without(&self, position: &Position, left_out: Option<Point>) -> i32 {
        let sums = Accumulator::without(self, position, left_out);
        let own = position.side_to_move();
        let men = position.occupied().len() - u32::from(left_out.is_some());
        self.output(sums.sums(own), sums.sums(!own), men)
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
