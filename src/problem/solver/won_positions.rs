//! The positions that are won, shared by threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use qirkat_game::Key;

/// What is known of a position that is won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Won {
    /// At most so many plies to the end. It falls along a proof.
    pub plies: u16,
    /// At most so many plies to the next jump, step forward or end.
    pub progress: u16,
}

/// Parts with a lock each, so that threads seldom wait for one another.
const SHARDS: usize = 64;
/// Bits of a key that neither the place in a part nor the test there needs.
const SHARD_AT: u32 = 40;

type Shard = HashTable<(Key, Won)>;

/// The positions that are won, for the whole of a proof: nothing is given up for others. They
/// are found by the keys of nodes, which no two share.
pub struct WonPositions {
    shards: Vec<RwLock<Shard>>,
    len: AtomicUsize,
}

impl Default for WonPositions {
    fn default() -> WonPositions {
        let shards = (0..SHARDS).map(|_| RwLock::default()).collect();
        WonPositions { shards, len: AtomicUsize::new(0) }
    }
}

impl WonPositions {
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    pub fn get(&self, key: Key) -> Option<Won> {
        let shard = self.shard(key).read().unwrap_or_else(PoisonError::into_inner);
        shard.find(key.0, |&(other, _)| other == key).map(|&(_, won)| won)
    }

    /// Adds a position. Of one that is there the least numbers stay: what was found with less
    /// on the clock may end sooner.
    pub fn insert(&self, key: Key, won: Won) {
        let mut shard = self.shard(key).write().unwrap_or_else(PoisonError::into_inner);
        match shard.entry(key.0, |&(other, _)| other == key, |&(other, _)| other.0) {
            Entry::Occupied(mut kept) => {
                let kept = &mut kept.get_mut().1;
                kept.plies = kept.plies.min(won.plies);
                kept.progress = kept.progress.min(won.progress);
            }
            Entry::Vacant(place) => {
                place.insert((key, won));
                self.len.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// All of them, part by part, while others may be added.
    pub fn for_each(&self, visit: &mut dyn FnMut(Key, Won)) {
        for shard in &self.shards {
            let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
            shard.iter().for_each(|&(key, won)| visit(key, won));
        }
    }

    fn shard(&self, key: Key) -> &RwLock<Shard> {
        &self.shards[(key.0 >> SHARD_AT) as usize % SHARDS]
    }
}
