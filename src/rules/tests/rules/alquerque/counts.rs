//! Perft counts, and the table of special positions.

use qirkat_game::{perft, perft_unbulked};
use qirkat_rules::alquerque::{Position, START_FEN};

use super::read;

/// Positions with their perft counts from depth 1.
const COUNTS: &[(&str, &[u64])] = &[
    (START_FEN, &[4, 5, 6, 12, 27, 97, 415, 1_860, 8_121, 38_581, 189_069, 974_654, 5_073_351]),
    // Thousands of chains of one man, each leaving another board behind.
    (
        "5/1mmm1/1m1m1/mmmmm/1mMm1 w - - 0 1",
        &[3_278, 19_810, 32_872, 195_216, 402_664, 1_991_688, 3_878_304],
    ),
    // Men on every second point.
    (
        "1m1m1/m1m1m/1m1m1/m1m1m/1mMm1 w - - 0 1",
        &[68, 408, 916, 5_364, 13_820, 85_044, 115_808, 740_612],
    ),
    // All but the points to land on is full.
    ("1m1m1/mmmmm/1m1m1/2m2/M4 w - - 0 1", &[3, 42, 72, 465, 7_600, 59_704, 138_227, 971_160]),
    // A tree of chains.
    ("5/1m1m1/1m1m1/1m1m1/M4 w - - 0 1", &[7, 57, 109, 684, 1_294, 6_866, 13_891, 68_675]),
    // Steps forbidden to both sides.
    ("5/5/3M1/2m2/M4 w d3c3 c2d2 2 7", &[5, 9, 26, 8, 30, 44, 100, 50]),
    // A middle game with a forbidden step.
    (
        "mm1mm/1m2m/M2m1/M1M1M/2MMM b d5c5 - 1 20",
        &[13, 61, 480, 3_116, 21_442, 137_498, 869_174, 5_509_281],
    ),
    // Men that block each other.
    ("1m1m1/2m2/1mMm1/5/M3M w - - 0 1", &[4, 42, 262, 1_862, 9_828, 63_970, 313_856, 1_952_548]),
    // Round to the own starting point, in both ways.
    ("3m1/2m1m/2Mm1/5/5 w - - 0 1", &[2, 0, 0]),
];

#[test]
fn perft_counts_are_right() {
    for &(fen, counts) in COUNTS {
        let position = read(fen);
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), count, "{fen} at depth {depth}");
        }
        for seen in [position.flipped(), position.mirrored(), position.flipped().mirrored()] {
            let depth = counts.len() as u32 - 1;
            assert_eq!(perft(&seen, depth), counts[counts.len() - 2], "{seen}");
        }
        assert_eq!(perft_unbulked(&position, 3), counts[2], "{fen} move by move");
    }
}

/// Each line of the table: FEN; perft 1, 2, 3; moves that must (`+`) and must
/// not (`-`) be there; what the position is about.
#[test]
fn special_positions_are_right() {
    let table = include_str!("../../data/alquerque_positions.txt");
    let mut positions = 0;
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [fen, one, two, three, moves, reason] = fields[..] else {
            panic!("six fields expected in: {line}");
        };
        let position = read(fen);
        assert_eq!(position.fen(), fen, "not as it would be written: {reason}");
        for (depth, count) in [(1, one), (2, two), (3, three)] {
            let counted = perft(&position, depth).to_string();
            assert_eq!(counted, count, "{fen} at depth {depth}: {reason}");
        }
        check_moves(&position, moves, reason);
        positions += 1;
    }
    assert!(positions >= 30, "only {positions} positions in the table");
}

fn check_moves(position: &Position, moves: &str, reason: &str) {
    let legal: Vec<String> = position.legal_moves().iter().map(|mv| mv.to_string()).collect();
    for token in moves.split_whitespace() {
        let (wanted, text) = token.split_at(1);
        let is_there = legal.iter().any(|mv| mv == text);
        assert_eq!(is_there, wanted == "+", "{position} {token}: {reason}");
    }
}
