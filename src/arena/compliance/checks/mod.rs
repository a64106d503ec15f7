//! The checks. Each starts the engine anew, so that no fault spoils another check, and
//! ignores what another one tests.

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
