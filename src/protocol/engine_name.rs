//! The name that every protocol announces.

/// What the engine calls itself.
pub(super) const NAME: &str = concat!("Qirkat ", env!("CARGO_PKG_VERSION"));
