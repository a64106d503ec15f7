//! Shared test code of several crates: a slow, independent move generator for Chesquerque, random
//! games and texts, and child processes with pipes.
//!
//! It uses nothing of the engine but the trait of [`qirkat_game`], so that it can check it; crates
//! depend on it only for tests. Start with [`reference`](mod@reference).
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests may panic")]

pub mod games;
pub mod garbage;
pub mod pipes;
pub mod reference;

use std::env;

use proptest::string::{RegexGeneratorStrategy, string_regex};
use qirkat_game::{MoveFilter, Searchable};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// The size of a test: quick enough to wait for, as `.ci/run` wants it, or for a night. Selected by
/// `QIRKAT_TESTS`: `quick` (the default), `long` or `night`.
pub fn effort<T>([quick, long, night]: [T; 3]) -> T {
    match env::var("QIRKAT_TESTS").as_deref() {
        Err(env::VarError::NotPresent) | Ok("" | "quick") => quick,
        Ok("long") => long,
        Ok("night") => night,
        other => panic!("QIRKAT_TESTS is quick, long or night, not {other:?}"),
    }
}

/// Any text.
pub const ANY: &str = r"\PC*";

/// Texts that match a regular expression, compiled once here. As a strategy by itself, as in
/// `any::<String>()`, it is compiled again for each text, which takes far longer than the test.
pub fn texts_like(pattern: &str) -> RegexGeneratorStrategy<String> {
    string_regex(pattern).expect("a regular expression")
}

/// The positions of a random game from the initial position. It captures often enough to empty the
/// board: `noisy_share` is how often a capture or promotion is preferred.
pub fn walk<G: Searchable>(seed: u64, plies: usize, noisy_share: f64) -> Vec<G> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut positions = vec![G::start()];
    while positions.len() < plies {
        let position = positions[positions.len() - 1];
        let moves = position.legal_moves();
        let noisy = position.moves(MoveFilter::Noisy);
        let chosen = if rng.random_bool(noisy_share) { noisy.choose(&mut rng) } else { None };
        let Some(&mv) = chosen.or_else(|| moves.choose(&mut rng)) else { break };
        positions.push(position.after(mv));
    }
    positions
}
