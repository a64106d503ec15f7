//! Gradient descent, as the trainer of networks and the tuner of the hand-crafted
//! evaluation share it: the AdamW optimiser, learning rate schedules, and losses
//! over training and validation set.

mod adamw;
mod learning_rate;
mod losses;

pub(crate) use adamw::AdamW;
pub use learning_rate::LearningRate;
pub use losses::{Losses, mean_loss};
