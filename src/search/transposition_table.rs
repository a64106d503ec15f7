//! The transposition table (TT): results of earlier searches, shared by all threads without locks.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Key, PackedMove, Searchable};
use qirkat_system::machine::{TableMemoryError, prefer_huge_pages};

/// A hash table of two 64-bit words per entry: data, and key xor data. A torn entry, written by two
/// threads at once, fails the key test and is ignored (R. Hyatt, T. Mann, "A lock-less
/// transposition table implementation for parallel search chess engines", 2002).
pub struct TranspositionTable {
    words: Box<[AtomicU64]>,
    /// Words before the first cluster, to align clusters with cache lines.
    offset: usize,
    clusters: usize,
    generation: AtomicU8,
}

const WORDS_PER_ENTRY: usize = 2;
/// Entries that a position may be stored in: one cache line.
const ENTRIES_PER_CLUSTER: usize = 4;
const WORDS_PER_CLUSTER: usize = WORDS_PER_ENTRY * ENTRIES_PER_CLUSTER;
const CLUSTER_BYTES: usize = WORDS_PER_CLUSTER * size_of::<u64>();
const BYTES_PER_MEGABYTE: usize = 1 << 20;
/// Depth by which an entry is devalued for each search since it was written.
const AGE_PENALTY: i32 = 8;
/// An entry of the same search is not replaced by one for the same position with this much less
/// depth, unless that is exact (after Stockfish).
const MUCH_DEEPER: i32 = 4;
/// Clusters sampled to estimate how full the table is.
const SAMPLED_CLUSTERS: usize = 250;

impl TranspositionTable {
    /// An empty table of at most this many megabytes.
    ///
    /// # Errors
    /// When there is too little memory.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, TableMemoryError> {
        let clusters =
            (megabytes.max(1).saturating_mul(BYTES_PER_MEGABYTE) / CLUSTER_BYTES).max(2) - 1;
        // The system zeroes pages on first use, so that even a huge table is created at once.
        let words: Box<[AtomicU64]> =
            bytemuck::try_zeroed_slice_box((clusters + 1) * WORDS_PER_CLUSTER)
                .map_err(|()| TableMemoryError(megabytes))?;
        prefer_huge_pages(&words);
        let offset = words.as_ptr().align_offset(CLUSTER_BYTES).min(WORDS_PER_CLUSTER);
        Ok(TranspositionTable { words, offset, clusters, generation: AtomicU8::new(0) })
    }

    /// A minimal table, for when there is no memory.
    pub(super) fn smallest() -> TranspositionTable {
        let words = (0..2 * WORDS_PER_CLUSTER).map(|_| AtomicU64::new(0)).collect();
        TranspositionTable { words, offset: 0, clusters: 1, generation: AtomicU8::new(0) }
    }

    /// Empties the table in its place, which is quicker than to have the system find and zero new
    /// memory. It also commits the memory of a new table: finding huge pages can take a while, which
    /// would cost time on the first move. Returns false, and changes nothing, for a table above 256 MB
    /// (too slow) and for the smallest (which replaced one that got no memory).
    pub(super) fn clear(&mut self) -> bool {
        let is_cleared = self.clusters > 1 && self.words.len() <= MAX_CLEARED + WORDS_PER_CLUSTER;
        if is_cleared {
            self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
            self.generation = AtomicU8::new(0);
        }
        is_cleared
    }

    /// Starts a new search: existing entries age.
    pub fn age(&self) {
        self.generation.store((self.generation() + 1) % GENERATIONS, Ordering::Relaxed);
    }

    #[inline]
    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    /// How much of the table this search has filled, in permille.
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

    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(self.cluster_of(key));
    }

    pub fn probe(&self, key: Key, ply: Ply) -> Option<TtEntry> {
        self.cluster_of(key).chunks_exact(WORDS_PER_ENTRY).find_map(|entry| {
            let packed = PackedEntry(entry[1].load(Ordering::Relaxed));
            let matches = entry[0].load(Ordering::Relaxed) ^ packed.0 == key.0;
            if matches { packed.unpack(ply) } else { None }
        })
    }

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
                let is_current = packed.generation() == generation;
                if is_current
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

/// Prefetches a cluster. An ordinary load would not do, even if its result is unused: later
/// instructions cannot retire before it, so the processor soon stalls.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "no safe interface to the instruction; worth 4 % of the speed")]
#[inline]
fn prefetch(cluster: &[AtomicU64]) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing that the program sees, and no address makes it fail.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.as_ptr().cast()) }
}

/// Prefetches a cluster by an unused load, where there is no prefetch instruction.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn prefetch(cluster: &[AtomicU64]) {
    std::hint::black_box(cluster[0].load(Ordering::Relaxed));
}

/// Scales a hash to a number below `count`. The high half of the product spreads evenly for any
/// count (D. Lemire, "Fast random integer generation in an interval", 2019).
#[cfg(not(target_pointer_width = "32"))]
#[inline]
fn scaled(hash: u64, count: usize) -> usize {
    ((u128::from(hash) * count as u128) >> 64) as usize
}

/// The same with two 64-bit products, since a 128-bit product is a function call here.
#[cfg(target_pointer_width = "32")]
#[inline]
fn scaled(hash: u64, count: usize) -> usize {
    let (high, low) = (hash >> 32, hash & u64::from(u32::MAX));
    ((high * count as u64 + (low * count as u64 >> 32)) >> 32) as usize
}

/// The largest table that `clear` empties in place, 256 MB, in words.
const MAX_CLEARED: usize = (256 * BYTES_PER_MEGABYTE) / size_of::<u64>();

/// The number of generations before they wrap around.
pub(super) const GENERATIONS: u8 = 32;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    Exact,
}

/// An entry of the transposition table: the result of an earlier search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TtEntry {
    /// The best move, not necessarily legal here (keys can collide), or [`PackedMove::NONE`].
    pub mv: PackedMove,
    pub score: Score,
    pub bound: Bound,
    pub depth: Depth,
    /// The static evaluation; none if the side to move must respond, or it was not computed.
    pub evaluation: Option<Score>,
    /// Whether the position has been part of a PV.
    pub tt_pv: bool,
}

/// An entry's data in one word: move in bits 0–15, score in 16–31, depth in
/// 32–39, bound in 40–41 (0 is no entry), principal variation in 42,
/// generation in 43–47, evaluation in 48–63.
#[derive(Clone, Copy)]
pub(super) struct PackedEntry(pub u64);

/// Marks a missing evaluation; no score has this value.
const NO_EVALUATION: i16 = i16::MIN;

impl PackedEntry {
    #[inline]
    pub fn new(entry: &TtEntry, mv: PackedMove, ply: Ply, generation: u8) -> PackedEntry {
        let bound: u64 = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let score = entry.score.to_tt(ply) as u16;
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
            score: Score::from_tt((self.0 >> 16) as i16, ply),
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

/// From this many reversible plies on, the 100-ply counter is part of the key: the draw is near.
const COUNTER_IN_KEY_FROM: usize = 60;
/// A large odd number that separates the keys of different counters.
const COUNTER_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Separates the keys of searches without pruning.
const FULL_WIDTH: u64 = 0xD1B5_4A32_D192_ED03;

#[derive(Clone, Copy)]
pub(super) struct TtAccess<'a> {
    tt: &'a TranspositionTable,
    /// Mixed into every key.
    salt: u64,
}

impl<'a> TtAccess<'a> {
    /// A full-width search must prove its results, so it uses no entries of searches that prune. A
    /// weaker player's search uses only entries stored with its own seed, since it overlooks moves.
    pub fn new(
        tt: &'a TranspositionTable,
        full_width: bool,
        weak_seed: Option<u64>,
    ) -> TtAccess<'a> {
        let width = if full_width { FULL_WIDTH } else { 0 };
        let weak = weak_seed.map_or(0, |mut seed| splitmix64(&mut seed));
        TtAccess { tt, salt: width ^ weak }
    }

    #[inline]
    pub fn probe<G: Searchable>(self, position: &G, ply: Ply) -> Option<TtEntry> {
        let entry = self.tt.probe(self.key(position), ply)?;
        Some(if is_beyond_100_ply_draw(position, ply, entry.score) {
            entry.without_score()
        } else {
            entry
        })
    }

    #[inline]
    pub fn store<G: Searchable>(self, position: &G, ply: Ply, entry: TtEntry) {
        self.tt.store(self.key(position), ply, entry);
    }

    #[inline]
    pub fn prefetch<G: Searchable>(self, position: &G) {
        self.tt.prefetch(self.key(position));
    }

    /// Prefetches for the position after a move, long before it is made. Only where the processor
    /// has an instruction for it: loads for all captures would stall later instructions.
    #[inline]
    pub fn prefetch_after<G: Searchable>(self, position: &G, mv: G::Move) {
        if cfg!(target_arch = "x86_64")
            && let Some(key) = position.key_after(mv)
        {
            self.tt.prefetch(Key(key.0 ^ self.salt));
        }
    }

    #[inline]
    fn key<G: Searchable>(self, position: &G) -> Key {
        let plies = position.reversible_plies();
        let counter = if plies < COUNTER_IN_KEY_FROM { 0 } else { plies as u64 };
        Key(position.key().0 ^ self.salt ^ counter.wrapping_mul(COUNTER_STEP))
    }
}

/// Whether a mate stored with another 100-ply counter may come after the draw (as in Stockfish).
#[inline]
fn is_beyond_100_ply_draw<G: Searchable>(position: &G, ply: Ply, score: Score) -> bool {
    score.plies_to_mate().is_some_and(|from_root| {
        position.reversible_plies() < COUNTER_IN_KEY_FROM
            && from_root.unsigned_abs() > ply.0.saturating_add(position.plies_to_100_ply_draw())
    })
}

impl TtEntry {
    fn without_score(self) -> TtEntry {
        TtEntry { score: Score::LOWEST, bound: Bound::Lower, ..self }
    }

    /// The stored score if it contradicts the evaluation, otherwise the evaluation.
    pub(super) fn refine(&self, evaluation: Score) -> Score {
        let says_more = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > evaluation,
            Bound::Upper => self.score < evaluation,
        };
        if says_more { self.score } else { evaluation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::Rules;
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
    fn stored_entries_are_found() {
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
    fn storing_no_move_keeps_the_old_move() {
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
    fn hashfull_counts_used_entries() {
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
    fn impossible_sizes_are_rejected() {
        assert!(TranspositionTable::new(usize::MAX / BYTES_PER_MEGABYTE).is_err());
    }

    /// A mate stored with a low clock is rejected where the game would be drawn first.
    #[test]
    fn mates_after_the_100th_ply_are_rejected() {
        let position = |clock: u16| {
            let fen = format!("4k4/9/9/9/9/9/9/9/R3K4 w - - {clock} 60");
            Position::from_fen(&fen).expect("a good FEN").position
        };
        let table = TranspositionTable::new(1).expect("a megabyte is there");
        let table = TtAccess::new(&table, false, None);
        for score in [Score::mating_at(Ply(61)), Score::mated_at(Ply(62))] {
            table.store(&position(0), Ply::ROOT, TtEntry { score, ..PLAIN });
            for (clock, believed) in [(0, true), (38, true), (39, score.is_win()), (45, false)] {
                let here = position(clock);
                let probed = table.probe(&here, Ply::ROOT).expect("it was kept");
                assert_eq!(probed.score == score, believed, "{score} at clock {clock}");
                // Found further from the root, it is no nearer to the draw.
                let later = table.probe(&here, Ply(7)).expect("it was kept");
                assert_eq!(later.score != Score::LOWEST, believed);
            }
        }
    }
}
