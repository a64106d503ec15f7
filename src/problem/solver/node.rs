//! Positions of the search: how the clock and the game's history affect them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{DRAWING_PLIES, GameState, Key, Rules};
use qirkat_rules::alquerque::{Position, State};

/// The longest run of plies along ranks that is searched: enough for every known win. A higher
/// limit would find no more.
pub const LONGEST_RUN: u16 = 16;

/// A position with the plies since the last jump or step forward, as a unique number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(u64);

/// Added to a run that began before the root position: longer than any run.
const RUN_BEFORE_ROOT: u64 = 64;
const FILES: u32 = 5;
const RANKS: u32 = 5;
const RANK: u64 = (1 << FILES) - 1;
/// Ways to place men of both sides on a rank.
const WAYS: u64 = 3_u64.pow(FILES);
/// Bits for the men on the board.
const MEN_BITS: u32 = (WAYS.pow(RANKS) - 1).ilog2() + 1;
/// Bits of a state besides the men: forbidden steps and the side to move.
const STEP_AND_SIDE_BITS: u32 = 13;
const RUN_AT: u32 = MEN_BITS + STEP_AND_SIDE_BITS;

/// One side's men on a rank as a base-3 number, a digit per file.
const THREES: [u8; 1 << FILES] = {
    let mut threes = [0; 1 << FILES];
    let mut men = 1;
    while men < threes.len() {
        threes[men] = threes[men >> 1] * 3 + (men & 1) as u8;
        men += 1;
    }
    threes
};

impl Node {
    /// A position right after a jump or step forward.
    pub fn fresh(state: State) -> Node {
        let State(bits) = state;
        let men = (0..RANKS).rev().fold(0, |men, rank| {
            let of = |side: u64| u64::from(THREES[(side >> (rank * FILES) & RANK) as usize]);
            men * WAYS + of(bits) + 2 * of(bits >> (FILES * RANKS))
        });
        Node(men | bits >> (2 * FILES * RANKS) << MEN_BITS)
    }

    pub fn after(self, next: &Position) -> Node {
        let run = if next.halfmove_clock() == 0 { 0 } else { (self.0 >> RUN_AT) + 1 };
        Node(Node::fresh(next.state()).0 | run << RUN_AT)
    }

    /// The same position right after a jump or step forward.
    pub fn refreshed(self) -> Node {
        Node(self.0 & ((1 << RUN_AT) - 1))
    }

    /// Whether the game's history counts here: no jump or step forward since the root.
    pub fn history_counts(self) -> bool {
        self.0 >> RUN_AT >= RUN_BEFORE_ROOT
    }

    /// Plies along ranks so far in the search.
    fn run(self) -> u16 {
        (self.0 >> RUN_AT) as u16 % RUN_BEFORE_ROOT as u16
    }

    /// The number, spread over all bits by invertible steps, so keys are unique.
    pub fn key(self) -> Key {
        Key(splitmix64(&mut { self.0 }))
    }
}

/// The game before the root position, as far as it counts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlayedPositions {
    clock: u16,
    /// Positions that occurred twice: the third time is a draw.
    repeated: Vec<Node>,
}

impl PlayedPositions {
    pub fn of(game: &GameState<Position>) -> PlayedPositions {
        let mut positions = vec![*game.start()];
        for &mv in game.moves() {
            positions.push(positions[positions.len() - 1].after(mv));
        }
        let clock = game.position().halfmove_clock();
        let mut times: HashMap<Node, usize> = HashMap::new();
        for position in positions.iter().rev().take(usize::from(clock) + 1) {
            *times.entry(Node::fresh(position.state())).or_default() += 1;
        }
        let repeated = times.into_iter().filter(|&(_, times)| times >= 2);
        let mut repeated: Vec<Node> = repeated.map(|(node, _)| node).collect();
        repeated.sort_unstable();
        PlayedPositions { clock, repeated }
    }

    /// Bytes that identify the game's history.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let repeated = self.repeated.iter().flat_map(|node| node.0.to_le_bytes());
        self.clock.to_le_bytes().into_iter().chain(repeated).collect()
    }

    pub fn has_repeated(&self) -> bool {
        !self.repeated.is_empty()
    }

    pub fn halfmove_clock(&self) -> u16 {
        self.clock
    }

    pub(crate) fn node(&self, position: &Position) -> Node {
        let run = if self.clock > 0 { RUN_BEFORE_ROOT } else { 0 };
        Node(Node::fresh(position.state()).0 | run << RUN_AT)
    }

    pub(crate) fn clock_at(&self, node: Node) -> u16 {
        node.run() + if node.history_counts() { self.clock } else { 0 }
    }

    /// Whether the game is drawn there, or the run exceeds [`LONGEST_RUN`].
    pub(crate) fn ends_at(&self, node: Node) -> bool {
        let run = node.run();
        let is_repeated = || self.repeated.binary_search(&node.refreshed()).is_ok();
        run > LONGEST_RUN
            || run > 0
                && node.history_counts()
                && (self.clock_at(node) >= DRAWING_PLIES || is_repeated())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Won {
    /// At most this many plies to the end. It decreases along a proof.
    pub plies: u16,
    /// At most this many plies to the next jump, step forward or end.
    pub progress: u16,
}

/// Shards with a lock each, so that threads seldom wait for one another.
const SHARDS: usize = 64;
/// Key bits that the hash table uses neither as index nor as tag.
const SHARD_AT: u32 = 40;

type Shard = HashTable<(Key, Won)>;

/// The won positions, by node keys, which are unique. No entry is ever evicted during a proof.
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

    /// Adds a position. If it is present, the smaller bounds are kept: a win found with a lower
    /// clock may end sooner.
    pub fn insert(&self, key: Key, won: Won) {
        let mut shard = self.shard(key).write().unwrap_or_else(PoisonError::into_inner);
        match shard.entry(key.0, |&(other, _)| other == key, |&(other, _)| other.0) {
            Entry::Occupied(mut kept) => {
                let kept = &mut kept.get_mut().1;
                kept.plies = kept.plies.min(won.plies);
                kept.progress = kept.progress.min(won.progress);
            }
            Entry::Vacant(entry) => {
                entry.insert((key, won));
                self.len.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Visits all, shard by shard, while others may be added.
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
