//! The Universal Chess Interface (S. Meyer-Kahlen, R. Huber), with FENs and
//! moves of this game.

mod command;
#[cfg(test)]
mod fuzz;
mod go;
mod position;
mod present;
mod session;

pub(super) use session::run;
