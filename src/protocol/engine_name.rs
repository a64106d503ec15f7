//! The name that every protocol announces.

/// The engine's name.
pub(super) const NAME: &str = concat!("Qirkat ", env!("CARGO_PKG_VERSION"));
