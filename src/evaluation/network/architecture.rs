//! The architecture: the size of the layers, and the quantisation.

use std::fmt::Debug;

/// Quantisation of the accumulator: the integer that stands for 1.
pub const QA: i16 = 255;
/// Quantisation of the output weights: the integer that stands for 1.
pub const QB: i16 = 64;
/// The largest output weight: [`QA`] times it must fit into 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = i16::MAX / QA;
/// The most that the sizes of an output layer's weights for one accumulator may sum up to: times
/// [`QA`] twice it must fit into 32 bits.
pub(super) const MAX_SUM_OF_OUTPUT_WEIGHTS: i32 = i32::MAX / (QA as i32 * QA as i32);
/// Centipawns of an output of 1, which the sigmoid turns into odds of e to one.
pub const EVAL_SCALE: i32 = 216;

/// Input features, hidden neurons and output layers of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// Input features.
    pub features: usize,
    /// Neurons of the hidden layer, for each perspective.
    pub hidden: usize,
    /// Output layers, one of which is chosen by the number of pieces.
    pub output_buckets: usize,
}

/// The size of a hidden layer, as a type: each game has its own. It gives arrays of as many
/// numbers, since an associated constant cannot be the length of one.
pub trait HiddenLayer: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Neurons, for each perspective.
    const NEURONS: usize;
    /// A number for each neuron.
    type Row<T: Number>: Number + AsRef<[T]> + AsMut<[T]>;

    /// The row with each number from the place of its neuron.
    fn row<T: Number>(number: impl FnMut(usize) -> T) -> Self::Row<T>;
}

/// Anything of which a row can be made.
pub trait Number: Copy + PartialEq + Debug + Send + Sync + 'static {}

impl<T: Copy + PartialEq + Debug + Send + Sync + 'static> Number for T {}

/// A hidden layer of this many neurons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neurons<const COUNT: usize>;

impl<const COUNT: usize> HiddenLayer for Neurons<COUNT> {
    const NEURONS: usize = COUNT;
    type Row<T: Number> = [T; COUNT];

    fn row<T: Number>(number: impl FnMut(usize) -> T) -> [T; COUNT] {
        std::array::from_fn(number)
    }
}

/// A row of integers, aligned for SIMD.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(64))]
pub(super) struct HiddenVector<H: HiddenLayer>(pub H::Row<i16>);

impl<H: HiddenLayer> HiddenVector<H> {
    /// The numbers, whose count the compiler knows.
    #[inline(always)]
    pub fn numbers(&self) -> &[i16] {
        self.0.as_ref()
    }
}
