//! Tables of Alquerque against a slow solver, and as files.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod certificate;
mod clock;
mod distances;
mod files;
mod moves;
mod positions;
#[path = "../../../rules/tests/rules/alquerque/slow/mod.rs"]
mod slow;
mod slow_tables;
