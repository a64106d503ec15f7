//! How a position is analysed.

use qirkat_system::machine::{cores, megabytes_of_memory};

/// How a position is analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AnalysisSettings {
    pub lines: usize,
    pub threads: usize,
    pub hash: usize,
}

impl Default for AnalysisSettings {
    /// Half of the cores, so that the machine stays usable.
    fn default() -> AnalysisSettings {
        AnalysisSettings { lines: 3, threads: (cores() / 2).max(1), hash: 32 }
    }
}

/// The part of the memory that one table may take.
const MEMORY_SHARE: usize = 8;

/// Megabytes that one table may have.
pub(super) fn most_megabytes() -> usize {
    (megabytes_of_memory() / MEMORY_SHARE).max(1)
}
