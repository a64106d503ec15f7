//! What the program and its page ask of their surroundings: the time, the date, and a
//! number by chance. On a system these come from the system, in a browser from the page's
//! worker.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod browser;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub mod messages;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use browser::*;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use system::*;
