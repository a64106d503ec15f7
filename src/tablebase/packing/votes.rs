//! Distances that the neighbours of a cell name.

use arrayvec::ArrayVec;

/// Distances that are named, each once, with how much it counts.
#[derive(Default)]
pub struct Votes(ArrayVec<(u16, u32), 16>);

impl Votes {
    /// A distance is named.
    #[inline]
    pub fn add(&mut self, distance: u16, votes: u32) {
        if let Some(known) = self.0.iter_mut().find(|known| known.0 == distance) {
            known.1 += votes;
        } else if !self.0.is_full() {
            self.0.push((distance, votes));
        }
    }

    /// Whether none is named.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The most named of those from a place on, which is brought there.
    #[inline]
    pub fn best_from(&mut self, place: usize) -> Option<u16> {
        let mut best = place;
        for at in place..self.0.len() {
            if self.0[at].1 > self.0[best].1 {
                best = at;
            }
        }
        if best < self.0.len() {
            self.0.swap(place, best);
        }
        self.0.get(place).map(|vote| vote.0)
    }

    /// All that are named; those that were asked for come first.
    pub fn named(&self) -> impl Iterator<Item = u16> {
        self.0.iter().map(|vote| vote.0)
    }
}
