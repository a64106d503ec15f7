//! The Universal Chess Interface (S. Meyer-Kahlen, R. Huber), with FENs and
//! moves of this game.

mod eval_report;
mod go_command;
mod position_command;
mod uci_command;
#[cfg(test)]
mod uci_fuzz;
mod uci_lines;
mod uci_session;

pub(super) use uci_session::run;
