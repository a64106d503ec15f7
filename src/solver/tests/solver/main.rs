//! Alquerque solved: tables against a slow solver, proofs against tables, and certificates
//! against a checker that shares nothing with the program but what the format's page says.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod answers;
mod faults;
mod positions;
mod proofs;
mod second_checker;
#[path = "../../../rules/tests/rules/alquerque/slow/mod.rs"]
mod slow;
mod slow_tables;
mod tables;
