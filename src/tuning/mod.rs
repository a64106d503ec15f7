//! Fits the numbers of the evaluation to the results of games (P. Österlund's
//! "Texel tuning", 2014, with gradients instead of local search).
//!
//! The evaluation tells once how often each position has each feature
//! ([`SampleSet`]). From then on it is a formula of its numbers ([`Weights`]),
//! whose slope is known, and [`fit`] walks downhill (Adam: D. P. Kingma and
//! J. Ba, 2015) from the numbers it has to those that foretell results best.
//!
//! The numbers of the search have no slope that could be computed: they are
//! tried out in games ([`Spsa`]).

mod fit;
#[cfg(feature = "tuning")]
mod games;
mod model;
mod samples;
mod source;
mod spsa;
mod wdl_fit;

pub use fit::{Epoch, FitOptions, FitResult, fit};
#[cfg(feature = "tuning")]
pub use games::{TuningError, TuningGames};
pub use model::Weights;
pub use samples::{Sample, SampleSet};
pub use source::with_values;
pub use spsa::{Spsa, SpsaNumber, SpsaTrial};
pub(crate) use wdl_fit::ScoreSet;
