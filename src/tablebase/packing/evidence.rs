//! What a table has taught about how likely a yes is.
//!
//! A question is seen in several contexts. Each knows how often a yes has come in it, and
//! a [`Mixer`] makes one chance of what they know. What the whole table teaches is kept
//! with it, so that every block begins with that and learns on.

use super::mixer::{Mixer, stretch};
use super::range_coder::{BinaryCoder, Chance};
use qirkat_game::byte_reader::ByteReader;

/// Contexts of a question.
pub const CONTEXTS: usize = 7;
const SLOT_BITS: u32 = 12;
const SLOTS: usize = 1 << SLOT_BITS;
/// What the contexts know, and a constant.
const OPINIONS: usize = CONTEXTS + 1;
const CONSTANT: i32 = 64;
/// Sets of weights.
pub const SETS: usize = 9 * 16;
/// Questions that are seen in one context only.
pub const PLAIN: usize = 2048;
/// Bytes of evidence.
pub const SIZE: usize = CONTEXTS * SLOTS + PLAIN + 2 * SETS * OPINIONS;

/// What is known of all contexts.
#[derive(Clone)]
pub struct Evidence {
    slots: Vec<Chance>,
    plain: Vec<Chance>,
    mixer: Mixer<OPINIONS>,
}

impl Evidence {
    /// Nothing is known.
    pub fn new() -> Evidence {
        Evidence {
            slots: vec![Chance::EVEN; CONTEXTS * SLOTS],
            plain: vec![Chance::EVEN; PLAIN],
            mixer: Mixer::new(SETS),
        }
    }

    /// Codes the answer to a question by all contexts and a set of weights.
    #[inline]
    pub fn code(
        &mut self,
        coder: &mut impl BinaryCoder,
        contexts: &[u64; CONTEXTS],
        set: usize,
        yes: bool,
    ) -> bool {
        let mut opinions = [CONSTANT; OPINIONS];
        let mut places = [0; CONTEXTS];
        for (order, &context) in contexts.iter().enumerate() {
            places[order] = order * SLOTS + slot(context);
            opinions[order] = stretch(self.slots[places[order]]);
        }
        let chance = self.mixer.mix(set, &opinions);
        let yes = coder.code(yes, chance);
        self.mixer.learn(set, &opinions, chance, yes);
        for place in places {
            self.slots[place].learn(yes);
        }
        yes
    }

    /// Codes the answer to a question by one context.
    #[inline]
    pub fn code_plain(&mut self, coder: &mut impl BinaryCoder, context: usize, yes: bool) -> bool {
        self.plain[context % PLAIN].code(coder, yes)
    }

    /// As it lies in a file: each chance in a byte.
    #[cfg(any(test, feature = "table-generator"))]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            self.slots.iter().chain(&self.plain).map(|chance| chance.to_byte()).collect();
        let weights = self.mixer.weights().flat_map(|weight| weight.to_le_bytes());
        bytes.extend(weights);
        bytes
    }

    /// Reads it; what is missing is zero.
    pub fn from_bytes(bytes: &[u8]) -> Evidence {
        let mut reader = ByteReader(bytes);
        let mut chances =
            |count| (0..count).map(|_| Chance::from_byte(reader.take::<1>()[0])).collect();
        let (slots, plain) = (chances(CONTEXTS * SLOTS), chances(PLAIN));
        Evidence { slots, plain, mixer: Mixer::from_weights(SETS, || reader.u16() as i16) }
    }
}

/// A context with one more number in it.
#[inline]
pub const fn hash(context: u64, number: u64) -> u64 {
    // Fibonacci hashing.
    (context.rotate_left(23) ^ number).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Where a context is kept.
#[inline]
const fn slot(context: u64) -> usize {
    (context >> (u64::BITS - SLOT_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packing::range_coder::{RangeDecoder, RangeEncoder};
    use qirkat_game::splitmix::splitmix64;

    fn questions() -> impl Iterator<Item = ([u64; CONTEXTS], bool)> {
        let mut state = 9;
        (0..20_000).map(move |_| {
            let kind = splitmix64(&mut state) % 50;
            let contexts = std::array::from_fn(|order| hash(kind % (order as u64 + 2), kind));
            (contexts, kind.is_multiple_of(3))
        })
    }

    /// What was written with evidence out of a file is read with it, and takes little room.
    #[test]
    fn evidence_in_a_file_teaches() {
        let mut evidence = Evidence::new();
        let mut first = RangeEncoder::new();
        for (contexts, yes) in questions() {
            evidence.code(&mut first, &contexts, 3, yes);
        }
        let bytes = evidence.to_bytes();
        assert_eq!(bytes.len(), SIZE);
        let mut second = RangeEncoder::new();
        let mut taught = Evidence::from_bytes(&bytes);
        for (contexts, yes) in questions() {
            taught.code(&mut second, &contexts, 3, yes);
        }
        let packed = second.finish();
        assert!(packed.len() < first.finish().len() && packed.len() < 500, "{}", packed.len());
        let mut decoder = RangeDecoder::new(&packed);
        let mut taught = Evidence::from_bytes(&bytes);
        for (contexts, yes) in questions() {
            assert_eq!(taught.code(&mut decoder, &contexts, 3, false), yes);
        }
    }
}
