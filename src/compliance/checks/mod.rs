//! The checks. Each starts the engine anew, so that none inherits the faults
//! of another, and passes over what another looks at.

mod answers;
mod check;
mod check_table;
mod go_limits;
mod handshake;
mod leaving;
mod odd_input;
mod pondering;
mod positions;
mod set_options;
mod stopping;

pub use check::Check;
pub use check_table::CHECKS;
