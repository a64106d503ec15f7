//! A row of the hidden layer.

use super::architecture::HIDDEN;

/// One number for each neuron of the hidden layer, aligned for SIMD.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct HiddenVector(pub [i16; HIDDEN]);
