//! The move generator of Chesquerque against fixed counts, a table of special cases, and a slow
//! generator.

use qirkat_game::Rules;
use qirkat_rules::chesquerque::{Bitboard, Chesquerque, Point, Position, START_FEN};
use qirkat_testing::reference::RefPosition;
use rand::RngExt;
use rand::rngs::StdRng;

use super::reference::compare_walks;
use super::tables::{CHESQUERQUE, assert_counts, assert_table};

const COUNTS: &[(&str, &[u64])] = &[
    (START_FEN, &[18, 324, 6_746, 140_011, 3_331_202, 78_754_786]),
    (
        "r3k3r/pp2b1ppp/2n1q1a2/2pp1p3/4P1N2/2PB1P3/1P1Q1AP1P/P2N5/R3K3R w KQkq - 0 1",
        &[44, 2_098, 93_662, 4_428_990, 201_495_053],
    ),
    (
        "4k4/1P5P1/2n3r2/3b1a3/4q4/2R1Q4/1N1B1A3/1p5p1/4K4 w - - 0 1",
        &[46, 2_607, 113_073, 6_448_277, 288_734_061],
    ),
    // Two checks parried by one interposition.
    ("1n7/b1b3r2/3k1p1p1/p2Ppr3/1pP1PnP1p/B7P/P5P2/2Q3BA1/1N3KR2 b - - 0 1", &[33, 893]),
];

#[test]
fn counts_and_special_positions_are_correct() {
    assert_counts::<Position>(COUNTS);
    assert_table::<Position>(CHESQUERQUE, 200);
}

#[test]
fn random_walks_agree_with_the_reference() {
    compare_walks::<Chesquerque>([60, 1_400, 50_000], 70, CHESQUERQUE, compare_attacks);
}

/// Attackers of the king's point and another one, checks, and in some positions pins, which are
/// slow to compute.
fn compare_attacks(position: &Position, slow: &RefPosition, rng: &mut StdRng) {
    let indices = |set: Bitboard| set.into_iter().map(Point::index).collect::<Vec<_>>();
    let king = position.king(position.side_to_move());
    let any = Point::from_index(rng.random_range(0..Point::COUNT)).expect("there are 81");
    for point in [king, any] {
        let expected = slow.attackers(point.index());
        assert_eq!(indices(position.attackers(point)), expected, "{point} in {position}");
    }
    assert_eq!(indices(position.checkers()), slow.checkers(), "{position}");
    if rng.random_bool(0.1) {
        assert_eq!(indices(position.pinned()), slow.pinned(), "{position}");
    }
}
