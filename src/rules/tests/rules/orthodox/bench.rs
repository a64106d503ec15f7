//! Orthodox chess on this crate's generator against cozy-chess: perft of the same positions to the
//! same depth, with bulk counting of the last ply.

#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark may fail and is no library")]

#[allow(dead_code, reason = "the tests need all of it")]
#[path = "geometry.rs"]
mod geometry;
#[allow(dead_code, reason = "the tests need all of it")]
#[path = "../tables.rs"]
mod tables;

use std::hint::black_box;
use std::time::{Duration, Instant};

use geometry::Position;
use qirkat_game::perft;
use tables::perft_counts;

/// Runs of each; the median is reported.
const ROUNDS: usize = 9;
const MOST: u64 = 20_000_000;

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn timed(count: impl Fn() -> u64, expected: u64) -> Duration {
    let start = Instant::now();
    assert_eq!(black_box(count()), expected);
    start.elapsed()
}

fn main() {
    println!("{:<74}{:>6}{:>10}{:>10}{:>7}", "", "depth", "Mnodes/s", "cozy", "ratio");
    let mut ratios = Vec::new();
    for (fen, counts) in perft_counts("orthodox").filter(|(_, counts)| counts[0].0 == 1) {
        let known = counts.into_iter().rfind(|&(_, count)| count <= MOST);
        let (depth, expected) = known.expect("a count that is low enough");
        let position: Position = fen.parse().expect(fen);
        let cozy: cozy_chess::Board = fen.parse().expect(fen);
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            times[0].push(timed(|| perft(black_box(&position), depth), expected));
            times[1].push(timed(|| cozy_perft(black_box(&cozy), depth), expected));
        }
        let [ours, theirs] = times.map(|mut times| {
            times.sort();
            expected as f64 / times[ROUNDS / 2].as_secs_f64() / 1e6
        });
        println!("{fen:<74}{depth:>6}{ours:>10.1}{theirs:>10.1}{:>7.2}", ours / theirs);
        ratios.push(ours / theirs);
    }
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
    println!("geometric mean of the ratios: {:.2}", mean.exp());
}
