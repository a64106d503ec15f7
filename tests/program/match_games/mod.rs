//! `qirkat match` from outside: whole matches of Qirkat against itself and against engines that
//! misbehave. The engines are shell scripts, so these tests need Unix.

mod absent;
mod counting;
mod dealings;
mod engine_words;
mod faults;
pub mod games;
mod interrupted;
mod lines;
mod live;
mod openings;
mod options;
mod rounds;
mod script;
mod xboard;
