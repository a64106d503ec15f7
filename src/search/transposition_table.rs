//! The transposition table (TT): the results of earlier searches, shared by all
//! threads without locks.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::tt_entry::{Bound, GENERATIONS, PackedEntry, TtEntry};
use qirkat_game::distance::Ply;
use qirkat_game::{Key, PackedMove};
use qirkat_system::machine::{TableMemoryError, prefer_huge_pages};

/// A hash table of two 64-bit words an entry: data, and key xor data. A torn
/// entry, written by two threads at once, fails the key test and is ignored
/// (R. Hyatt, T. Mann, "A lock-less transposition table implementation for
/// parallel search chess engines", 2002).
pub struct TranspositionTable {
    words: Box<[AtomicU64]>,
    /// Words before the first cluster, so that clusters start a cache line.
    offset: usize,
    clusters: usize,
    generation: AtomicU8,
}

const WORDS_PER_ENTRY: usize = 2;
/// Entries that a position may be kept in: one cache line.
const ENTRIES_PER_CLUSTER: usize = 4;
const WORDS_PER_CLUSTER: usize = WORDS_PER_ENTRY * ENTRIES_PER_CLUSTER;
const CLUSTER_BYTES: usize = WORDS_PER_CLUSTER * size_of::<u64>();
const BYTES_PER_MEGABYTE: usize = 1 << 20;
/// Depth that an entry loses in value for each search since it was written.
const AGE_PENALTY: i32 = 8;
/// An entry of the same search is not replaced by one for the same position of this many
/// plies less depth, unless that is exact (after Stockfish).
const MUCH_DEEPER: i32 = 4;
/// Clusters sampled to estimate how full the table is.
const SAMPLED_CLUSTERS: usize = 250;

impl TranspositionTable {
    /// An empty table of at most this many megabytes.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, TableMemoryError> {
        let clusters =
            (megabytes.max(1).saturating_mul(BYTES_PER_MEGABYTE) / CLUSTER_BYTES).max(2) - 1;
        TranspositionTable::of_clusters(clusters).ok_or(TableMemoryError(megabytes))
    }

    /// A table of next to nothing, for when there is no memory at all.
    pub(super) fn smallest() -> TranspositionTable {
        let words = (0..2 * WORDS_PER_CLUSTER).map(|_| AtomicU64::new(0)).collect();
        TranspositionTable { words, offset: 0, clusters: 1, generation: AtomicU8::new(0) }
    }

    fn of_clusters(clusters: usize) -> Option<TranspositionTable> {
        // Zeroed by the operating system when first touched, so that even a
        // huge table is there at once.
        let words: Box<[AtomicU64]> =
            bytemuck::try_zeroed_slice_box(clusters * WORDS_PER_CLUSTER + WORDS_PER_CLUSTER)
                .ok()?;
        prefer_huge_pages(&words);
        let table = TranspositionTable { words, offset: 0, clusters, generation: AtomicU8::new(0) };
        let offset = table.words.as_ptr().align_offset(CLUSTER_BYTES).min(WORDS_PER_CLUSTER);
        Some(TranspositionTable { offset, ..table })
    }

    /// Has the system find the memory of an empty table now: to make room for a huge page
    /// can take it a while, which would come off the clock of the first move.
    pub(super) fn touch(&self) {
        if self.words.len() <= WORDS_TOUCHED + WORDS_PER_CLUSTER {
            for word in self.words.iter().step_by(WORDS_PER_PAGE) {
                word.store(0, Ordering::Relaxed);
            }
        }
    }

    /// Starts a new search: what is in the table ages.
    pub fn age(&self) {
        self.generation.store((self.generation() + 1) % GENERATIONS, Ordering::Relaxed);
    }

    #[inline]
    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    /// The part of the table, in thousandths, that this search has filled.
    pub fn hashfull(&self) -> u32 {
        let sampled = self.clusters.min(SAMPLED_CLUSTERS);
        let generation = self.generation();
        let used = (0..sampled)
            .flat_map(|index| self.cluster(index).chunks_exact(WORDS_PER_ENTRY))
            .map(|entry| PackedEntry(entry[1].load(Ordering::Relaxed)))
            .filter(|packed| packed.0 != 0 && packed.generation() == generation)
            .count();
        (used * 1000 / (sampled * ENTRIES_PER_CLUSTER)) as u32
    }

    /// Prefetches a position's cluster into the processor's cache.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(self.cluster_of(key));
    }

    /// Looks a position up, `ply` plies from the root.
    pub fn probe(&self, key: Key, ply: Ply) -> Option<TtEntry> {
        self.cluster_of(key).chunks_exact(WORDS_PER_ENTRY).find_map(|entry| {
            let packed = PackedEntry(entry[1].load(Ordering::Relaxed));
            let matches = entry[0].load(Ordering::Relaxed) ^ packed.0 == key.0;
            if matches { packed.unpack(ply) } else { None }
        })
    }

    /// Keeps what a search of a position, `ply` plies from the root, found.
    pub fn store(&self, key: Key, ply: Ply, entry: TtEntry) {
        let cluster = self.cluster_of(key);
        let generation = self.generation();
        let mut slot = 0;
        let mut least_value = i32::MAX;
        let mut old_move = PackedMove::NONE;
        for (index, words) in cluster.chunks_exact(WORDS_PER_ENTRY).enumerate() {
            let packed = PackedEntry(words[1].load(Ordering::Relaxed));
            if words[0].load(Ordering::Relaxed) ^ packed.0 == key.0 {
                slot = index;
                old_move = packed.mv();
                let is_of_now = packed.generation() == generation;
                if is_of_now
                    && packed.depth() >= entry.depth.plies() + MUCH_DEEPER
                    && entry.bound != Bound::Exact
                {
                    return;
                }
                break;
            }
            let age = (GENERATIONS + generation - packed.generation()) % GENERATIONS;
            let value = packed.depth() - AGE_PENALTY * i32::from(age);
            if value < least_value {
                least_value = value;
                slot = index;
            }
        }
        let mv = if entry.mv == PackedMove::NONE { old_move } else { entry.mv };
        let packed = PackedEntry::new(&entry, mv, ply, generation);
        cluster[slot * WORDS_PER_ENTRY].store(key.0 ^ packed.0, Ordering::Relaxed);
        cluster[slot * WORDS_PER_ENTRY + 1].store(packed.0, Ordering::Relaxed);
    }

    #[inline]
    fn cluster_of(&self, key: Key) -> &[AtomicU64] {
        self.cluster(scaled(key.0, self.clusters))
    }

    #[inline]
    fn cluster(&self, index: usize) -> &[AtomicU64] {
        let start = self.offset + index * WORDS_PER_CLUSTER;
        &self.words[start..start + WORDS_PER_CLUSTER]
    }
}

/// Starts to load a cluster into the cache. An ordinary load whose result nobody uses would
/// not do: what comes after it cannot retire before it, so the processor soon waits for it.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "no safe interface to the instruction; worth 4 % of the speed")]
#[inline]
fn prefetch(cluster: &[AtomicU64]) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing that the program sees, and no address makes it fail.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.as_ptr().cast()) }
}

/// Starts to load a cluster into the cache: without an instruction for it, by a load whose result
/// nobody uses.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn prefetch(cluster: &[AtomicU64]) {
    std::hint::black_box(cluster[0].load(Ordering::Relaxed));
}

/// A hash scaled down to a number below `count`. The high half of the product spreads any
/// count evenly (D. Lemire, "Fast random integer generation in an interval", 2019).
#[cfg(not(target_pointer_width = "32"))]
#[inline]
fn scaled(hash: u64, count: usize) -> usize {
    ((u128::from(hash) * count as u128) >> 64) as usize
}

/// The same by two products of 64 bits, since a product of 128 is a function call here.
#[cfg(target_pointer_width = "32")]
#[inline]
fn scaled(hash: u64, count: usize) -> usize {
    let (high, low) = (hash >> 32, hash & u64::from(u32::MAX));
    ((high * count as u64 + (low * count as u64 >> 32)) >> 32) as usize
}

/// Tables up to this size are touched when they are made, 256 MB. Larger ones
/// get their memory as it is needed, so that they too are there at once.
const WORDS_TOUCHED: usize = (256 * BYTES_PER_MEGABYTE) / size_of::<u64>();
/// Words between two touches: no page is smaller.
const WORDS_PER_PAGE: usize = 4096 / size_of::<u64>();

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::Rules;
    use qirkat_game::distance::Depth;
    use qirkat_game::score::Score;
    use qirkat_rules::chesquerque::Position;

    const PLAIN: TtEntry = TtEntry {
        mv: PackedMove::NONE,
        score: Score::DRAW,
        bound: Bound::Exact,
        depth: Depth(2),
        evaluation: None,
        tt_pv: false,
    };

    #[test]
    fn entries_are_found_again() {
        let table = TranspositionTable::new(1).expect("a megabyte is there");
        let position = Position::start();
        assert_eq!(table.probe(position.key(), Ply(3)), None);
        for mv in position.legal_moves() {
            let entry = TtEntry {
                mv: mv.pack(),
                score: Score::mating_at(Ply(9)),
                bound: Bound::Lower,
                depth: Depth(12),
                evaluation: Some(Score::centipawns(-17)),
                tt_pv: true,
            };
            let key = position.after(mv).key();
            table.store(key, Ply(3), entry);
            assert_eq!(table.probe(key, Ply(3)), Some(entry));
        }
    }

    #[test]
    fn a_store_without_a_move_keeps_the_old_one() {
        let table = TranspositionTable::new(1).expect("a megabyte is there");
        let position = Position::start();
        let mv = position.legal_moves()[0];
        let mut entry = TtEntry { mv: mv.pack(), ..PLAIN };
        table.store(position.key(), Ply::ROOT, entry);
        entry.mv = PackedMove::NONE;
        table.store(position.key(), Ply::ROOT, entry);
        assert_eq!(table.probe(position.key(), Ply::ROOT).map(|entry| entry.mv), Some(mv.pack()));
    }

    #[test]
    fn a_full_table_reports_itself_full() {
        let table = TranspositionTable::new(1).expect("a megabyte is there");
        table.age();
        assert_eq!(table.hashfull(), 0);
        let mut key = Key(1);
        for _ in 0..400_000 {
            key.0 = key.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            table.store(key, Ply::ROOT, PLAIN);
        }
        assert!(table.hashfull() > 900);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(TranspositionTable::new(usize::MAX / BYTES_PER_MEGABYTE).is_err());
    }
}
