//! Tables of Alquerque against a slow solver, and as files.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod distances;
mod positions;
#[path = "../../../rules/tests/rules/alquerque/slow/mod.rs"]
mod slow;
mod slow_tables;
