//! A row of the hidden layer.

/// One number for each neuron of the hidden layer, aligned for SIMD.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct HiddenVector<const HIDDEN: usize>(pub [i16; HIDDEN]);
