use qirkat_game::{GameState, Rules};
use qirkat_problem::solver::{
    Certificate, GameValue, Prover, ProverError, Solver, winning_strategy,
};
use qirkat_rules::alquerque::Color;
use qirkat_testing::effort;
use rand::SeedableRng;
use rand::rngs::StdRng;

pub use super::few_men::*;

/// A proof that takes more nodes is abandoned for another position.
const MAX_NODES: u64 = 40_000;
const MEGABYTES: usize = 16;

/// Certificates of 4 to 7 men, of either winner, with either side to move: one of each; and two
/// of draws.
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
    certificates.extend(DRAWN.map(drawn));
    certificates
}

/// No side has to advance, or can be forced to.
pub const DRAWN: [&str; 2] = ["5/MM3/5/mm3/5 w - - 0 1", "5/2MM1/5/1mm2/5 b - - 0 1"];

fn drawn(fen: &str) -> Certificate {
    let tables = &*FOUR_MEN;
    let solver = Solver { tables, megabytes: MEGABYTES, threads: 1, certifies_tables: true };
    match solver.solve(&GameState::from_position(read(fen)), None, &|_| true) {
        Ok(GameValue::Drawn { certificate: Some((certificate, _)) }) => certificate,
        other => panic!("{fen}: {other:?}"),
    }
}

fn certificate(rng: &mut StdRng, men: usize, winner: Color, to_move: Color) -> Certificate {
    loop {
        let position = random_position(rng, men);
        if position.side_to_move() != to_move {
            continue;
        }
        let prover = Prover::new(&FOUR_MEN, winner, MEGABYTES).expect("memory");
        match prover.prove(&position, &|prover| prover.nodes() < MAX_NODES) {
            Ok(true) => {}
            Ok(false) | Err(ProverError::Stopped) => continue,
            Err(error) => panic!("{position}: {error}"),
        }
        let certificate = winning_strategy(&prover, &position).expect("a proof");
        // Neither over at once nor too large for a test.
        if (8..effort([400, 4_000, 4_000])).contains(&certificate.decisions.len()) {
            return certificate;
        }
    }
}
