//! The name that every protocol announces.

/// The engine's name.
pub(super) const NAME: &str = concat!("Qirkat ", env!("CARGO_PKG_VERSION"));
/// The same with the commit and the network, where these are known: what tells one build
/// from another. `build.rs` puts them together.
pub(super) const NAME_OF_BUILD: &str = concat!("Qirkat ", env!("QIRKAT_VERSION"));
