//! What the program and its page ask of their surroundings: the time, the date, and a
//! number by chance. On a system these come from the system, in a browser from the page's
//! worker, which calls the program besides.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod browser;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
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
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use browser::*;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use system::*;
