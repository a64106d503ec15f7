//! Tables of Alquerque against a slow solver, and as files.

mod certificate;
mod clock;
mod distances;
mod files;
mod moves;
mod positions;
#[allow(dead_code, reason = "the tests of the rules need all of it")]
#[path = "../../../../rules/tests/rules/alquerque/slow.rs"]
mod slow;
