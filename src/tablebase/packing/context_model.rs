//! A context model: predicts yes-or-no decisions from what it learned of a table.
//!
//! Each decision has several contexts. Each context learns how likely a yes is, and a [`Mixer`]
//! combines their probabilities. The model trained on a sample of the table's blocks is stored with
//! it (small tables may do without); every block starts from it and keeps adapting.

use qirkat_game::byte_reader::ByteReader;

use super::range_coder::{ALWAYS, AdaptiveProbability, RangeCoder};

pub const CONTEXTS: usize = 7;
const SLOT_BITS: u32 = 12;
/// Probabilities per context.
const SLOTS: usize = 1 << SLOT_BITS;
/// The inputs of the mixer: the predictions of all contexts, and a constant.
const MIXER_INPUTS: usize = CONTEXTS + 1;
const CONSTANT_INPUT: i32 = 64;
/// Sets of weights: the most that a coder uses. `retrograde_coder` has one for each of nine counts of
/// won neighbours and 16 classes of plies.
pub const SETS: usize = 9 * 16;
/// The number of contexts of [`ContextModel::code_plain`].
pub const PLAIN: usize = 2048;
/// Bytes of a model.
pub const SIZE: usize = CONTEXTS * SLOTS + PLAIN + 2 * SETS * MIXER_INPUTS;

#[derive(Clone)]
pub struct ContextModel {
    slots: Vec<AdaptiveProbability>,
    plain: Vec<AdaptiveProbability>,
    mixer: Mixer<MIXER_INPUTS>,
}

impl ContextModel {
    pub fn new() -> ContextModel {
        ContextModel {
            slots: vec![AdaptiveProbability::EVEN; CONTEXTS * SLOTS],
            plain: vec![AdaptiveProbability::EVEN; PLAIN],
            mixer: Mixer::new(SETS),
        }
    }

    #[inline]
    pub fn code(
        &mut self,
        coder: &mut RangeCoder<'_>,
        contexts: &[u64; CONTEXTS],
        set: usize,
        yes: bool,
    ) -> bool {
        let mut inputs = [CONSTANT_INPUT; MIXER_INPUTS];
        let mut indices = [0; CONTEXTS];
        for (order, &context) in contexts.iter().enumerate() {
            indices[order] = order * SLOTS + slot(context);
            inputs[order] = stretch(self.slots[indices[order]]);
        }
        let probability = self.mixer.mix(set, &inputs);
        let yes = coder.code(yes, probability);
        self.mixer.learn(set, &inputs, probability, yes);
        for index in indices {
            self.slots[index].learn(yes);
        }
        yes
    }

    /// Codes a decision that is predicted from one context alone, without mixing.
    #[inline]
    pub fn code_plain(&mut self, coder: &mut RangeCoder<'_>, context: usize, yes: bool) -> bool {
        self.plain[context % PLAIN].code(coder, yes)
    }

    /// The file format: one byte per probability, then the mixer's weights.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            self.slots.iter().chain(&self.plain).map(|probability| probability.to_byte()).collect();
        let weights = self.mixer.weights().flat_map(|weight| weight.to_le_bytes());
        bytes.extend(weights);
        bytes
    }

    /// Reads the file format; missing bytes count as zero.
    pub fn from_bytes(bytes: &[u8]) -> ContextModel {
        let mut reader = ByteReader(bytes);
        let mut probabilities = |count| {
            (0..count).map(|_| AdaptiveProbability::from_byte(reader.take::<1>()[0])).collect()
        };
        let (slots, plain) = (probabilities(CONTEXTS * SLOTS), probabilities(PLAIN));
        ContextModel { slots, plain, mixer: Mixer::from_weights(SETS, || reader.u16() as i16) }
    }
}

#[inline]
pub const fn hash(context: u64, number: u64) -> u64 {
    // Fibonacci hashing.
    (context.rotate_left(23) ^ number).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline]
const fn slot(context: u64) -> usize {
    (context >> (u64::BITS - SLOT_BITS)) as usize
}

/// The value of 1 in log odds.
const LOG_ONE: i32 = 1 << 8;
/// Log odds are limited to ±12.
const LOG_LIMIT: usize = 12 * LOG_ONE as usize;
/// Probabilities are quantised to this many bits.
const STEP_BITS: u32 = 12;
const STEPS: usize = 1 << STEP_BITS;
const STEP_SHIFT: u32 = 16 - STEP_BITS;
/// The weight 1.
const WEIGHT_ONE: i32 = 1 << 16;
/// Files drop this many low bits of weights.
const WEIGHT_SHIFT: u32 = 7;
/// The learning rate of weights, as a shift.
const LEARNING_SHIFT: u32 = 16;
/// The smallest distance of a probability from 0 and from [`ALWAYS`].
const MIN_PROBABILITY: u32 = 16;

/// Probabilities by log odds, from zero up.
static SQUASH: [u16; LOG_LIMIT] = squash_table();
/// Log odds by quantised probability.
static STRETCH: [i16; STEPS] = stretch_table();

/// Only adds, multiplies and divides, which gives the same results on all machines.
const fn squash_table() -> [u16; LOG_LIMIT] {
    // The exponential of one step, by its Taylor series.
    let step = 1.0 / LOG_ONE as f64;
    let factor = 1.0 + step * (1.0 + step / 2.0 * (1.0 + step / 3.0 * (1.0 + step / 4.0)));
    let mut table = [0; LOG_LIMIT];
    let (mut odds, mut at) = (1.0, 0);
    while at < LOG_LIMIT {
        table[at] = (ALWAYS as f64 * (odds / (1.0 + odds))) as u16;
        odds *= factor;
        at += 1;
    }
    table
}

const fn stretch_table() -> [i16; STEPS] {
    let mut table = [0; STEPS];
    let (mut log, mut step) = (0, STEPS / 2);
    while step < STEPS {
        let probability = ((step << STEP_SHIFT) + (1 << STEP_SHIFT) / 2) as u16;
        while log + 1 < LOG_LIMIT && SQUASH[log] < probability {
            log += 1;
        }
        table[step] = log as i16;
        table[STEPS - 1 - step] = -(log as i16);
        step += 1;
    }
    table
}

#[inline]
fn squash(log: i32) -> u32 {
    let size = (log.unsigned_abs() as usize).min(LOG_LIMIT - 1);
    let probability = u32::from(SQUASH[size]);
    if log < 0 { ALWAYS - probability } else { probability }
}

#[inline]
pub fn stretch(probability: AdaptiveProbability) -> i32 {
    i32::from(STRETCH[usize::from(probability.value() >> STEP_SHIFT)])
}

/// Sets of weights for `N` predictions of a yes.
///
/// Predictions are summed as log odds, each with a weight, and the weights learn from the outcomes:
/// logistic mixing (M. Mahoney, "Adaptive weighing of context models for lossless data
/// compression", 2005). All numbers are integers, so that results are the same on every machine.
#[derive(Clone)]
pub struct Mixer<const N: usize> {
    weights: Vec<[i32; N]>,
}

impl<const N: usize> Mixer<N> {
    pub fn new(sets: usize) -> Mixer<N> {
        Mixer { weights: vec![[WEIGHT_ONE / 4; N]; sets] }
    }

    pub fn from_weights(sets: usize, mut next: impl FnMut() -> i16) -> Mixer<N> {
        let mut weight = || i32::from(next()) << WEIGHT_SHIFT;
        Mixer { weights: (0..sets).map(|_| std::array::from_fn(|_| weight())).collect() }
    }

    pub fn weights(&self) -> impl Iterator<Item = i16> {
        let most = i32::from(i16::MAX);
        self.weights
            .iter()
            .flatten()
            .map(move |weight| (weight >> WEIGHT_SHIFT).clamp(-most, most) as i16)
    }

    /// The probability predicted with a set of weights.
    #[inline]
    pub fn mix(&self, set: usize, inputs: &[i32; N]) -> u32 {
        let sum: i64 = self.weights[set]
            .iter()
            .zip(inputs)
            .map(|(&weight, &input)| i64::from(weight) * i64::from(input))
            .sum();
        squash((sum / i64::from(WEIGHT_ONE)).clamp(-(1 << 14), 1 << 14) as i32)
            .clamp(MIN_PROBABILITY, ALWAYS - MIN_PROBABILITY)
    }

    #[inline]
    pub fn learn(&mut self, set: usize, inputs: &[i32; N], probability: u32, yes: bool) {
        let error = if yes { ALWAYS as i32 } else { 0 } - probability as i32;
        for (weight, input) in self.weights[set].iter_mut().zip(inputs) {
            let change = (i64::from(*input) * i64::from(error)) >> LEARNING_SHIFT;
            *weight = weight.saturating_add(change as i32);
        }
    }
}
