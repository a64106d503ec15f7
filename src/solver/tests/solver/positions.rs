//! Positions with few men, by chance, and certificates of those that are won.

use std::sync::LazyLock;

use qirkat_game::GameState;
use qirkat_rules::alquerque::{Color, Position};
use qirkat_solver::{Certificate, DistanceTables, Prover, ProverError, Solution, Solver};
use rand::rngs::StdRng;
use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};

const POINTS: usize = 25;
const FILES: usize = 5;
/// Nodes after which a search for a proof is given up, and another position taken.
const MOST_NODES: u64 = 40_000;
const MEGABYTES: usize = 16;

pub static FOUR_MEN: LazyLock<DistanceTables> = LazyLock::new(|| DistanceTables::new(4));
pub static FIVE_MEN: LazyLock<DistanceTables> = LazyLock::new(|| DistanceTables::new(5));

pub fn read(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")).position
}

/// The FEN of men on points from 0, `a1` first along the ranks.
pub fn fen(men: impl Fn(usize) -> char, side: char, steps: [&str; 2]) -> String {
    let ranks: Vec<String> = (0..FILES)
        .rev()
        .map(|rank| (0..FILES).map(|file| men(rank * FILES + file)).collect())
        .collect();
    format!("{} {side} {} {} 0 1", ranks.join("/"), steps[0], steps[1])
}

/// A position with so many men. Steps are often forbidden.
pub fn random_position(rng: &mut StdRng, men: usize) -> Position {
    let mut board = ['1'; POINTS];
    let points = sample(rng, POINTS, men).into_vec();
    for &point in &points {
        board[point] = if rng.random() { 'M' } else { 'm' };
    }
    // A step that the men do not allow is dropped on reading.
    let mut step = || {
        let from = points[rng.random_range(0..men)];
        let to = if rng.random() { from + 1 } else { from.saturating_sub(1) };
        if from / FILES == to / FILES && from != to {
            format!("{}{}", point_name(from), point_name(to))
        } else {
            "-".to_owned()
        }
    };
    let steps = [step(), step()];
    let side = if rng.random() { 'w' } else { 'b' };
    read(&fen(|point| board[point], side, [&steps[0], &steps[1]]))
}

pub fn point_name(point: usize) -> String {
    let file = (b'a' + (point % FILES) as u8) as char;
    format!("{file}{}", point / FILES + 1)
}

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

/// Neither side has to come onward, and neither can be forced to.
pub const DRAWN: [&str; 2] = ["5/MM3/5/mm3/5 w - - 0 1", "5/2MM1/5/1mm2/5 b - - 0 1"];

fn drawn(fen: &str) -> Certificate {
    let tables = &*FOUR_MEN;
    let solver = Solver { tables, megabytes: MEGABYTES, threads: 1, certifies_tables: true };
    match solver.solve(&GameState::from_position(read(fen)), None, &|_| true) {
        Ok(Solution::Drawn { certificate: Some((certificate, _)) }) => certificate,
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
        match prover.prove(&position, &|prover| prover.nodes() < MOST_NODES) {
            Ok(true) => {}
            Ok(false) | Err(ProverError::Stopped) => continue,
            Err(error) => panic!("{position}: {error}"),
        }
        let certificate = Certificate::of_win(&prover, &position).expect("a proof");
        // Neither over at once nor larger than a test has time for.
        if (8..4_000).contains(&certificate.decisions.len()) {
            return certificate;
        }
    }
}
