//! How long the machine kept an engine waiting for a core: what explains a
//! loss on time that was none of its making.

use std::time::Duration;

/// Threads of an engine that are looked at.
#[cfg(target_os = "linux")]
const MOST_THREADS: usize = 64;

/// The time that all threads of a process were ready to run and did not, since
/// they began. Nothing if the system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn waited_for_cores(process: u32) -> Option<Duration> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let waited = threads.flatten().take(MOST_THREADS).filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        // Time running, time waiting, turns.
        text.split_ascii_whitespace().nth(1)?.parse().ok()
    });
    Some(Duration::from_nanos(waited.fold(0, u64::saturating_add)))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn waited_for_cores(_: u32) -> Option<Duration> {
    None
}
