//! The functions that a search spends its time in, each on the positions of a
//! few hundred random games, and the whole search in nodes per second with
//! cozy-chess's perft in the same run as the yardstick of the machine.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may fail and is no library")]

mod yardstick;

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use qirkat::Network;
use qirkat::chesquerque::{Game, Key, Move, MoveFilter, PackedMove, Position};
use qirkat::evaluation::Evaluation;
use qirkat::evaluation::network::Evaluator;
use qirkat::game::distance::{Depth, Ply};
use qirkat::game::score::Score;
use qirkat::game::{Rules, Searchable as _};
use qirkat::search::{Bound, TranspositionTable, TtEntry};
use qirkat::{Limits, Searcher};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use yardstick::cozy_perft;

const TABLE_MEGABYTES: usize = 64;
const SEARCHED_NODES: u64 = 4_000_000;
const ROUNDS: usize = 3;

/// Positions after 10 to 60 random moves.
fn positions() -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(17);
    (0..512)
        .map(|_| {
            let mut position = Position::start();
            for _ in 0..rng.random_range(10..60) {
                if let Some(&mv) = position.legal_moves().choose(&mut rng) {
                    position = position.after(mv);
                }
            }
            position
        })
        .collect()
}

/// A random game, as long as a search may be deep.
fn game() -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(5);
    let next =
        |position: &Position| position.legal_moves().choose(&mut rng).map(|&mv| position.after(mv));
    std::iter::successors(Some(Position::start()), next).take(100).collect()
}

fn with_moves(positions: &[Position], filter: MoveFilter) -> Vec<(Position, Move)> {
    let pair = |position: &Position| {
        let position = *position;
        position.moves(filter).into_iter().map(move |mv| (position, mv)).collect::<Vec<_>>()
    };
    positions.iter().flat_map(pair).collect()
}

fn functions(criterion: &mut Criterion) {
    let positions = positions();
    let captures = with_moves(&positions, MoveFilter::Noisy);
    let moves = with_moves(&positions, MoveFilter::All);
    let mut group = criterion.benchmark_group("search");

    let game = game();
    let network = Network::embedded().expect("the program carries one");
    let mut evaluator = Evaluator::new(network, &game[0]);
    group.throughput(Throughput::Elements(game.len() as u64));
    group.bench_function("evaluate by network, move after move", |bencher| {
        bencher.iter(|| {
            let plies = (0..).map(Ply);
            let worths = plies.zip(&game).map(|(ply, position)| evaluator.evaluate(position, ply));
            worths.sum::<i32>()
        });
    });
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("list quiet moves", |bencher| {
        bencher.iter(|| {
            let mut total = 0;
            for position in &positions {
                total += black_box(position).moves(MoveFilter::Quiet).len();
            }
            total
        });
    });
    group.throughput(Throughput::Elements(captures.len() as u64));
    group.bench_function("exchange", |bencher| {
        bencher.iter(|| captures.iter().filter(|(position, mv)| position.see_ge(*mv, 0)).count());
    });
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("make a move, look for check", |bencher| {
        bencher.iter(|| {
            let mut checks = 0;
            for (position, mv) in &moves {
                let mut next = *position;
                next.make(*mv);
                checks += usize::from(next.in_check());
            }
            checks
        });
    });
    let table = TranspositionTable::new(TABLE_MEGABYTES).expect("memory for the table");
    let entry = TtEntry {
        mv: PackedMove::NONE,
        score: Score::DRAW,
        bound: Bound::Lower,
        depth: Depth(5),
        evaluation: None,
        tt_pv: false,
    };
    let mut rng = StdRng::seed_from_u64(4);
    let keys: Vec<Key> = (0..4_000_000).map(|_| Key(rng.random())).collect();
    for &key in &keys {
        table.store(key, Ply::ROOT, entry);
    }
    let probed: Vec<Key> = keys.iter().copied().step_by(997).collect();
    group.throughput(Throughput::Elements(probed.len() as u64));
    group.bench_function("probe the table, far apart", |bencher| {
        bencher
            .iter(|| probed.iter().filter(|&&key| table.probe(key, Ply::ROOT).is_some()).count());
    });
    group.finish();
}

fn nodes_per_second() -> f64 {
    let mut searcher = Searcher::with_resources(Evaluation::embedded(), 1, TABLE_MEGABYTES)
        .expect("memory for the table");
    let game = Game::from_position(Position::start());
    let limits = Limits::nodes(SEARCHED_NODES);
    let start = Instant::now();
    let result = searcher.search(&game, &limits);
    result.nodes as f64 / start.elapsed().as_secs_f64()
}

/// The whole search against the yardstick, in turn, the middle of a few runs.
fn whole_search(_: &mut Criterion) {
    let board = cozy_chess::Board::default();
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        rates[0].push(nodes_per_second());
        let start = Instant::now();
        rates[1]
            .push(cozy_perft(black_box(&board), 6, true) as f64 / start.elapsed().as_secs_f64());
    }
    let [search, yardstick] = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[ROUNDS / 2] / 1e6
    });
    println!(
        "search from the start: {search:.2} M nodes/s; cozy-chess perft 6: {yardstick:.0} M nodes/s; \
         {:.2} M nodes/s where that is 350",
        search * 350.0 / yardstick
    );
}

criterion_group!(benches, whole_search, functions);
criterion_main!(benches);
