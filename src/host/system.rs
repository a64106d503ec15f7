//! Time, date and chance of the operating system.

#[cfg(any(feature = "cli", feature = "page"))]
use std::hash::{BuildHasher, RandomState};
pub(crate) use std::time::Instant;

/// The date as PGN writes it; unknown where no calendar is there.
#[cfg(any(feature = "cli", feature = "page"))]
pub(crate) fn today() -> String {
    #[cfg(feature = "cli")]
    return chrono::Local::now().format("%Y.%m.%d").to_string();
    #[cfg(not(feature = "cli"))]
    "????.??.??".to_owned()
}

/// The time since 1970.
#[cfg(feature = "page")]
pub(crate) fn since_1970() -> std::time::Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

/// A number that is another each time. The system seeds each hasher's keys, and does so
/// where a program linked statically finds no `/dev/urandom`, as in a bare chroot.
#[cfg(any(feature = "cli", feature = "page"))]
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(0)
}
