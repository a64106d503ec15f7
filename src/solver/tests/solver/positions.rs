//! Certificates of positions with few men that are won.

use qirkat_rules::alquerque::Color;
use qirkat_solver::{Certificate, Prover, ProverError};
use rand::SeedableRng;
use rand::rngs::StdRng;

pub use super::few_men::*;

/// Nodes after which a search for a proof is given up, and another position taken.
const MOST_NODES: u64 = 40_000;
const MEGABYTES: usize = 16;

/// Certificates of 4 to 7 men, of either winner, with either side to move: one of each.
pub fn certificates(seed: u64) -> Vec<Certificate> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut certificates = Vec::new();
    for men in 4..=7 {
        for winner in Color::ALL {
            for to_move in Color::ALL {
                certificates.push(certificate(&mut rng, men, winner, to_move));
            }
        }
    }
    certificates
}

fn certificate(rng: &mut StdRng, men: usize, winner: Color, to_move: Color) -> Certificate {
    loop {
        let position = random_position(rng, men);
        if position.side_to_move() != to_move {
            continue;
        }
        let mut prover = Prover::new(&FOUR_MEN, winner, MEGABYTES).expect("memory");
        match prover.prove(&position, &mut |prover| prover.nodes() < MOST_NODES) {
            Ok(true) => {}
            Ok(false) | Err(ProverError::Stopped) => continue,
            Err(error) => panic!("{position}: {error}"),
        }
        let certificate = Certificate::new(&prover, &position).expect("a proof");
        // Neither over at once nor larger than a test has time for.
        if (8..4_000).contains(&certificate.decisions.len()) {
            return certificate;
        }
    }
}
