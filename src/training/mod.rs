//! Learning a [`network`](crate::network) from the positions of a
//! [`dataset`](crate::dataset): which score, and which result, goes with what
//! both sides see.
//!
//! Everything follows from the seed: the first numbers, the order of the
//! positions, and which of them are mirrored. Sums are made in the same order
//! whatever the number of threads, so the network is the same to the last bit
//! wherever the machine computes alike.

mod adam;
mod checkpoint;
mod options;
mod parameters;
mod picture;
mod samples;
mod slopes;
mod trainer;

pub use checkpoint::CheckpointError;
pub use options::TrainingOptions;
pub use picture::{PictureError, draw_losses};
pub use samples::{TrainingSet, TrainingSetError};
pub use trainer::{EpochLosses, Trainer};
