//! Alquerque solved: proofs against tables, and certificates against a checker that shares
//! nothing with the program but what the format's page says.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod answers;
mod faults;
#[path = "../../../tablebase/tests/tables/alquerque/positions.rs"]
mod few_men;
mod positions;
mod proofs;
mod second_checker;
#[path = "../../../rules/tests/rules/alquerque/slow.rs"]
mod slow;
