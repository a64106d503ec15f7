//! Positions as random games reach them.

use qirkat_game::Rules;
use std::iter;

use qirkat_rules::alquerque::{Position, START_FEN};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::super::tables::fens;
use super::{POSITIONS, read};

/// A random board, sparse or dense, with forbidden steps that nobody has made.
pub fn random_position(rng: &mut StdRng) -> Position {
    let [white, black] = [(); 2].map(|()| rng.random_range(0.05..0.5));
    let ranks: Vec<String> = (0..5)
        .map(|_| {
            let letters = (0..5).map(|_| match rng.random_range(0.0..1.0) {
                chance if chance < white => 'M',
                chance if chance < white + black => 'm',
                _ => '1',
            });
            letters.collect()
        })
        .collect();
    let mut step = || {
        let (file, rank) = (rng.random_range(0..4), rng.random_range(1..=5));
        let mut points = [(b'a' + file) as char, (b'a' + file + 1) as char];
        if rng.random() {
            points.reverse();
        }
        match rng.random_range(0..3) {
            0 => "-".to_owned(),
            _ => format!("{}{rank}{}{rank}", points[0], points[1]),
        }
    };
    let steps = [step(), step()].join(" ");
    let side = if rng.random() { "w" } else { "b" };
    read(&format!("{} {side} {steps} 0 1", ranks.join("/")))
}

pub fn walk(seed: u64, plies: usize) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(seed);
    let special: Vec<&str> = fens(POSITIONS).collect();
    let start = match (seed % 3, special.choose(&mut rng)) {
        (1, Some(fen)) => read(fen),
        (2, _) => random_position(&mut rng),
        _ => read(START_FEN),
    };
    let next =
        |position: &Position| position.legal_moves().choose(&mut rng).map(|&mv| position.after(mv));
    iter::successors(Some(start), next).take(plies).collect()
}
