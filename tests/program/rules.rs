//! `qirkat rules` from outside: the games in words and drawings.

use std::process::Output;

use crate::run::{good_output, qirkat, text};

fn run(arguments: &[&str]) -> Output {
    qirkat([&["rules"], arguments].concat()).output().expect("the binary runs")
}

/// Runs what has to succeed, without a word on stderr.
fn good(arguments: &[&str]) -> String {
    good_output(&run(arguments), &arguments)
}

#[test]
fn each_game_is_told_in_short() {
    for (arguments, words) in [
        (vec![], ["Chesquerque: ", " 9  r---n---b", "  A  archbishop  ", "rules pawn c3\n"]),
        (
            vec!["--game", "masonic"],
            ["Masonic chess: ", "| r | n |", "  N  knight      leaps", "--game masonic pawn c3\n"],
        ),
        (
            vec!["--game", "alquerque"],
            ["Alquerque: ", " 5  m---m", "  M  man         steps", "rules --game alquerque man\n"],
        ),
    ] {
        let out = good(&arguments);
        for words in words {
            assert!(out.contains(words), "no {words:?} in {out}");
        }
    }
}

/// Every piece of every game, without a point and from some.
#[test]
fn drawings_fit_and_say_what_they_show() {
    for (game, pieces, points) in [
        ("chesquerque", "king queen rook archbishop bishop knight pawn", "e1 d2 e2 a5 i8"),
        ("masonic", "king queen rook bishop knight pawn", "e2 a4 h7"),
        ("alquerque", "man", "a1 c3 e2 c5"),
    ] {
        for piece in pieces.split(' ') {
            let points = points.split(' ').filter(|&point| (piece, point) != ("pawn", "e1"));
            for point in points.map(Some).chain([None]) {
                let arguments = [&["--game", game, piece], point.as_slice()].concat();
                let out = good(&arguments);
                assert!(out.is_ascii() && out.contains(piece), "{out}");
                assert!(out.lines().all(|line| line.len() <= 80), "{out}");
                let lists: Vec<&str> =
                    out.lines().filter(|line| line.starts_with("From ")).collect();
                assert!(lists.iter().any(|line| line.contains(" it ")), "{out}");
            }
        }
    }
}

#[test]
fn drawings_mark_the_points() {
    let knight = good(&["n", "e4"]);
    for line in [
        " 6  +---*---+---o---+---o---+---*---+\n",
        " 5  *---+---o---+---*---+---o---+---*\n",
        " 4  +---*---+---*---N---*---+---*---+\n",
        "From e4 it goes to or takes on c3 c5 d2 d6 f2 f6 g3 g5.\n",
        "  o  it goes there, and takes what stands there\n",
    ] {
        assert!(knight.contains(line), "no {line:?} in {knight}");
    }
    let pawn = good(&["Pawn", "D2"]);
    for words in ["From d2 it goes to d3 d4; takes on c3 e3.", "  x  ", "  .  "] {
        assert!(pawn.contains(words), "no {words:?} in {pawn}");
    }
    // Two boards stand side by side where there is room, and the marks in both.
    let both = good(&["bishop"]);
    assert!(both.contains("B on e4, a plain point (+)") && both.contains("(*)\n"), "{both}");
    assert!(both.lines().any(|line| line.starts_with(" 9  ") && line.len() > 60), "{both}");
    let castling = good(&["king", "e1"]);
    assert!(castling.contains(" 1  R---.---*---o---K---o---*---.---R"), "{castling}");
}

#[test]
fn bad_input_is_one_line_with_what_there_is() {
    for (arguments, complaint) in [
        (vec!["dragon"], "`dragon` is no piece of Chesquerque: king (K), queen (Q), "),
        (vec!["archbishop", "--game", "masonic"], "`archbishop` is no piece of Masonic chess: "),
        (vec!["knight", "z9"], "`z9` is no point of this board: a1 to i9"),
        (vec!["man", "f1", "--game", "alquerque"], "`f1` is no point of this board: a1 to e5"),
        (vec!["pawn", "e9"], "a pawn never stands on e9"),
        (vec!["knight", "e5", "e6"], "unexpected argument 'e6' found"),
        (vec!["--game", "chess"], "not a game played here"),
    ] {
        let output = run(&arguments);
        let err = text(&output.stderr);
        assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("", Some(2)), "{err}");
        assert!(err.starts_with("qirkat: ") && err.contains(complaint), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
    }
}
