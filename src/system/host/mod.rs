//! The time, the date and random numbers, from the system or, in a browser, from the page's worker,
//! which also calls the program.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod browser;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
    use std::hash::{BuildHasher, RandomState};
    pub use std::time::Instant;

    /// The date in PGN format; unknown without a calendar.
    pub fn today() -> String {
        #[cfg(feature = "programs")]
        return chrono::Local::now().format("%Y.%m.%d").to_string();
        #[cfg(not(feature = "programs"))]
        "????.??.??".to_owned()
    }

    pub fn since_1970() -> std::time::Duration {
        std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
    }

    /// A random number. The system seeds each hasher's keys, even if a statically linked program
    /// finds no `/dev/urandom`, as in a bare chroot.
    pub fn random() -> u64 {
        RandomState::new().hash_one(0)
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use browser::*;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use system::*;
