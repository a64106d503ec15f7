use qirkat_game::{ReadMove, Rules};
use qirkat_rules::alquerque::{Move, Point, Position, START_FEN};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::read;
use super::walks::walk;

#[test]
fn malformed_moves_are_rejected() {
    let too_short = "a move names all points that the man visits, such as c2c3 or c3e5e3";
    for (text, reason) in [
        ("", too_short),
        ("c2\u{7}é", "`\\u{7}\\u{e9}` is not a point from a1 to e5"),
        (&"a1a3".repeat(9), "no man jumps more than 16 times in a move"),
    ] {
        let error = read(START_FEN).read_move(text).expect_err(text);
        assert_eq!(error.to_string(), reason, "{text}");
    }
}

/// The reasons are computed independently of the generator: every listed move is read, and every
/// other one has a reason.
#[test]
fn every_move_is_legal_or_explained() {
    let mut rng = StdRng::seed_from_u64(7);
    for seed in 0..60 {
        for position in walk(seed, 40).iter().step_by(3) {
            let legal: Vec<String> =
                position.legal_moves().iter().take(300).map(Move::to_string).collect();
            for text in &legal {
                let mv = position.read_move(text).expect("legal moves are read");
                assert_eq!(&mv.to_string(), text);
                assert_eq!(position.why_illegal(mv), None, "{position} {text}");
            }
            if legal.len() == 300 {
                continue;
            }
            check_all_pairs(position, &legal);
            check_changed_moves(position, &legal, &mut rng);
        }
    }
}

fn check_all_pairs(position: &Position, legal: &[String]) {
    for from in Point::all() {
        for to in Point::all() {
            check(position, &format!("{from}{to}"), legal);
        }
    }
}

fn check_changed_moves(position: &Position, legal: &[String], rng: &mut StdRng) {
    let points: Vec<String> = Point::all().map(|point| point.to_string()).collect();
    for text in legal.iter().take(12) {
        for point in &points {
            check(position, &format!("{text}{point}"), legal);
            let at = 2 * rng.random_range(0..text.len() / 2);
            check(position, &format!("{}{point}{}", &text[..at], &text[at + 2..]), legal);
        }
        check(position, &text[..text.len() - 2], legal);
    }
}

fn check(position: &Position, text: &str, legal: &[String]) {
    let is_listed = legal.iter().any(|mv| mv == text);
    assert_eq!(position.read_move(text).is_ok(), is_listed, "{position} {text}");
    if let Some(mv) = Move::parse(text) {
        assert_eq!(mv.to_string(), text);
        assert_eq!(position.is_legal(mv), is_listed, "{position} {text}");
        assert_eq!(position.why_illegal(mv).is_none(), is_listed, "{position} {text}");
    }
}
