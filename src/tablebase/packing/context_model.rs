//! A context model: how likely a yes is, as a table has taught.
//!
//! A question is seen in several contexts. Each knows how often a yes has come in it, and
//! a [`Mixer`] makes one chance of what they know. What the whole table teaches is kept
//! with it, so that every block begins with that and learns on.

use qirkat_game::byte_reader::ByteReader;

use super::mixer::{Mixer, stretch};
use super::range_coder::{BinaryCoder, Chance};

/// Contexts of a question.
pub const CONTEXTS: usize = 7;
const SLOT_BITS: u32 = 12;
const SLOTS: usize = 1 << SLOT_BITS;
/// The inputs of the mixer: the chances of all contexts, and a constant.
const MIXER_INPUTS: usize = CONTEXTS + 1;
const CONSTANT: i32 = 64;
/// Sets of weights.
pub const SETS: usize = 9 * 16;
/// Questions that are seen in one context only.
pub const PLAIN: usize = 2048;
/// Bytes of model.
pub const SIZE: usize = CONTEXTS * SLOTS + PLAIN + 2 * SETS * MIXER_INPUTS;

/// The chances of all contexts, and the weights that mix them.
#[derive(Clone)]
pub struct ContextModel {
    slots: Vec<Chance>,
    plain: Vec<Chance>,
    mixer: Mixer<MIXER_INPUTS>,
}

impl ContextModel {
    /// Nothing is known.
    pub fn new() -> ContextModel {
        ContextModel {
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
        let mut opinions = [CONSTANT; MIXER_INPUTS];
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
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            self.slots.iter().chain(&self.plain).map(|chance| chance.to_byte()).collect();
        let weights = self.mixer.weights().flat_map(|weight| weight.to_le_bytes());
        bytes.extend(weights);
        bytes
    }

    /// Reads it; what is missing is zero.
    pub fn from_bytes(bytes: &[u8]) -> ContextModel {
        let mut reader = ByteReader(bytes);
        let mut chances =
            |count| (0..count).map(|_| Chance::from_byte(reader.take::<1>()[0])).collect();
        let (slots, plain) = (chances(CONTEXTS * SLOTS), chances(PLAIN));
        ContextModel { slots, plain, mixer: Mixer::from_weights(SETS, || reader.u16() as i16) }
    }
}

/// A context with one more number in it.
#[inline]
pub const fn hash(context: u64, number: u64) -> u64 {
    // Fibonacci hashing.
    (context.rotate_left(23) ^ number).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline]
const fn slot(context: u64) -> usize {
    (context >> (u64::BITS - SLOT_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use qirkat_game::splitmix::splitmix64;

    use super::*;
    use crate::packing::range_coder::{RangeDecoder, RangeEncoder};

    fn questions() -> impl Iterator<Item = ([u64; CONTEXTS], bool)> {
        let mut state = 9;
        (0..20_000).map(move |_| {
            let kind = splitmix64(&mut state) % 50;
            let contexts = std::array::from_fn(|order| hash(kind % (order as u64 + 2), kind));
            (contexts, kind.is_multiple_of(3))
        })
    }

    /// Answers written with a model out of a file are read with it, and take little room.
    #[test]
    fn a_model_in_a_file_teaches() {
        let mut model = ContextModel::new();
        let mut first = RangeEncoder::new();
        for (contexts, yes) in questions() {
            model.code(&mut first, &contexts, 3, yes);
        }
        let bytes = model.to_bytes();
        assert_eq!(bytes.len(), SIZE);
        let mut second = RangeEncoder::new();
        let mut taught = ContextModel::from_bytes(&bytes);
        for (contexts, yes) in questions() {
            taught.code(&mut second, &contexts, 3, yes);
        }
        let packed = second.finish();
        assert!(packed.len() < first.finish().len() && packed.len() < 500, "{}", packed.len());
        let mut decoder = RangeDecoder::new(&packed);
        let mut taught = ContextModel::from_bytes(&bytes);
        for (contexts, yes) in questions() {
            assert_eq!(taught.code(&mut decoder, &contexts, 3, false), yes);
        }
    }
}
