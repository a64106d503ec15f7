//! The move generator of Chesquerque against fixed counts, a table of special cases, and a slow
//! generator.

use qirkat_game::Rules;
use qirkat_rules::chesquerque::{Bitboard, Chesquerque, Point, Position};
use qirkat_testing::reference::RefPosition;
use rand::RngExt;
use rand::rngs::StdRng;

use super::reference::compare_walks;
use super::tables::{CHESQUERQUE, assert_counts, assert_table};

#[test]
fn counts_and_special_positions_are_correct() {
    assert_counts::<Position>("chesquerque", 10_000_000);
    assert_table::<Position>(CHESQUERQUE, 200);
}

#[test]
fn random_walks_agree_with_the_reference() {
    compare_walks::<Chesquerque>([30, 1_400, 50_000], 70, CHESQUERQUE, compare_attacks);
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
