use qirkat_game::perft;
use qirkat_rules::alquerque::Position;

use super::super::tables::{assert_counts, assert_table, fens, perft_counts};
use super::{POSITIONS, read};

#[test]
fn perft_counts_are_correct() {
    assert_counts::<Position>("alquerque", 10_000_000);
    for (fen, counts) in perft_counts("alquerque") {
        let (position, (depth, count)) = (read(fen), counts[counts.len() - 2]);
        for seen in [position.flipped(), position.mirrored(), position.flipped().mirrored()] {
            assert_eq!(perft(&seen, depth), count, "{seen}");
        }
    }
}

#[test]
fn special_positions_are_correct() {
    assert_table::<Position>(POSITIONS, 30);
    assert_table::<Position>(include_str!("../../data/alquerque_rules.txt"), 47);
    assert!(fens(POSITIONS).all(|fen| read(fen).fen() == fen), "not as they would be written");
}
