//! The distance to the end, from whole graphs of positions with the slow generator.

use std::collections::HashMap;

use super::slow::{Identity, Position as Slow};

/// A closed set of positions, and their results if the winner hurries and the loser delays. It
/// assumes no order of positions.
#[derive(Default)]
pub struct SlowTables {
    numbers: HashMap<Identity, usize>,
    positions: Vec<Slow>,
    before: Vec<Vec<usize>>,
    /// Moves not yet known to win for the other side.
    open: Vec<usize>,
    pub distances: Vec<Option<u32>>,
}

impl SlowTables {
    /// Solves all positions reachable from these.
    pub fn new(roots: impl Iterator<Item = Slow>) -> SlowTables {
        let mut tables = SlowTables::default();
        for root in roots {
            tables.number(root);
        }
        let mut at = 0;
        while at < tables.positions.len() {
            let position = tables.positions[at].clone();
            let moves = position.legal_moves();
            tables.open[at] = moves.len();
            for text in moves {
                let next = tables.number(position.play(&text).expect("a legal move"));
                tables.before[next].push(at);
            }
            at += 1;
        }
        tables.solve();
        tables
    }

    fn number(&mut self, position: Slow) -> usize {
        let next = self.positions.len();
        let number = *self.numbers.entry(position.identity()).or_insert(next);
        if number == next {
            self.positions.push(position);
            self.before.push(Vec::new());
            self.open.push(0);
            self.distances.push(None);
        }
        number
    }

    fn solve(&mut self) {
        let mut ended: Vec<usize> = (0..self.open.len()).filter(|&at| self.open[at] == 0).collect();
        for distance in 0.. {
            for &at in &ended {
                self.distances[at] = Some(distance);
            }
            let mut sooner = Vec::new();
            for next in ended {
                for &at in &self.before[next] {
                    // The first winning move, or the last of all losing ones.
                    let is_lost = distance % 2 == 1;
                    self.open[at] -= usize::from(is_lost);
                    if self.distances[at].is_none() && (!is_lost || self.open[at] == 0) {
                        sooner.push(at);
                    }
                }
            }
            sooner.sort_unstable();
            sooner.dedup();
            if sooner.is_empty() {
                return;
            }
            ended = sooner;
        }
    }

    /// The positions and their distances; none for a draw.
    pub fn all(&self) -> impl Iterator<Item = (&Slow, Option<u32>)> {
        self.positions.iter().zip(self.distances.iter().copied())
    }
}
