//! A small neural network that judges positions, learned from games of the
//! engine against itself ("NNUE", Y. Nasu, 2018).
//!
//! # How it is built
//!
//! Each side sees the board for itself, its own first rank below and its own
//! king on the left half. What it sees is 14 kinds of men (its own seven, the
//! enemy's seven) on 81 points, [`Input`]s that are there or not. Each input
//! present adds a row of [`HIDDEN`] numbers to that side's sums. The sums, cut to
//! the range from 0 to 1 and squared, are weighed, those of the side to move
//! and those of the other with weights of their own, and the total is the
//! score. Which weights those are depends on how many men are left
//! ([`bucket`]).
//!
//! # How it is computed
//!
//! In whole numbers, so that every machine finds the same. From one position
//! to the next only two or three inputs change, so sums are not made anew:
//! see [`Evaluator`].

mod accumulator;
mod embedded;
mod evaluator;
mod file;
mod inputs;
mod kernel;

pub use evaluator::Evaluator;
pub use file::NetworkError;
pub use inputs::{Input, View};
pub use kernel::Kernel;

use accumulator::Row;

use crate::position::MEN_AT_START;

/// Numbers of each side's sum.
pub const HIDDEN: usize = 256;
/// Sets of output weights.
pub const BUCKETS: usize = 8;

/// What stands for 1 in the sums.
pub const ONE: i16 = 255;
/// What stands for 1 in the output weights.
pub const OUTPUT_ONE: i16 = 64;
/// The largest output weight: times [`ONE`] it must fit into 16 bits.
pub const UTMOST_OUTPUT_WEIGHT: i16 = i16::MAX / ONE;
/// Centipawns of an output of 1, with which the odds of a win are e to one.
pub const SCALE: i32 = 216;

/// The output weights for a position with this many men.
pub const fn bucket(men: u32) -> usize {
    let bucket = (men as usize).saturating_sub(1) * BUCKETS / MEN_AT_START;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

/// A network, ready to judge.
#[derive(Clone)]
pub struct Network {
    /// The row of each input.
    rows: Box<[Row]>,
    /// The sum of a side that sees nothing.
    start: Row,
    outputs: Box<[OutputWeights; BUCKETS]>,
    kernel: Kernel,
    /// The checksum of its file, by which networks are told apart.
    checksum: u32,
}

/// The weights of one bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct OutputWeights {
    /// For the sums of the side to move and of the other.
    sides: [Row; 2],
    start: i32,
}

/// The numbers of a network, as a trainer makes them.
pub struct NetworkNumbers<'a> {
    /// [`HIDDEN`] numbers for each input, in parts of [`ONE`].
    pub rows: &'a [[i16; HIDDEN]],
    /// The sums of a side that sees nothing, in the same parts.
    pub start: [i16; HIDDEN],
    /// For each bucket the weights of the sums of the side to move and of the
    /// other, in parts of [`OUTPUT_ONE`].
    pub outputs: [[[i16; HIDDEN]; 2]; BUCKETS],
    /// For each bucket what is added, in parts of [`ONE`] times
    /// [`OUTPUT_ONE`].
    pub output_starts: [i32; BUCKETS],
}

impl Network {
    /// The network from these numbers.
    ///
    /// # Errors
    /// When there are too few rows, or numbers are too large to reckon with.
    pub fn new(numbers: &NetworkNumbers<'_>) -> Result<Network, NetworkError> {
        Network::from_bytes(&file::bytes_of(numbers))
    }

    /// The same network, reckoned by another kernel.
    #[must_use]
    pub fn with_kernel(&self, kernel: Kernel) -> Network {
        Network { kernel, ..self.clone() }
    }

    /// By what it is reckoned.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The checksum of its file, by which networks are told apart.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// What sums are worth to the side to move, in centipawns.
    fn output(&self, own: &Row, enemy: &Row, men: u32) -> i32 {
        let weights = &self.outputs[bucket(men)];
        let sum =
            self.kernel.weigh(own, &weights.sides[0]) + self.kernel.weigh(enemy, &weights.sides[1]);
        // Squares carry the unit twice.
        let total = sum / i64::from(ONE) + i64::from(weights.start);
        (total * i64::from(SCALE) / (i64::from(ONE) * i64::from(OUTPUT_ONE))) as i32
    }
}

/// A network of numbers that mean nothing.
#[cfg(test)]
fn random_network(seed: u64) -> Network {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    let mut rng = StdRng::seed_from_u64(seed);
    let mut row = |utmost: i16| [(); HIDDEN].map(|()| rng.random_range(-utmost..=utmost));
    let rows: Vec<_> = (0..Input::COUNT).map(|_| row(60)).collect();
    let start = row(60);
    let outputs = [(); BUCKETS].map(|()| [row(UTMOST_OUTPUT_WEIGHT), row(UTMOST_OUTPUT_WEIGHT)]);
    let output_starts = std::array::from_fn(|bucket| bucket as i32 * 1000 - 3000);
    let numbers = NetworkNumbers { rows: &rows, start, outputs, output_starts };
    Network::new(&numbers).expect("the numbers are small")
}
