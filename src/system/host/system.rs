//! Time, date and chance of the operating system.

use std::hash::{BuildHasher, RandomState};
pub use std::time::Instant;

/// The date as PGN writes it; unknown where no calendar is there.
pub fn today() -> String {
    #[cfg(feature = "programs")]
    return chrono::Local::now().format("%Y.%m.%d").to_string();
    #[cfg(not(feature = "programs"))]
    "????.??.??".to_owned()
}

pub fn since_1970() -> std::time::Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

/// A number that is another each time. The system seeds each hasher's keys, and does so
/// where a program linked statically finds no `/dev/urandom`, as in a bare chroot.
pub fn random() -> u64 {
    RandomState::new().hash_one(0)
}
