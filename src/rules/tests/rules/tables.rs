//! Tables of cases, in one format for every game.

use std::fmt::Display;
use std::str::FromStr;

use qirkat_game::{Rules, perft, perft_unbulked};
use qirkat_testing::effort;

pub const CHESQUERQUE: &str = include_str!("../data/special_positions.txt");
pub const MASONIC: &str = include_str!("../data/masonic_positions.txt");

pub fn read<P: FromStr<Err: Display>>(fen: &str) -> P {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub fn lines(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split(';').map(str::trim).collect())
}

pub fn fens(table: &str) -> impl Iterator<Item = &str> {
    lines(table).map(|fields| fields[0])
}

pub fn sorted(texts: impl IntoIterator<Item: Display>) -> Vec<String> {
    let mut texts: Vec<String> = texts.into_iter().map(|text| text.to_string()).collect();
    texts.sort();
    texts
}

/// The positions of a game, each with depths and its perft counts.
pub fn perft_counts(game: &str) -> impl Iterator<Item = (&'static str, Vec<(u32, u64)>)> {
    let lines = lines(include_str!("../data/perft.txt")).filter(move |fields| fields[0] == game);
    lines.map(|fields| {
        let counts = (1..).zip(fields[2].split(' '));
        let counts = counts.filter_map(|(depth, count)| Some((depth, count.parse().ok()?)));
        (fields[1], counts.collect())
    })
}

/// Compares counts up to `most` in the default run, and further in longer ones.
pub fn assert_counts<P: Rules + FromStr<Err: Display>>(game: &str, most: u64) {
    let most = effort([most, 800_000_000, u64::MAX]);
    for (fen, counts) in perft_counts(game) {
        let position: P = read(fen);
        for &(depth, count) in counts.iter().filter(|(_, count)| *count <= most) {
            assert_eq!(perft(&position, depth), count, "{fen} at depth {depth}");
        }
        if let Some(&(depth, count)) = counts.iter().rfind(|(depth, _)| *depth <= 3) {
            assert_eq!(perft_unbulked(&position, depth), count, "{fen} move by move");
        }
    }
}

/// Each line: FEN; perft from depth 1; the number of moves (`=`), moves that must (`+`) and must
/// not (`-`) be legal; a description.
pub fn assert_table<P: Rules + FromStr<Err: Display>>(table: &str, least: usize) {
    let mut positions = 0;
    for fields in lines(table) {
        let [fen, counts @ .., moves, reason] = &fields[..] else {
            panic!("at least three fields expected in: {fields:?}");
        };
        let position: P = read(fen);
        for (depth, count) in (1..).zip(counts) {
            let counted = perft(&position, depth).to_string();
            assert_eq!(&counted, count, "{fen} at depth {depth}: {reason}");
        }
        let legal = sorted(position.legal_moves());
        assert!(legal.windows(2).all(|pair| pair[0] != pair[1]), "a move twice in {fen}");
        for token in moves.split_whitespace() {
            let (wanted, text) = token.split_at(1);
            let holds = match wanted {
                "=" => legal.len().to_string() == text,
                _ => legal.iter().any(|mv| mv == text) == (wanted == "+"),
            };
            assert!(holds, "{fen} {token}: {reason}");
        }
        positions += 1;
    }
    assert!(positions >= least, "only {positions} positions in the table");
}
