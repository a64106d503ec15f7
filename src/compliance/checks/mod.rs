//! The checks. Each starts the engine anew, so that none inherits the faults
//! of another, and passes over what is another's to judge.

mod answers;
mod check;
mod handshake;
mod input;
mod leaving;
mod limits;
mod pondering;
mod positions;
mod settings;
mod stopping;
mod table;

pub use check::Check;
pub use table::CHECKS;
