//! Training: learns a [`network`](crate::network) by gradient descent from the
//! positions of a [`dataset`](crate::dataset). Each has the search's score and the
//! game's result as targets, blended by the WDL lambda.
//!
//! Training is deterministic: initial weights, the order of the positions, and which of
//! them are mirrored follow from the seed. Gradients are summed in the same order
//! whatever the number of threads, so the network is the same to the last bit on
//! every machine with the same floating point.

mod checkpoint;
mod gradients;
mod loss_plot;
mod parameters;
mod trainer;
mod training_data;
mod training_options;
mod training_sample;

pub(crate) use loss_plot::plot_losses;
pub(crate) use trainer::{MAX_TRAINING_THREADS, Trainer};
pub(crate) use training_data::TrainingData;
pub(crate) use training_options::TrainingOptions;
