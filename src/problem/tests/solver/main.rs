//! Alquerque solved: proofs against tables, and certificates against a checker that shares
//! nothing with the program but what the format's page says.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod answers;
mod faults;
#[path = "../../../tablebase/tests/tables/alquerque/positions.rs"]
mod few_men;
// This part of the crate is private, so the tests that look into it compile it once more.
#[allow(dead_code, reason = "the tests look at some of it")]
#[path = "../../solver/node.rs"]
mod node;
mod nodes;
mod positions;
mod proofs;
mod second_checker;
#[path = "../../../rules/tests/rules/alquerque/slow.rs"]
mod slow;
