//! Random positions with few men, and their tables.

use std::sync::LazyLock;

use qirkat_rules::alquerque::Position;
use qirkat_tablebase::alquerque::DistanceTables;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::index::sample;

const POINTS: usize = 25;
const FILES: usize = 5;

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

/// A position with this many men, often with forbidden steps.
pub fn random_position(rng: &mut StdRng, men: usize) -> Position {
    let mut board = ['1'; POINTS];
    let points = sample(rng, POINTS, men).into_vec();
    for &point in &points {
        board[point] = if rng.random() { 'M' } else { 'm' };
    }
    // Impossible steps are dropped when the FEN is read.
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
