//! A table of bounded size for proofs of positions, and for the proof and disproof numbers of a
//! depth-first search (L. V. Allis, M. van der Meulen, H. J. van den Herik, "Proof-number search",
//! 1994).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use derive_more::Debug;
use qirkat_game::{Key, PackedMove};
use qirkat_system::machine::TableMemoryError;

/// A lockless hash table of proofs, shared by all threads: an entry is its data, and its key xor
/// its data, so that a torn entry is detected (R. Hyatt, T. Mann, "A lock-less transposition table
/// implementation for parallel search chess engines", 2002). Keys have 64 bits and are compared in
/// full: a hit is taken as proved.
#[derive(Debug)]
#[debug("ProofTable of {} entries", self.entries())]
pub struct ProofTable {
    words: Box<[AtomicU64]>,
    clusters: usize,
    generation: AtomicU8,
}

const WORDS_PER_ENTRY: usize = 2;
const WORDS_PER_CLUSTER: usize = 4 * WORDS_PER_ENTRY;
const BYTES_PER_MEGABYTE: usize = 1 << 20;
// Data of an entry: effort (the bit length of the nodes spent), payload, generation.
const EFFORT_BITS: u32 = 8;
const PAYLOAD_MASK: u64 = (1 << 48) - 1;
const GENERATION_SHIFT: u32 = 56;
/// The replacement penalty of an entry from an earlier problem.
const AGE_PENALTY: i32 = 64;

/// What is known of a position, by the number of moves to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record {
    /// The aim is not reached in fewer moves than this.
    pub fails_below: u8,
    /// It is reached with this many moves to go, and so with more; [`Record::NEVER`] if unknown.
    pub works_from: u8,
    pub best: PackedMove,
}

impl Record {
    pub const NEVER: u8 = u8::MAX;
    pub const UNKNOWN: Record =
        Record { fails_below: 0, works_from: Record::NEVER, best: PackedMove::NONE };

    /// Whether the aim is reached in this many moves, if known.
    #[inline]
    pub fn answer(self, moves: u8) -> Option<bool> {
        let works = self.works_from <= moves;
        (works || moves < self.fails_below).then_some(works)
    }

    /// With this result for this many moves added.
    #[inline]
    pub fn with(self, moves: u8, works: bool) -> Record {
        if works {
            Record { works_from: self.works_from.min(moves), ..self }
        } else {
            Record { fails_below: self.fails_below.max(moves.saturating_add(1)), ..self }
        }
    }

    const fn pack(self) -> u64 {
        self.fails_below as u64 | (self.works_from as u64) << 8 | (self.best.0 as u64) << 16
    }

    const fn unpack(payload: u64) -> Record {
        Record {
            fails_below: payload as u8,
            works_from: (payload >> 8) as u8,
            best: PackedMove((payload >> 16) as u16),
        }
    }
}

pub(super) const fn salted(key: Key, number: u64) -> Key {
    Key(key.0 ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

impl ProofTable {
    /// An empty table of at most this many megabytes.
    pub fn new(megabytes: usize) -> Result<ProofTable, TableMemoryError> {
        let bytes = megabytes.max(1).saturating_mul(BYTES_PER_MEGABYTE);
        let clusters = bytes / (WORDS_PER_CLUSTER * size_of::<u64>());
        let words = bytemuck::try_zeroed_slice_box(clusters * WORDS_PER_CLUSTER)
            .map_err(|()| TableMemoryError(megabytes))?;
        Ok(ProofTable { words, clusters, generation: AtomicU8::new(1) })
    }

    pub fn entries(&self) -> usize {
        self.words.len() / WORDS_PER_ENTRY
    }

    /// The stored numbers, each with its key and roughly the nodes spent (at least half of them).
    pub fn stored_numbers(&self) -> impl Iterator<Item = (Key, ProofNumbers, u64)> {
        self.words.chunks_exact(WORDS_PER_ENTRY).filter_map(|entry| {
            let data = entry[1].load(Ordering::Relaxed);
            let key = Key(entry[0].load(Ordering::Relaxed) ^ data);
            let numbers = ProofNumbers::unpack(data >> EFFORT_BITS & PAYLOAD_MASK);
            let nodes =
                1_u64.checked_shl((data as u8).saturating_sub(1).into()).unwrap_or(u64::MAX);
            (data != 0).then_some((key, numbers, nodes))
        })
    }

    /// Begins a new problem: entries of earlier ones are replaced first.
    pub(super) fn age(&self) {
        let next = self.generation.load(Ordering::Relaxed).wrapping_add(1).max(1);
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn probe(&self, key: Key) -> Record {
        self.payload(key).map_or(Record::UNKNOWN, Record::unpack)
    }

    /// Stores the record of a position, which took this many nodes.
    pub(super) fn store(&self, key: Key, record: Record, nodes: u64) {
        self.put(key, record.pack(), nodes);
    }

    #[inline]
    pub fn numbers(&self, key: Key) -> Option<ProofNumbers> {
        self.payload(key).map(ProofNumbers::unpack)
    }

    /// Stores the proof numbers of a position, which took this many nodes.
    pub fn store_numbers(&self, key: Key, numbers: ProofNumbers, nodes: u64) {
        self.put(key, numbers.pack(), nodes);
    }

    #[inline]
    fn payload(&self, key: Key) -> Option<u64> {
        for entry in self.cluster_of(key).chunks_exact(WORDS_PER_ENTRY) {
            let data = entry[1].load(Ordering::Relaxed);
            // A generation is never zero, so an empty entry never matches.
            if entry[0].load(Ordering::Relaxed) ^ data == key.0 && data != 0 {
                return Some(data >> EFFORT_BITS & PAYLOAD_MASK);
            }
        }
        None
    }

    fn put(&self, key: Key, payload: u64, nodes: u64) {
        let cluster = self.cluster_of(key);
        let generation = self.generation.load(Ordering::Relaxed);
        let (mut slot, mut least) = (0, i32::MAX);
        for (index, entry) in cluster.chunks_exact(WORDS_PER_ENTRY).enumerate() {
            let data = entry[1].load(Ordering::Relaxed);
            if entry[0].load(Ordering::Relaxed) ^ data == key.0 {
                slot = index;
                break;
            }
            let is_old = (data >> GENERATION_SHIFT) as u8 != generation;
            let value = i32::from(data as u8) - if is_old { AGE_PENALTY } else { 0 };
            if value < least {
                (slot, least) = (index, value);
            }
        }
        let effort = (u64::BITS - nodes.leading_zeros()) as u8;
        let data =
            u64::from(effort) | payload << EFFORT_BITS | u64::from(generation) << GENERATION_SHIFT;
        cluster[slot * WORDS_PER_ENTRY].store(key.0 ^ data, Ordering::Relaxed);
        cluster[slot * WORDS_PER_ENTRY + 1].store(data, Ordering::Relaxed);
    }

    #[inline]
    fn cluster_of(&self, key: Key) -> &[AtomicU64] {
        // The high half of the product maps keys evenly to any number of clusters (D. Lemire, "Fast
        // random integer generation in an interval", 2019).
        let index = ((u128::from(key.0) * self.clusters as u128) >> 64) as usize;
        &self.words[index * WORDS_PER_CLUSTER..(index + 1) * WORDS_PER_CLUSTER]
    }
}

pub(super) const INFINITE: u32 = 1 << 30;

/// The numbers φ and δ of df-pn (Nagai): the least number of positions still to be decided for the
/// side to move to succeed, and for the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofNumbers {
    pub phi: u32,
    pub delta: u32,
}

impl ProofNumbers {
    /// The thresholds of a search until its position is decided.
    pub const NO_THRESHOLD: ProofNumbers = ProofNumbers { phi: INFINITE, delta: INFINITE };

    pub const fn decided(for_mover: bool) -> ProofNumbers {
        let (phi, delta) = if for_mover { (0, INFINITE) } else { (INFINITE, 0) };
        ProofNumbers { phi, delta }
    }

    pub const fn is_decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    pub const fn reaches(self, threshold: ProofNumbers) -> bool {
        self.phi >= threshold.phi || self.delta >= threshold.delta
    }

    /// A position's numbers from those of its branches: the mover must win one, the other side all.
    /// Without branches the mover has lost.
    pub fn from_branches(branches: impl Iterator<Item = ProofNumbers>) -> ProofNumbers {
        let (mut phi, mut delta) = (INFINITE, 0_u32);
        for branch in branches {
            phi = phi.min(branch.delta);
            delta = delta.saturating_add(branch.phi);
        }
        match phi {
            0 => ProofNumbers::decided(true),
            INFINITE => ProofNumbers::decided(false),
            // A large sum must not count as decided.
            _ => ProofNumbers { phi, delta: delta.min(INFINITE - 1) },
        }
    }

    /// The thresholds for the next branch to search, in a position with these numbers and threshold.
    /// `second` is the number of the second best branch. It may be exceeded by a quarter, so that
    /// the search does not switch back and forth (J. Pawlewicz, Ł. Lew, "Improving depth-first
    /// PN-search: 1+ε trick", 2006).
    pub fn branch_threshold(
        self,
        branch: ProofNumbers,
        threshold: ProofNumbers,
        second: u32,
    ) -> ProofNumbers {
        let rest = threshold.delta - (self.delta - branch.phi).min(threshold.delta);
        ProofNumbers {
            phi: if threshold.delta == INFINITE { INFINITE } else { rest },
            delta: threshold.phi.min(second.saturating_add(second / 4 + 1)),
        }
    }

    /// The branch nearest to a win for the mover, from each branch's [`ProofNumbers::delta`], and the
    /// number of the second best.
    pub fn most_proving(branches: impl Iterator<Item = u32>) -> Option<(usize, u32)> {
        let (mut best, mut second) = (None, INFINITE);
        for (at, delta) in branches.enumerate() {
            match best {
                Some((_, least)) if delta >= least => second = second.min(delta),
                Some((_, least)) => {
                    second = least;
                    best = Some((at, delta));
                }
                None => best = Some((at, delta)),
            }
        }
        best.map(|(at, _)| (at, second))
    }

    /// Packed to 19 significant bits: larger numbers are slightly rounded down.
    pub(super) const fn pack(self) -> u64 {
        packed(self.phi) | packed(self.delta) << NUMBER_BITS
    }

    pub(super) const fn unpack(bits: u64) -> ProofNumbers {
        ProofNumbers { phi: unpacked(bits), delta: unpacked(bits >> NUMBER_BITS) }
    }
}

/// Bits of a packed number: digits, and the exponent by which they are shifted.
const NUMBER_BITS: u32 = DIGITS + 5;
const DIGITS: u32 = 19;

const fn packed(number: u32) -> u64 {
    let shift = (u32::BITS - number.leading_zeros()).saturating_sub(DIGITS);
    (number >> shift) as u64 | (shift as u64) << DIGITS
}

const fn unpacked(bits: u64) -> u32 {
    let digits = (bits & ((1 << DIGITS) - 1)) as u32;
    digits << (bits >> DIGITS & 31)
}
