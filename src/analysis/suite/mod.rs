//! Test suites: positions with known best moves, how many of them a search finds, and
//! how soon.

mod budget;
mod problem;
mod solve;
mod tally;

pub use budget::Budget;
pub use budget::Found;
pub use problem::{Problem, ProblemFault, SuiteError, read_suite};
pub use solve::{Attempt, Solver};
pub use tally::{ClassTally, Tally};

/// The suite that comes with Qirkat: forced mates, each of them proved, and
/// wins of material.
pub const TACTICS: &str = include_str!("tactics.epd");
