//! Moves as text: algebraic notation both ways, what is rejected and why, and that any text is
//! safe.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use qirkat_game::{ReadMove, Rules};
use qirkat_rules::chesquerque::{Chesquerque, Move, Position, SanError};

use qirkat_rules::chess::{self, Geometry};
use qirkat_rules::masonic::Masonic;
use qirkat_rules::variant::Variant;
use qirkat_testing::{ANY, effort, texts_like, walk};

use super::tables::{CHESQUERQUE, MASONIC, fens, lines, read, sorted};

fn cases(table: &str) -> impl Iterator<Item = [&str; 3]> {
    lines(table).map(|fields| fields.try_into().expect("three fields"))
}

#[test]
fn moves_survive_a_round_trip() {
    for [fen, long, san] in cases(include_str!("../data/san_written.txt")) {
        let variant = Variant::with_board_of(fen).expect(fen);
        let position = variant.read_fen(fen).expect(fen).position;
        let mv = position.read_move(long).expect(long);
        assert_eq!(position.san(mv), san, "{fen} {long}");
        assert_eq!(position.parse_san(san), Ok(mv), "{fen} {san}");
    }
}

fn assert_read_back<G: Geometry>(table: &str) {
    let walks =
        (0..effort([15, 60, 600])).flat_map(|seed| walk::<chess::Position<G>>(seed, 150, 0.1));
    for position in walks.chain(fens(table).map(read)) {
        let moves = position.legal_moves();
        let sans = sorted(moves.iter().map(|&mv| position.san(mv)));
        assert!(sans.windows(2).all(|pair| pair[0] != pair[1]), "two look alike in {position}");
        for &mv in &moves {
            let san = position.san(mv);
            assert_eq!(position.parse_san(&san), Ok(mv), "{san} in {position}");
            assert_eq!(position.read_move(&mv.to_string()), Ok(mv), "{mv} in {position}");
        }
    }
}

#[test]
fn moves_of_any_position_survive_a_round_trip() {
    assert_read_back::<Chesquerque>(CHESQUERQUE);
    assert_read_back::<Masonic>(MASONIC);
}

#[test]
fn alternative_spellings_are_read() {
    for [fen, text, long] in cases(include_str!("../data/san_understood.txt")) {
        assert_eq!(read::<Position>(fen).parse_san(text), Ok(legal(fen, long)), "{fen} {text}");
    }
}

#[test]
fn invalid_moves_are_rejected_with_the_reason() {
    for text in ["", " e4", "e4\n"] {
        assert!(matches!(Position::start().parse_san(text), Err(SanError::Malformed(_))), "{text}");
    }
    for [fen, text, expected] in cases(include_str!("../data/san_refused.txt")) {
        match read::<Position>(fen).parse_san(text) {
            Ok(mv) => panic!("{fen}: {text} was read as {mv}"),
            Err(error) => assert_eq!(error.to_string(), expected, "{fen}"),
        }
    }
}

#[test]
fn long_algebraic_syntax_is_checked() {
    for text in ["e2e4", "a8a9q", "i2i1a", "e1h1"] {
        assert_eq!(Move::parse(text).map(|mv| mv.to_string()).as_deref(), Some(text));
    }
    for text in [
        "", "0000", "e2", "e2e", "e2e0", "e2j4", "E2E4", "e2-e4", "e2e4 ", "a8a9k", "a8a9p",
        "a8a9=q", "a8a9qq", "éé",
    ] {
        assert_eq!(Move::parse(text), None, "{text:?}");
    }
}

fn legal(fen: &str, text: &str) -> Move {
    let mv = Move::parse(text).filter(|&mv| read::<Position>(fen).is_legal(mv));
    mv.unwrap_or_else(|| panic!("{text} is not legal in {fen}"))
}

fn positions() -> impl Strategy<Value = Position> {
    select(fens(CHESQUERQUE).map(read).collect::<Vec<Position>>())
}

/// Texts with the form of a move, similar ones, and any other.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => texts_like("[KQRBNA]?[a-i]?[1-9]?x?[a-i][1-9](=?[QRBNAKP])?[+#!?]{0,2}"),
        2 => texts_like("[KQRBNAP]?[a-ix1-9]{0,4}[a-i][1-9]=?[QRBNAqrbna]?[+#]?"),
        1 => texts_like("[O0o]-[O0o](-[O0o])?[+#]?"),
        1 => texts_like(ANY),
    ]
}

fn assert_rejected_or_legal(position: &Position, text: &str) {
    match position.parse_san(text) {
        Ok(mv) => {
            assert!(position.is_legal(mv), "{text} {mv} in {position}");
            assert!(position.legal_moves().contains(&mv), "{text} {mv} in {position}");
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.chars().all(|letter| !letter.is_control()), "{message:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: effort([1_000, 20_000, 200_000]),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(81),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_rejected_or_a_legal_move(position in positions(), text in texts()) {
        assert_rejected_or_legal(&position, &text);
    }

    #[test]
    fn an_edited_move_is_rejected_or_a_legal_move(
        position in positions(),
        (which, start) in any::<(Index, Index)>(),
        letter in texts_like("[KQRBNAa-i1-9x=+]?"),
        lost in 0..3_usize,
    ) {
        let moves = position.legal_moves();
        prop_assume!(!moves.is_empty());
        let mut text = position.san(*which.get(&moves));
        let start = start.index(text.len() + 1);
        text.replace_range(start..(start + lost).min(text.len()), &letter);
        assert_rejected_or_legal(&position, &text);
    }

    #[test]
    fn any_long_algebraic_text_is_rejected_or_written_back(
        text in prop_oneof![texts_like("[a-j][0-9][a-j][0-9][a-zA-Z=]?"), texts_like(ANY)],
    ) {
        if let Some(mv) = Move::parse(&text) {
            prop_assert_eq!(mv.to_string(), text.to_lowercase());
            prop_assert_eq!(Move::parse(&mv.to_string()), Some(mv));
        }
    }
}
