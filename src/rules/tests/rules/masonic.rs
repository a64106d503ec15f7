//! Masonic chess: the move generator against fixed counts, a table of special cases and a slow
//! generator; and properties of any position.

use qirkat_game::{ReadMove, Rules, perft};
use qirkat_rules::masonic::{Masonic, Position, START_FEN};
use qirkat_testing::walk;

use super::reference::compare_walks;
use super::tables::{MASONIC, assert_counts, assert_table, fens, read as read_any};

fn read(fen: &str) -> Position {
    read_any(fen)
}

#[test]
fn counts_and_special_positions_are_correct() {
    assert_counts::<Position>("masonic", 10_000_000);
    assert_table::<Position>(MASONIC, 92);
    assert_table::<Position>(include_str!("../data/masonic_rules.txt"), 70);
}

#[test]
fn random_walks_agree_with_the_reference() {
    compare_walks::<Masonic>([15, 1_000, 20_000], 50, MASONIC, |_, _, _| ());
}

fn positions() -> impl Iterator<Item = Position> {
    (0..60).flat_map(|seed| walk(seed, 100, 0.2)).chain(fens(MASONIC).map(read))
}

#[test]
fn rotation_with_swapped_colors_changes_only_castling() {
    let mut en_passant = 0;
    for position in positions() {
        let turned = position.flipped();
        assert_eq!(read(&turned.fen()).fen(), turned.fen());
        let there_and_back = turned.flipped();
        assert_eq!(turned.in_check(), position.in_check(), "{position}");
        assert_eq!(perft(&there_and_back, 2), perft(&turned, 2), "{position}");
        if position.castling().is_empty() {
            assert_eq!(there_and_back, position);
        }
        assert_eq!(position.castling_lost_by_flipping(), position.castling());
        en_passant += usize::from(turned.en_passant().is_some());
    }
    assert!(en_passant > 20, "only {en_passant} positions with en passant");
}

#[test]
fn the_double_stepped_pawn_is_part_of_the_key() {
    // White's e2-f4 and f2-e4 both pass f3, and both pawns end side by side.
    let before = [
        ("4k3/8/8/8/3pP3/8/4P3/4K3 w - - 0 1", "e2f4", "f4"),
        ("4k3/8/8/8/3p1P2/8/5P2/4K3 w - - 0 1", "f2e4", "e4"),
    ];
    let after = before.map(|(fen, mv, pawn)| {
        let position = read(fen);
        let next = position.after(position.read_move(mv).expect("a legal move"));
        let target = next.en_passant().expect("a capture is legal");
        assert_eq!([target.passed, target.pawn].map(|cell| cell.to_string()), ["f3", pawn]);
        next
    });
    assert_eq!(after[0].fen(), after[1].fen());
    assert_ne!(after[0].key(), after[1].key());
    assert_eq!(read(&after[0].fen()).en_passant(), after[1].en_passant());
    let taken = after.map(|position| {
        let mv = position.read_move("d4f3").expect("en passant is legal");
        position.after(mv).fen()
    });
    assert_eq!(taken[0], "4k3/8/8/8/4P3/5p2/8/4K3 w - - 0 2");
    assert_eq!(taken[1], "4k3/8/8/8/5P2/5p2/8/4K3 w - - 0 2");
}

#[test]
fn null_moves_need_pieces() {
    for (fen, may_pass) in [
        (START_FEN, true),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1", true),
    ] {
        let position = read(fen);
        let passed = qirkat_game::Searchable::null_move(&position);
        assert_eq!(passed.is_some(), may_pass, "{fen}");
        if let Some(passed) = passed {
            assert_eq!(read(&passed.fen()), passed);
            assert_ne!(passed.side_to_move(), position.side_to_move());
        }
    }
}
