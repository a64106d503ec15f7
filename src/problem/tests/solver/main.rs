//! Alquerque solved: proofs against tables, and certificates against a checker that shares only the
//! documented file format with the program.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod answers;
mod faults;
#[path = "../../../tablebase/tests/tables/alquerque/positions.rs"]
mod few_men;
// This module is private, so it is compiled again for the tests of its internals.
#[allow(dead_code, reason = "the tests look at some of it")]
#[path = "../../solver/node.rs"]
mod node;
mod nodes;
mod positions;
mod proofs;
mod second_checker;
#[path = "../../../rules/tests/rules/alquerque/slow.rs"]
mod slow;
