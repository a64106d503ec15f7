//! How long the machine kept an engine waiting for a core: what explains a
//! loss on time that was none of its making.

use std::collections::BTreeMap;
use std::time::Duration;

/// The waits of a process's threads.
#[derive(Debug, Default)]
pub(crate) struct CoreWaits {
    /// Each thread's waiting time when it was last looked at.
    known: BTreeMap<u32, Duration>,
}

impl CoreWaits {
    /// How long a thread of the process was ready to run and did not since this
    /// was last asked, whichever waited longest. Nothing if the system does not
    /// tell.
    pub fn longest(&mut self, process: u32) -> Option<Duration> {
        let now = waits(process)?;
        let before = |thread| self.known.get(thread).copied().unwrap_or_default();
        let since = now.iter().map(|(thread, wait)| wait.saturating_sub(before(thread)));
        let longest = since.max().unwrap_or_default();
        self.known = now;
        Some(longest)
    }
}

const MOST_THREADS: usize = 64;

/// How long each thread of a process has waited for a core, from Linux' `/proc`; nothing
/// where there is none.
fn waits(process: u32) -> Option<BTreeMap<u32, Duration>> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let wait = |thread: std::fs::DirEntry| {
        let number = thread.file_name().to_str()?.parse().ok()?;
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        // Nanoseconds of running, nanoseconds of waiting, turns.
        let waited = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
        Some((number, Duration::from_nanos(waited)))
    };
    Some(threads.flatten().take(MOST_THREADS).filter_map(wait).collect())
}
