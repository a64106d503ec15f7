//! Time, date and chance of a browser: functions that JavaScript gives to the module when
//! it is instantiated (`page/alone/engine.js`).

#![allow(unsafe_code, reason = "what JavaScript gives is declared as foreign")]

use std::ops::Add;
use std::time::Duration;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since 1970; never less than before.
    safe fn now() -> f64;
    /// The date as a number: 20261231.
    safe fn date() -> u32;
    /// 32 random bits.
    safe fn chance() -> u32;
}

/// A moment, as [`std::time::Instant`], which is not there in a browser.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    pub fn now() -> Instant {
        Instant(Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default())
    }

    /// Time since then.
    pub fn elapsed(&self) -> Duration {
        Instant::now().saturating_duration_since(*self)
    }

    /// Time from an earlier moment to this; none if it is later.
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment so much later, if it can be told.
    pub fn checked_add(&self, time: Duration) -> Option<Instant> {
        self.0.checked_add(time).map(Instant)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant(self.0.saturating_add(time))
    }
}

/// The date as PGN writes it.
pub fn today() -> String {
    let date = date();
    format!("{:04}.{:02}.{:02}", date / 10_000, date / 100 % 100, date % 100)
}

/// The time since 1970.
pub fn since_1970() -> Duration {
    Instant::now().0
}

/// A number that is another each time.
pub fn random() -> u64 {
    u64::from(chance()) << 32 | u64::from(chance())
}
