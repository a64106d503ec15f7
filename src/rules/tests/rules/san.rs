//! Moves as text: algebraic notation both ways, what is refused and why, and
//! that no text does harm.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use qirkat_game::{ReadMove, Rules};
use qirkat_rules::chesquerque::{Chesquerque, Move, Position, START_FEN};

use qirkat_rules::chess::{self, Geometry};
use qirkat_rules::masonic::Masonic;
use qirkat_testing::{ANY, texts_like, walk};

use super::tables::{CHESQUERQUE, MASONIC, fens, read, sorted};

/// FEN, a move, and how it is written.
const WRITTEN: &[(&str, &str, &str)] = &[
    // Pawns: steps, straight captures from plain points, diagonal captures from diagonal points.
    (START_FEN, "e2e3", "e3"),
    (START_FEN, "e2e4", "e4"),
    ("4k4/9/9/9/9/3P5/9/9/4K4 w - -", "d4d5", "d5"),
    ("4k4/9/9/9/4p4/4P4/9/9/4K4 w - -", "e4e5", "exe5"),
    ("4k4/9/9/4p4/4P4/9/9/9/4K4 b - -", "e6e5", "exe5"),
    ("4k4/9/9/9/4p4/3PPP3/9/9/4K4 w - -", "d4e5", "dxe5"),
    ("4k4/9/9/9/4p4/3PPP3/9/9/4K4 w - -", "e4e5", "exe5"),
    ("4k4/9/9/9/4p4/3PPP3/9/9/4K4 w - -", "f4e5", "fxe5"),
    ("4k4/9/9/3Pp4/9/9/9/9/4K4 w - e7", "d6e7", "dxe7"),
    ("4k4/9/9/4pP3/9/9/9/9/4K4 w - e7", "f6e7", "fxe7"),
    ("4k4/9/9/9/9/3pP4/9/9/4K4 b - e3", "d4e3", "dxe3"),
    // Promotions.
    ("9/P7k/9/9/9/9/9/9/4K4 w - -", "a8a9q", "a9=Q"),
    ("9/P7k/9/9/9/9/9/9/4K4 w - -", "a8a9a", "a9=A"),
    ("9/1P6k/9/9/9/9/9/9/4K4 w - -", "b8b9r", "b9=R"),
    ("r8/P7k/9/9/9/9/9/9/4K4 w - -", "a8a9n", "axa9=N"),
    ("r1r6/1P6k/9/9/9/9/9/9/4K4 w - -", "b8a9b", "bxa9=B"),
    ("r1r6/1P6k/9/9/9/9/9/9/4K4 w - -", "b8c9q", "bxc9=Q"),
    ("4k4/9/9/9/9/9/9/K6p1/6R2 b - -", "h2g1n", "hxg1=N"),
    ("4k4/P8/9/9/9/9/9/9/4K4 w - -", "a8a9q", "a9=Q+"),
    ("9/4P4/k1K6/9/9/9/9/9/9 w - -", "e8e9q", "e9=Q"),
    // Castling.
    ("r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq -", "e1h1", "O-O"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq -", "e1b1", "O-O-O"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R b KQkq -", "e9h9", "O-O"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R b KQkq -", "e9b9", "O-O-O"),
    ("6k2/9/9/9/9/9/9/9/4K3R w K -", "e1h1", "O-O+"),
    ("5rkr1/5p1p1/9/9/9/9/9/9/4K3R w K -", "e1h1", "O-O#"),
    // Kings, checks, mates.
    ("4k4/9/9/9/9/9/9/9/4K4 w - -", "e1d2", "Kd2"),
    ("4k4/9/9/9/9/9/9/4r4/4K4 w - -", "e1e2", "Kxe2"),
    ("4k4/9/9/9/9/9/9/9/R3K4 w - -", "a1a9", "Ra9+"),
    ("9/9/9/9/1Q7/9/9/9/k1K6 w - -", "b5b2", "Qb2#"),
    ("9/9/9/9/9/9/9/2B6/k1K6 w - -", "c2b2", "Bb2#"),
    // The file tells them apart: nothing more is written.
    ("1k7/9/9/9/R7R/9/9/9/K8 w - -", "a5e5", "Rae5"),
    ("1k7/9/9/9/R7R/9/9/9/K8 w - -", "i5e5", "Rie5"),
    ("1k7/9/9/9/R3p3R/9/9/9/K8 w - -", "a5e5", "Raxe5"),
    ("k8/9/9/9/9/3RR4/9/9/K8 w - -", "d4e5", "Rde5"),
    ("1k7/9/9/9/9/4B4/2B6/9/K8 w - -", "e4e5", "Bee5"),
    ("1k7/9/9/9/9/4B4/2B6/9/K8 w - -", "c3e5", "Bce5"),
    ("k8/9/9/9/9/2N3N2/9/9/K8 w - -", "c4e5", "Nce5"),
    ("k8/9/9/9/9/2N5A/9/8A/K8 w - -", "c4e5", "Ne5"),
    // The same file: the rank does.
    ("k8/4R4/9/9/9/9/9/4R4/K8 w - -", "e2e5", "R2e5"),
    ("k8/4R4/9/9/9/9/9/4R4/K8 w - -", "e8e5", "R8e5"),
    ("k8/9/2a6/9/2a6/9/9/9/K8 b - -", "c7e6", "A7e6"),
    // Same file and same rank: both do.
    ("Q3Q4/9/9/9/Q8/7k1/9/9/4K4 w - -", "a9e5", "Qa9e5"),
    ("Q3Q4/9/9/9/Q8/7k1/9/9/4K4 w - -", "a5e5", "Q5e5"),
    ("Q3Q4/9/9/9/Q8/7k1/9/9/4K4 w - -", "e9e5", "Qee5"),
    // The other one cannot go there: its leg is blocked, or it is pinned.
    ("k8/9/9/9/9/2Np2N2/9/9/K8 w - -", "g4e5", "Ne5"),
    ("k3r4/9/9/9/9/7N1/4N4/9/4K4 w - -", "h4f5", "Nf5"),
    ("k2r5/9/9/9/9/7N1/4N4/9/4K4 w - -", "h4f5", "Nhf5"),
    ("k2r5/9/9/9/9/7N1/4N4/9/4K4 w - -", "e3f5", "Nef5"),
    ("k8/9/9/9/4b4/9/2R6/9/K4R3 w - -", "f1f3", "Rf3"),
    // Checks from behind.
    ("k8/9/9/9/B8/9/9/9/R3K4 w - -", "a5b5", "Bb5+"),
    ("4k4/9/9/9/4N4/9/9/9/4RK3 w - -", "e5c6", "Nc6+"),
];

/// FEN, a text that is not how the move is written, and the move it means.
const UNDERSTOOD: &[(&str, &str, &str)] = &[
    ("r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq -", "0-0", "e1h1"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R b KQkq -", "0-0-0", "e9b9"),
    ("6k2/9/9/9/9/9/9/9/4K3R w K -", "O-O", "e1h1"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq -", "O-O-O!?", "e1b1"),
    // Check marks left out, wrong, or with a comment.
    ("9/9/9/9/1Q7/9/9/9/k1K6 w - -", "Qb2", "b5b2"),
    ("9/9/9/9/1Q7/9/9/9/k1K6 w - -", "Qb2+", "b5b2"),
    (START_FEN, "e4#", "e2e4"),
    (START_FEN, "e4!!", "e2e4"),
    // More of the origin than is needed.
    (START_FEN, "e2e4", "e2e4"),
    ("4k4/9/9/9/4p4/3PPP3/9/9/4K4 w - -", "e4xe5", "e4e5"),
    ("4k4/9/9/9/4p4/3PPP3/9/9/4K4 w - -", "d4xe5", "d4e5"),
    ("1k7/9/9/9/R7R/9/9/9/K8 w - -", "Ra5e5", "a5e5"),
    ("Q3Q4/9/9/9/Q8/7k1/9/9/4K4 w - -", "Qa5e5", "a5e5"),
    ("k3r4/9/9/9/9/7N1/4N4/9/4K4 w - -", "Nhf5", "h4f5"),
    ("4k4/9/9/3Pp4/9/9/9/9/4K4 w - e7", "d6xe7", "d6e7"),
    ("r1r6/1P6k/9/9/9/9/9/9/4K4 w - -", "b8xa9=Q", "b8a9q"),
    // Less than is written: the capture mark of a piece, a lone capture's file, the equals sign.
    ("4k4/9/9/9/9/9/9/4r4/4K4 w - -", "Ke2", "e1e2"),
    ("1k7/9/9/9/R3p3R/9/9/9/K8 w - -", "Rae5", "a5e5"),
    ("4k4/9/9/9/4p4/4P4/9/9/4K4 w - -", "xe5", "e4e5"),
    ("9/P7k/9/9/9/9/9/9/4K4 w - -", "a9A", "a8a9a"),
];

/// FEN, a text, and why it is no move there.
const REFUSED: &[(&str, &str, &str)] = &[
    (START_FEN, "", "`` is not a move in algebraic notation"),
    (START_FEN, "+", "`+` is not a move in algebraic notation"),
    (START_FEN, "e", "`e` is not a move in algebraic notation"),
    (START_FEN, "Ne", "`Ne` is not a move in algebraic notation"),
    (START_FEN, "e0", "`e0` is not a move in algebraic notation"),
    (START_FEN, "j4", "`j4` is not a move in algebraic notation"),
    (START_FEN, "E4", "`E4` is not a move in algebraic notation"),
    (START_FEN, " e4", "` e4` is not a move in algebraic notation"),
    (START_FEN, "e4 e6", "`e4 e6` is not a move in algebraic notation"),
    (START_FEN, "e2-e4", "`e2-e4` is not a move in algebraic notation"),
    (START_FEN, "Pe4", "`Pe4` is not a move in algebraic notation"),
    (START_FEN, "Ze4", "`Ze4` is not a move in algebraic notation"),
    (START_FEN, "exxe4", "`exxe4` is not a move in algebraic notation"),
    (START_FEN, "e2e2e4", "`e2e2e4` is not a move in algebraic notation"),
    (START_FEN, "e4=", "`e4=` is not a move in algebraic notation"),
    (START_FEN, "Ne4=Q", "`Ne4=Q` is not a move in algebraic notation"),
    (START_FEN, "O-0", "`O-0` is not a move in algebraic notation"),
    (START_FEN, "O-O-O-O", "`O-O-O-O` is not a move in algebraic notation"),
    (START_FEN, "♘e4", "`\\u{2658}e4` is not a move in algebraic notation"),
    (START_FEN, "e4\n", "`e4\\n` is not a move in algebraic notation"),
    ("9/P7k/9/9/9/9/9/9/4K4 w - -", "a9=K", "`a9=K` is not a move in algebraic notation"),
    ("9/P7k/9/9/9/9/9/9/4K4 w - -", "a9=P", "`a9=P` is not a move in algebraic notation"),
    ("9/P7k/9/9/9/9/9/9/4K4 w - -", "a9=X", "`a9=X` is not a move in algebraic notation"),
    // Well formed, but nothing can do it.
    (START_FEN, "e5", "`e5` is not a legal move here"),
    (START_FEN, "Nc3", "`Nc3` is not a legal move here"),
    (START_FEN, "e4=Q", "`e4=Q` is not a legal move here"),
    (START_FEN, "exe4", "`exe4` is not a legal move here"),
    (START_FEN, "d2e4", "`d2e4` is not a legal move here"),
    (START_FEN, "O-O", "`O-O` is not a legal move here"),
    ("4k4/9/9/9/9/9/9/9/R3K3R w Q -", "O-O", "`O-O` is not a legal move here"),
    // A straight capture is written with its file.
    ("4k4/9/9/9/4p4/4P4/9/9/4K4 w - -", "e5", "`e5` is not a legal move here"),
    ("4k4/9/9/9/9/4P4/9/9/4K4 w - -", "exe5", "`exe5` is not a legal move here"),
    ("4k4/9/9/9/3p5/4P4/9/9/4K4 w - -", "exd5", "`exd5` is not a legal move here"),
    ("9/P7k/9/9/9/9/9/9/4K4 w - -", "a9", "`a9` is not a legal move here"),
    ("4k4/9/9/3Pp4/9/9/9/9/4K4 w - -", "dxe7", "`dxe7` is not a legal move here"),
    ("k3r4/9/9/9/9/7N1/4N4/9/4K4 w - -", "Nef5", "`Nef5` is not a legal move here"),
    ("k8/9/9/9/9/2Np2N2/9/9/K8 w - -", "Nce5", "`Nce5` is not a legal move here"),
    ("4k4/9/9/9/9/9/9/4r4/4K4 w - -", "Kd2", "`Kd2` is not a legal move here"),
    // Several can.
    ("1k7/9/9/9/R7R/9/9/9/K8 w - -", "Re5", "`Re5` could mean several moves"),
    ("1k7/9/9/9/R7R/9/9/9/K8 w - -", "R5e5", "`R5e5` could mean several moves"),
    ("1k7/9/9/9/R3p3R/9/9/9/K8 w - -", "Rxe5", "`Rxe5` could mean several moves"),
    ("k8/4R4/9/9/9/9/9/4R4/K8 w - -", "Ree5", "`Ree5` could mean several moves"),
    ("Q3Q4/9/9/9/Q8/7k1/9/9/4K4 w - -", "Qae5", "`Qae5` could mean several moves"),
    ("Q3Q4/9/9/9/Q8/7k1/9/9/4K4 w - -", "Q9e5", "`Q9e5` could mean several moves"),
    ("4k4/9/9/9/4p4/3PPP3/9/9/4K4 w - -", "xe5", "`xe5` could mean several moves"),
];

/// Long algebraic texts and whether they have the form of a move.
const LONG_ALGEBRAIC: &[(&str, bool)] = &[
    ("e2e4", true),
    ("a8a9q", true),
    ("i2i1a", true),
    ("e1h1", true),
    ("", false),
    ("0000", false),
    ("e2", false),
    ("e2e", false),
    ("e2e0", false),
    ("e2j4", false),
    ("E2E4", false),
    ("e2-e4", false),
    ("e2e4 ", false),
    ("a8a9k", false),
    ("a8a9p", false),
    ("a8a9=q", false),
    ("a8a9qq", false),
    ("éé", false),
];

#[test]
fn moves_are_written_and_read_back() {
    for &(fen, long, san) in WRITTEN {
        let (position, mv): (Position, Move) = (read(fen), legal(fen, long));
        assert_eq!(position.san(mv), san, "{fen} {long}");
        assert_eq!(position.parse_san(san), Ok(mv), "{fen} {san}");
    }
}

/// In random games, and from special positions.
fn assert_read_back<G: Geometry>(table: &str) {
    let walks = (0..60).flat_map(|seed| walk::<chess::Position<G>>(seed, 150, 0.1));
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
fn moves_of_any_position_are_read_back() {
    assert_read_back::<Chesquerque>(CHESQUERQUE);
    assert_read_back::<Masonic>(MASONIC);
}

#[test]
fn other_spellings_are_understood() {
    for &(fen, text, long) in UNDERSTOOD {
        assert_eq!(read::<Position>(fen).parse_san(text), Ok(legal(fen, long)), "{fen} {text}");
    }
}

#[test]
fn what_is_no_move_is_refused_with_the_reason() {
    for &(fen, text, expected) in REFUSED {
        match read::<Position>(fen).parse_san(text) {
            Ok(mv) => panic!("{fen}: {text} was read as {mv}"),
            Err(error) => assert_eq!(error.to_string(), expected, "{fen}"),
        }
    }
}

#[test]
fn long_algebraic_texts_have_their_form() {
    for &(text, well_formed) in LONG_ALGEBRAIC {
        let written = Move::parse(text).map(|mv| mv.to_string());
        assert_eq!(written.as_deref(), well_formed.then_some(text), "{text:?}");
    }
}

fn legal(fen: &str, text: &str) -> Move {
    let mv = Move::parse(text).filter(|&mv| read::<Position>(fen).is_legal(mv));
    mv.unwrap_or_else(|| panic!("{text} is not legal in {fen}"))
}

fn positions() -> impl Strategy<Value = Position> {
    select(fens(CHESQUERQUE).map(read).collect::<Vec<Position>>())
}

/// Texts with the form of a move, others like them, and any.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => texts_like("[KQRBNA]?[a-i]?[1-9]?x?[a-i][1-9](=?[QRBNAKP])?[+#!?]{0,2}"),
        2 => texts_like("[KQRBNAP]?[a-ix1-9]{0,4}[a-i][1-9]=?[QRBNAqrbna]?[+#]?"),
        1 => texts_like("[O0o]-[O0o](-[O0o])?[+#]?"),
        1 => texts_like(ANY),
    ]
}

/// The moves that were read are legal, the errors go into one line.
fn assert_refused_or_legal(position: &Position, text: &str) {
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
        cases: 20_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(81),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_refused_or_a_legal_move(position in positions(), text in texts()) {
        assert_refused_or_legal(&position, &text);
    }

    #[test]
    fn an_edited_move_is_refused_or_a_legal_move(
        position in positions(),
        (which, place) in any::<(Index, Index)>(),
        letter in texts_like("[KQRBNAa-i1-9x=+]?"),
        lost in 0..3_usize,
    ) {
        let moves = position.legal_moves();
        prop_assume!(!moves.is_empty());
        let mut text = position.san(*which.get(&moves));
        let start = place.index(text.len() + 1);
        text.replace_range(start..(start + lost).min(text.len()), &letter);
        assert_refused_or_legal(&position, &text);
    }

    #[test]
    fn any_text_is_no_move_or_written_alike(
        text in prop_oneof![texts_like("[a-j][0-9][a-j][0-9][a-zA-Z=]?"), texts_like(ANY)],
    ) {
        if let Some(mv) = Move::parse(&text) {
            prop_assert_eq!(mv.to_string(), text.to_lowercase());
            prop_assert_eq!(Move::parse(&mv.to_string()), Some(mv));
        }
    }
}
