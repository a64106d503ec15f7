//! Time limits of the examiner.

use std::time::Duration;

/// How long to watch that nothing comes.
pub(super) const WATCH: Duration = Duration::from_millis(250);

/// The factor on all time limits that no chess clock sets, for slow machines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Patience(pub f64);

impl Default for Patience {
    fn default() -> Patience {
        Patience(1.0)
    }
}

/// To start, read its files and answer `uci`.
pub(super) const START: Duration = Duration::from_secs(10);
/// To make an option valid, or to be ready for a new game.
pub(super) const SET_UP: Duration = Duration::from_secs(10);
/// For what is answered at once: `isready`, `stop`.
pub(super) const PROMPT: Duration = Duration::from_secs(2);
pub(super) const SEARCH: Duration = Duration::from_secs(5);
/// To end after `quit` or the end of its input.
pub(super) const END: Duration = Duration::from_secs(3);
/// Beyond the time of a clock, for what the machine takes.
pub(super) const MARGIN: Duration = Duration::from_millis(250);

impl Patience {
    /// The largest factor: a small search may take over an hour.
    pub const MAX: f64 = 1000.0;
}
