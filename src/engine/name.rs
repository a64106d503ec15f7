//! What the engine calls itself.

/// The engine's name, with its version.
pub const NAME: &str = concat!("Qirkat ", env!("CARGO_PKG_VERSION"));
/// The version, with the commit and the network where these are known: what tells one build
/// from another. The build script puts them together.
pub const VERSION: &str = env!("QIRKAT_VERSION");
/// The engine's name with what tells one build from another.
pub const NAME_OF_BUILD: &str = concat!("Qirkat ", env!("QIRKAT_VERSION"));
