use std::env;
use std::sync::OnceLock;
use std::time::Duration;

/// All durations are multiples of this.
pub const MS: Duration = Duration::from_millis(1);

/// Until `readyok`, searching or not.
pub const ISREADY: Duration = Duration::from_millis(50);
/// From `stop` to `bestmove`.
pub const STOP: Duration = Duration::from_millis(60);
/// "At once": to exit, and to move without time on the clock.
pub const AT_ONCE: Duration = Duration::from_millis(100);
/// Until the answer to a `go` without a usable limit.
pub const PROMPTLY: Duration = Duration::from_millis(1000);
/// Until the first depth is complete, in any position.
pub const FIRST_DEPTH: Duration = Duration::from_secs(5);
/// How long to watch a search that must not answer yet.
pub const WATCH: Duration = Duration::from_millis(150);
/// How long a perft may take to stop when the program is to exit.
pub const COUNT_GRACE: Duration = Duration::from_millis(2000);

/// The number of tries for a time limit, see [`keeps`].
const TRIES: usize = 3;
const SLACK_MS: u64 = 250;

/// Added to every limit above for a busy machine. `QIRKAT_TEST_SLACK_MS` sets another value, to
/// measure strictly on a quiet machine.
pub fn slack() -> Duration {
    static SLACK: OnceLock<Duration> = OnceLock::new();
    *SLACK.get_or_init(|| {
        let wanted = env::var("QIRKAT_TEST_SLACK_MS").ok();
        let wanted = wanted.and_then(|text| text.parse().ok());
        Duration::from_millis(wanted.unwrap_or(SLACK_MS))
    })
}

/// Checks a time limit. A busy machine can delay one try, so there are three; an engine that is too
/// slow fails them all.
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

pub fn median(mut times: Vec<Duration>) -> Duration {
    assert!(!times.is_empty(), "nothing was measured");
    times.sort();
    times[times.len() / 2]
}
