//! How long a search has taken, by the system's clock or by one that the host hands in.

use std::time::Duration;

/// Measures the time since it was started. Without a clock it measures nothing.
pub(super) struct Stopwatch(Option<Box<dyn Fn() -> Duration + Send + Sync>>);

impl Stopwatch {
    /// Starts now, by the system's clock.
    #[cfg(feature = "clock")]
    pub fn start() -> Stopwatch {
        let started = qirkat_system::host::Instant::now();
        Stopwatch(Some(Box::new(move || started.elapsed())))
    }

    /// There is no clock.
    #[cfg(not(feature = "clock"))]
    pub fn start() -> Stopwatch {
        Stopwatch(None)
    }

    /// Starts now, by a clock that counts from any moment.
    pub fn start_by(clock: impl Fn() -> Duration + Send + Sync + 'static) -> Stopwatch {
        let started = clock();
        Stopwatch(Some(Box::new(move || clock().saturating_sub(started))))
    }

    /// Time since the start, if there is a clock.
    pub fn elapsed(&self) -> Option<Duration> {
        self.0.as_ref().map(|elapsed| elapsed())
    }
}
