use qirkat_game::perft;
use qirkat_rules::alquerque::{Position, START_FEN};

use super::super::tables::{assert_counts, assert_table, fens};
use super::{POSITIONS, read};

const COUNTS: &[(&str, &[u64])] = &[
    (START_FEN, &[4, 5, 6, 12, 27, 97, 415, 1_860, 8_121, 38_581, 189_069, 974_654, 5_073_351]),
    // Thousands of chains of one man, each leading to a different board.
    (
        "5/1mmm1/1m1m1/mmmmm/1mMm1 w - - 0 1",
        &[3_278, 19_810, 32_872, 195_216, 402_664, 1_991_688, 3_878_304],
    ),
    // Men on every second point.
    (
        "1m1m1/m1m1m/1m1m1/m1m1m/1mMm1 w - - 0 1",
        &[68, 408, 916, 5_364, 13_820, 85_044, 115_808, 740_612],
    ),
    // Every point is occupied except the landing points.
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
    // Back to the starting point, in both directions.
    ("3m1/2m1m/2Mm1/5/5 w - - 0 1", &[2, 0, 0]),
];

#[test]
fn perft_counts_are_correct() {
    assert_counts::<Position>(COUNTS);
    for &(fen, counts) in COUNTS {
        let position = read(fen);
        for seen in [position.flipped(), position.mirrored(), position.flipped().mirrored()] {
            let depth = counts.len() as u32 - 1;
            assert_eq!(perft(&seen, depth), counts[counts.len() - 2], "{seen}");
        }
    }
}

#[test]
fn special_positions_are_correct() {
    assert_table::<Position>(POSITIONS, 30);
    assert_table::<Position>(include_str!("../../data/alquerque_rules.txt"), 47);
    assert!(fens(POSITIONS).all(|fen| read(fen).fen() == fen), "not as they would be written");
}
