//! Losses over training and validation set.

use qirkat_system::parallel;

/// Mean losses after an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// Over the training set.
    pub training: f64,
    /// Over the validation set, if there is one.
    pub validation: Option<f64>,
}

/// Positions whose losses one thread sums up. The sums are added in the same order
/// whatever the number of threads, so the result is the same.
const CHUNK: usize = 4096;

/// The mean of `loss` over positions by number, computed in parallel; nothing if
/// there are no positions.
pub fn mean_loss(positions: usize, loss: &(dyn Fn(usize) -> f64 + Sync)) -> Option<f64> {
    let sums: Vec<f64> =
        parallel::map_ranges(positions, CHUNK, &|positions| positions.map(loss).sum());
    (positions > 0).then(|| sums.iter().sum::<f64>() / positions as f64)
}
