//! Orthodox chess as a third geometry: its published counts prove that this crate's rules of chess
//! do not just fit two games.

mod geometry;

use geometry::Position;
use qirkat_game::{ReadMove, Rules, Searchable, perft, perft_unbulked};

use super::tables::{assert_counts, perft_counts};

#[test]
fn perft_counts_match_published_ones() {
    assert_counts::<Position>("orthodox", 4_000_000);
}

#[test]
fn single_moves_agree_with_the_generator() {
    for (fen, _) in perft_counts("orthodox") {
        let position: Position = fen.parse().expect(fen);
        assert_eq!(position.fen(), fen);
        assert_eq!(perft_unbulked(&position, 3), perft(&position, 3), "{fen}");
        assert_eq!(position.flipped().count_legal_moves(), position.count_legal_moves(), "{fen}");
        for mv in position.legal_moves() {
            let after = position.after(mv);
            assert!(position.is_legal(mv), "{fen} {mv}");
            assert_eq!(position.gives_check(mv), after.in_check(), "{fen} {mv}");
            assert_eq!(position.parse_san(&position.san(mv)), Ok(mv), "{fen}");
            assert_eq!(after.fen().parse::<Position>().map(|read| read.key()), Ok(after.key()));
        }
        for from in geometry::Square::all() {
            for to in geometry::Square::all() {
                let mv = qirkat_rules::chess::Move::new(from, to);
                assert_eq!(position.why_illegal(mv).is_none(), position.is_legal(mv), "{mv}");
            }
        }
    }
}
