//! Puzzles: positions with one solution, for people.

use std::sync::LazyLock;

use super::suite::{Problem, TACTICS, read_suite};
use qirkat_rules::variant::Variant;

/// The puzzles of a game that come with Qirkat, the same every time.
pub fn built_in(variant: Variant) -> &'static [Problem] {
    static SETS: [LazyLock<Vec<Problem>>; 3] = [
        LazyLock::new(|| read(Variant::Chesquerque, TACTICS)),
        LazyLock::new(|| read(Variant::Masonic, "")),
        LazyLock::new(|| read(Variant::Alquerque, "")),
    ];
    &SETS[variant as usize]
}

fn read(variant: Variant, epd: &str) -> Vec<Problem> {
    let read = read_suite(epd.as_bytes(), "the built-in puzzles", variant);
    read.inspect_err(|error| log::error!("{error}")).unwrap_or_default()
}
