//! Training: learns a [`network`](qirkat_evaluation::network) by gradient descent from the
//! positions of a [`dataset`], and fits other parameters to games. Start with [`Trainer`], which
//! runs the epochs; [`dataset`] has self-play and packed positions, [`TrainingData`] the training
//! and validation sets, and [`tuning`] the search parameters and the win-draw-loss model.
//!
//! The arbiter of `qirkat_arena` plays the games. The caller handles options, progress bars and
//! network files. Training is deterministic: everything random follows from the seed, and gradients
//! are summed in the same order for any number of threads, so machines with the same floating point
//! get the same network to the last bit.

mod checkpoint;
pub mod dataset;
pub mod optimiser;
mod parameters;
mod trainer;
mod training_data;
pub mod tuning;

pub use optimiser::plot_losses;
pub use trainer::{MAX_TRAINING_THREADS, Trainer, TrainingOptions};
pub use training_data::TrainingData;
