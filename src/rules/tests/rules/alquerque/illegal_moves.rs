//! Why moves are illegal.

use qirkat_rules::alquerque::{Move, Point, Position, START_FEN};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::read;
use super::walks::walk;

#[test]
fn reasons_fit() {
    for (fen, text, reason) in [
        (START_FEN, "c3d3", "no man stands on c3"),
        (START_FEN, "c4c3", "it is White's turn, and the man on c4 is Black's"),
        (START_FEN, "a1a2", "a man stands on a2"),
        (
            START_FEN,
            "c2c5",
            "c5 is neither the next point along a line from c2 nor the one beyond it",
        ),
        (
            START_FEN,
            "c2c2",
            "c2 is neither the next point along a line from c2 nor the one beyond it",
        ),
        (
            START_FEN,
            "c2e3",
            "e3 is neither the next point along a line from c2 nor the one beyond it",
        ),
        (START_FEN, "a2b3", "no diagonal line leads from a2 to b3"),
        (START_FEN, "b1d3", "no diagonal line leads from b1 to d3"),
        (START_FEN, "c2c3c4", "a step ends the move: nothing can follow it on c3"),
        (START_FEN, "a1c3", "your own man stands on b2, and only the enemy's are jumped over"),
        ("5/m4/5/2M2/5 w - - 0 1", "c2c1", "a man never steps back"),
        ("5/m4/5/2M2/5 w - - 0 1", "c2c4", "no man stands on c3 to be jumped over"),
        ("5/m4/5/2M2/5 b - - 0 1", "a4a5", "a man never steps back"),
        (
            "M4/2m2/5/5/5 w - - 0 1",
            "a5b5",
            "the man on a5 has reached its last rank and does not step any more",
        ),
        ("5/2m2/2M2/5/5 b - - 0 1", "c4b4", "a jump is compulsory, such as c4c2"),
        ("5/2m2/2M2/5/M4 w - - 0 1", "a1a2", "a jump is compulsory, such as c3c5"),
        ("5/2m2/2M2/m4/M4 w - - 0 1", "a1b1", "a jump is compulsory, such as a1a3"),
        ("5/2m2/2M2/2m2/5 w - - 0 1", "c3c1", "the first jump of a move never goes back"),
        ("2m2/2m2/2M2/5/5 w - - 0 1", "c3c5", "a man stands on c5"),
        (
            "5/5/1m3/1mm2/2M2 w - - 0 1",
            "c1a3",
            "the move is not over: the man must jump on from a3, as to c3",
        ),
        (
            "5/5/1m3/1m3/M4 w - - 0 1",
            "a1c3a3c1",
            "the man on b2 has already been captured by this move",
        ),
        (
            "5/5/1m3/1m3/M4 w - - 0 1",
            "a1c3a3a4",
            "a move goes on by jumps only, and a3a4 is a step",
        ),
        (
            "5/5/1m3/1m3/M4 w - - 0 1",
            "a1c3a3e3",
            "e3 is neither the next point along a line from a3 nor the one beyond it",
        ),
        ("5/5/1m3/1m3/M4 w - - 0 1", "a1c3a3a5", "no man stands on a4 to be jumped over"),
        (
            "5/4m/5/2M2/5 w c2b2 - 1 5",
            "c2b2",
            "the man on c2 has just come from b2 and may not step back at once",
        ),
        (START_FEN, "", "a move names all points that the man visits, such as c2c3 or c3e5e3"),
        (START_FEN, "c2", "a move names all points that the man visits, such as c2c3 or c3e5e3"),
        (START_FEN, "c2c", "`c` is not a point from a1 to e5"),
        (START_FEN, "c2f3", "`f3` is not a point from a1 to e5"),
        (START_FEN, "c2-c3", "`-c` is not a point from a1 to e5"),
        (START_FEN, "C2C3", "`C2` is not a point from a1 to e5"),
        (START_FEN, "0000", "`00` is not a point from a1 to e5"),
        (START_FEN, "c2\u{7}é", "`\\u{7}\\u{e9}` is not a point from a1 to e5"),
    ] {
        let error = read(fen).read_move(text).expect_err(text);
        assert_eq!(error.to_string(), reason, "{fen} {text}");
    }
    let long = "a1a3".repeat(9);
    let error = read(START_FEN).read_move(&long).expect_err("too long");
    assert_eq!(error.to_string(), "no man jumps more than 16 times in a move");
}

/// The reasons are computed independently of the generator: every move that it lists is
/// read, and every other one has a reason.
#[test]
fn every_move_is_legal_or_has_a_reason() {
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

/// Legal moves with a point more, a point less, or another point.
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
