use qirkat_game::{ReadMove, Rules};
use qirkat_rules::chesquerque::Chesquerque;
use qirkat_rules::chess::{Geometry, Kind, Move, Position, Square};
use qirkat_rules::masonic::Masonic;
use qirkat_rules::variant::Variant;

use super::tables::{CHESQUERQUE, MASONIC, fens, lines, read};

#[test]
fn illegal_moves_have_the_expected_reasons() {
    for fields in lines(include_str!("../data/illegal_moves.txt")) {
        let [game, fen, text, reason] = fields[..] else { panic!("four fields: {fields:?}") };
        let variant: Variant = game.parse().expect(game);
        let position = match fen {
            "start" => variant.start(),
            _ => variant.read_fen(fen).expect(fen).position,
        };
        let found = position.read_move(text).map_err(|error| error.to_string());
        assert_eq!(found, Err(reason.to_owned()), "{fen} {text}");
    }
}

fn assert_legal_or_explained<G: Geometry>(position: &Position<G>) {
    let squares = || (0..G::Square::COUNT).filter_map(G::Square::from_index);
    for (from, to) in squares().flat_map(|from| squares().map(move |to| (from, to))) {
        for promotion in [None, Some(G::Kind::PROMOTIONS[0]), Some(G::Kind::PAWN)] {
            let mv = Move { from, to, promotion };
            let is_legal = position.is_legal(mv);
            assert_eq!(position.why_illegal(mv).is_none(), is_legal, "{position} {mv}");
        }
    }
}

#[test]
fn every_move_is_legal_or_explained() {
    for fen in fens(CHESQUERQUE).step_by(10) {
        assert_legal_or_explained::<Chesquerque>(&read(fen));
    }
    for fen in fens(MASONIC).step_by(5) {
        assert_legal_or_explained::<Masonic>(&read(fen));
    }
}
