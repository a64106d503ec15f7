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
const START: Duration = Duration::from_secs(10);
/// To make an option valid, or to be ready for a new game.
const SET_UP: Duration = Duration::from_secs(10);
/// For what is answered at once: `isready`, `stop`.
const PROMPT: Duration = Duration::from_secs(2);
/// For a small search.
const SEARCH: Duration = Duration::from_secs(5);
/// To end after `quit` or the end of its input.
const END: Duration = Duration::from_secs(3);
/// Beyond the time of a clock, for what the machine takes.
const MARGIN: Duration = Duration::from_millis(250);

impl Patience {
    /// The largest factor: a small search may take over an hour.
    pub const MAX: f64 = 1000.0;

    pub(super) fn start(self) -> Duration {
        START.mul_f64(self.0)
    }

    pub(super) fn set_up(self) -> Duration {
        SET_UP.mul_f64(self.0)
    }

    pub(super) fn prompt(self) -> Duration {
        PROMPT.mul_f64(self.0)
    }

    pub(super) fn search(self) -> Duration {
        SEARCH.mul_f64(self.0)
    }

    pub(super) fn end(self) -> Duration {
        END.mul_f64(self.0)
    }

    pub(super) fn margin(self) -> Duration {
        MARGIN.mul_f64(self.0)
    }
}
