//! Fits the numbers of the evaluation to the results of games (P. Österlund's
//! "Texel tuning", 2014, with gradients instead of local search).
//!
//! The evaluation tells once how often each position has each feature
//! ([`SampleSet`]). From then on it is a formula of its numbers ([`Weights`]),
//! whose slope is known, and [`fit`] walks downhill (Adam: D. P. Kingma and
//! J. Ba, 2015) from the numbers it has to those that foretell results best.

mod fit;
mod model;
mod samples;
mod source;

pub use fit::{Epoch, FitOptions, FitResult, fit};
pub use model::Weights;
pub use samples::{Sample, SampleSet};
pub use source::with_values;
