//! The move generator's speed, with cozy-chess's perft in the same run as the
//! yardstick. The fair figure between two games is the time per leaf parent:
//! the time of a perft divided by the perft one ply less deep.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may fail and is no library")]

mod yardstick;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use qirkat::chesquerque::{Position, START_FEN};
use qirkat::game::{Board, Rules, perft, perft_unbulked};
use qirkat::{alquerque, masonic};
use yardstick::cozy_perft;

const OPEN_MIDDLE_GAME: &str =
    "r3k3r/pp2b1ppp/2n1q1a2/2pp1p3/4P1N2/2PB1P3/1P1Q1AP1P/P2N5/R3K3R w KQkq - 0 1";
const SPARSE_MIDDLE_GAME: &str = "4k4/1P5P1/2n3r2/3b1a3/4q4/2R1Q4/1N1B1A3/1p5p1/4K4 w - - 0 1";

const MASONIC_MIDDLE_GAME: &str = "r1b1k2r/pp1nqppp/2p2n2/3p4/2PP4/2N1PN2/PP1BQPPP/R3K2R w - - 0 1";

/// One perft to measure: its run, and the count it is divided by.
struct Case {
    name: &'static str,
    run: Box<dyn Fn() -> u64>,
    /// Leaf parents of the bulk runs, nodes of the others.
    units: u64,
    /// The case that this one is compared with.
    yardstick: &'static str,
}

fn cases() -> Vec<Case> {
    const COZY_BULK: &str = "cozy-chess, bulk";
    const COZY_SINGLE: &str = "cozy-chess, single moves";
    let cozy = |name, depth, bulk| {
        let board = cozy_chess::Board::default();
        let units = cozy_perft(&board, depth - u32::from(bulk), true);
        let run = Box::new(move || cozy_perft(black_box(&board), depth, bulk));
        Case { name, run, units, yardstick: name }
    };
    fn of<G: Rules>(name: &'static str, position: G, depth: u32, bulk: bool) -> Case {
        let units = perft(&position, depth - u32::from(bulk));
        let count = if bulk { perft } else { perft_unbulked };
        let run = Box::new(move || count(black_box(&position), depth));
        Case { name, run, units, yardstick: if bulk { COZY_BULK } else { COZY_SINGLE } }
    }
    let valid = "the benchmark positions are valid";
    let ours =
        |name, fen, depth, bulk| of(name, Position::from_exact_fen(fen).expect(valid), depth, bulk);
    let masonic = |name, fen, depth| {
        of(name, masonic::Position::from_exact_fen(fen).expect(valid), depth, true)
    };
    vec![
        cozy(COZY_BULK, 6, true),
        ours("start, bulk", START_FEN, 6, true),
        ours("open middle game, bulk", OPEN_MIDDLE_GAME, 5, true),
        ours("sparse middle game, bulk", SPARSE_MIDDLE_GAME, 5, true),
        masonic("Masonic chess, start", masonic::START_FEN, 5),
        masonic("Masonic chess, middle game", MASONIC_MIDDLE_GAME, 4),
        of("Alquerque, start", alquerque::Position::start(), 13, true),
        cozy(COZY_SINGLE, 5, false),
        ours("start, single moves", START_FEN, 5, false),
    ]
}

/// Runs all cases in turn, several rounds, so that drift of the machine hits
/// them alike; reports medians and the ratio to the yardstick.
fn compare(cases: &[Case]) {
    const ROUNDS: usize = 9;
    let mut times: Vec<Vec<Duration>> = cases.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for (case, times) in cases.iter().zip(&mut times) {
            let start = Instant::now();
            black_box((case.run)());
            times.push(start.elapsed());
        }
    }
    let per_unit: Vec<f64> = cases
        .iter()
        .zip(&mut times)
        .map(|(case, times)| {
            times.sort();
            times[ROUNDS / 2].as_secs_f64() * 1e9 / case.units as f64
        })
        .collect();
    println!("{:<26}{:>10}{:>8}", "", "ns a unit", "ratio");
    for (case, ns) in cases.iter().zip(&per_unit) {
        let yardstick = cases.iter().position(|other| other.name == case.yardstick);
        let ratio = yardstick.map_or(1.0, |index| ns / per_unit[index]);
        println!("{:<26}{ns:>10.2}{ratio:>8.2}", case.name);
    }
}

fn movegen(criterion: &mut Criterion) {
    let cases = cases();
    compare(&cases);
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
    for case in &cases {
        group.bench_function(case.name, |bencher| bencher.iter(|| (case.run)()));
    }
    group.finish();
}

criterion_group!(benches, movegen);
criterion_main!(benches);
