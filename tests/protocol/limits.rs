//! Every length of time the suite holds the engine to, in one place.

use std::env;
use std::sync::OnceLock;
use std::time::Duration;

/// Lengths of time are multiples of this.
pub const MS: Duration = Duration::from_millis(1);

/// `isready` is answered within this, searching or not.
pub const ISREADY: Duration = Duration::from_millis(50);
/// A search has stopped and its `bestmove` is out within this.
pub const STOP: Duration = Duration::from_millis(60);
/// "At once": leaving, and moving without time on the clock.
pub const AT_ONCE: Duration = Duration::from_millis(100);
/// A `go` without a usable limit is answered within this.
pub const PROMPTLY: Duration = Duration::from_millis(1000);
/// The first depth is done within this, whatever stands on the board.
pub const FIRST_DEPTH: Duration = Duration::from_secs(5);
/// How long a search is watched that must not answer yet.
pub const WATCH: Duration = Duration::from_millis(150);
/// A count still has this long to end once the program is to.
pub const COUNT_GRACE: Duration = Duration::from_millis(2000);

/// How many tries a promise about time gets, see [`keeps`].
const TRIES: usize = 3;
const SLACK_MS: u64 = 250;

/// Added to every promise above for a busy machine. `QIRKAT_TEST_SLACK_MS`
/// sets another one, to measure strictly on a quiet machine.
pub fn slack() -> Duration {
    static SLACK: OnceLock<Duration> = OnceLock::new();
    *SLACK.get_or_init(|| {
        let wanted = env::var("QIRKAT_TEST_SLACK_MS").ok();
        let wanted = wanted.and_then(|text| text.parse().ok());
        Duration::from_millis(wanted.unwrap_or(SLACK_MS))
    })
}

/// Holds the engine to a promise about time. A busy machine can make one try
/// late, so there are three; an engine that breaks its promise fails them all.
pub fn keeps(what: &str, promise: Duration, mut attempt: impl FnMut() -> Duration) {
    let mut late = Vec::new();
    while late.len() < TRIES {
        let took = attempt();
        if took <= promise + slack() {
            return;
        }
        late.push(took);
    }
    panic!("{what}: promised within {promise:?}, took {late:?}");
}

/// The middle one of several measured times: what the engine does usually,
/// whatever the machine did to a few of them.
pub fn median(mut times: Vec<Duration>) -> Duration {
    assert!(!times.is_empty(), "nothing was measured");
    times.sort();
    times[times.len() / 2]
}
