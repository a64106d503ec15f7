//! Black-box tests of the Chess Engine Communication Protocol: the real binary is run as XBoard
//! does, and its output is checked against the slow reference generator, never the engine's own
//! code.

mod engine;
mod grammar;

mod analysis;
mod board;
mod claims;
mod command_line;
mod garbage;
mod handshake;
mod illegal_moves;
mod offers;
mod pondering;
mod settings;
mod states;
mod taking_back;
mod think;
mod wandering_user;
