//! Training: learns a [`network`](qirkat_evaluation::network) by gradient descent from the
//! positions of a [`dataset`], and fits other values to games.
//!
//! - [`dataset`]: self-play, and the packed positions that come of it.
//! - [`TrainingData`] is split into a training and a validation set. Each position has the
//!   search's score and the game's result as targets, blended by the WDL lambda.
//! - [`Trainer`]: begin here. It makes the epochs, by the gradients of the parameters and the
//!   AdamW of [`optimiser`].
//! - [`tuning`]: the parameters of the search, and the win-draw-loss model.
//!
//! The crate plays games by the arbiter of `qirkat_arena`, and leaves options, progress bars
//! and the files of networks to its caller.
//!
//! Training is deterministic: initial weights, the order of the positions, and which of
//! them are mirrored follow from the seed. Gradients are summed in the same order
//! whatever the number of threads, so the network is the same to the last bit on
//! every machine with the same floating point.

mod checkpoint;
pub mod dataset;
pub mod optimiser;
mod parameters;
mod trainer;
mod training_data;
pub mod tuning;

pub use optimiser::plot_losses;
pub use trainer::{MAX_TRAINING_THREADS, TrainableGame, Trainer, TrainingOptions};
pub use training_data::TrainingData;
