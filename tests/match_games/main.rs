//! `qirkat match` from outside: whole matches of Qirkat against itself and
//! against engines that misbehave. The engines are shell scripts, so all this
//! is for Unix.
#![cfg(unix)]

mod arbiter;
mod counting;
mod faults;
mod games;
mod interrupted;
mod options;
mod script;
