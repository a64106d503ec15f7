//! Whether the machine lets the arbiter itself be on time.
//!
//! A thread that sleeps a little over and over wakes late when too much else
//! runs. As late may be what engines and clocks hear and say.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// How long the thread sleeps.
const NAP: Duration = Duration::from_millis(10);
/// Less than this is nothing to remember.
const WORTH_REMEMBERING: Duration = Duration::from_millis(2);
/// Late awakenings that are remembered.
const REMEMBERED: usize = 4096;

/// The delays of a thread that sleeps over and over.
#[derive(Debug, Default)]
pub struct Punctuality {
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    worst: Duration,
    /// When the thread woke too late, and how much.
    late: VecDeque<(Instant, Duration)>,
    /// When the thread went to sleep, if it sleeps.
    asleep: Option<Instant>,
}

impl Punctuality {
    /// Watches until `is_over` is raised.
    pub(crate) fn watch(&self, is_over: &AtomicBool) {
        while !is_over.load(Ordering::Relaxed) {
            let start = Instant::now();
            self.seen.lock().asleep = Some(start);
            std::thread::sleep(NAP);
            let now = Instant::now();
            self.note(now, late_by(start, now));
        }
    }

    fn note(&self, now: Instant, late: Duration) {
        let mut seen = self.seen.lock();
        seen.asleep = None;
        seen.worst = seen.worst.max(late);
        if late >= WORTH_REMEMBERING {
            if seen.late.len() == REMEMBERED {
                seen.late.pop_front();
            }
            seen.late.push_back((now, late));
        }
    }

    /// How late the thread has woken at most.
    pub fn worst(&self) -> Duration {
        self.seen.lock().worst
    }

    /// The same since a moment, up to now. Whoever asks may have been woken before the thread,
    /// which then is late already.
    pub(crate) fn worst_since(&self, moment: Instant, now: Instant) -> Duration {
        let seen = self.seen.lock();
        let since = seen.late.iter().rev().take_while(|(woke, _)| *woke >= moment);
        let still_asleep = seen.asleep.map(|start| late_by(start, now));
        since.map(|&(_, late)| late).chain(still_asleep).max().unwrap_or_default()
    }
}

/// How much longer than a nap the thread slept.
fn late_by(start: Instant, now: Instant) -> Duration {
    now.saturating_duration_since(start).saturating_sub(NAP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_delay_of_a_time_is_known() {
        let watch = Punctuality::default();
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let ms = Duration::from_millis;
        for (moment, late) in [(10, 50), (20, 0), (30, 7), (40, 3)] {
            watch.note(at(moment), ms(late));
        }
        assert_eq!(watch.worst(), ms(50));
        assert_eq!(watch.worst_since(start, at(99)), ms(50));
        assert_eq!(watch.worst_since(at(25), at(99)), ms(7));
        assert_eq!(watch.worst_since(at(41), at(99)), Duration::ZERO);
        // It went to sleep, and has not woken yet.
        watch.seen.lock().asleep = Some(at(42));
        assert_eq!(watch.worst_since(at(41), at(50)), Duration::ZERO);
        assert_eq!(watch.worst_since(at(41), at(60)), ms(8));
        for moment in 50..50 + 2 * REMEMBERED as u64 {
            watch.note(at(moment), ms(5));
        }
        let remembered = watch.seen.lock().late.len();
        assert_eq!(remembered, REMEMBERED);
    }
}
