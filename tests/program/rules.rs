//! `qirkat rules` from outside: the games in words and drawings.

use std::collections::BTreeSet;
use std::process::Output;

use roxmltree::{Document, Node};

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

/// The points that the text form names, each behind what is said of it, as in `any e5`.
fn points_in_words(text: &str) -> BTreeSet<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentences =
        text.split("From ").filter_map(|rest| rest.split_once(" it ")?.1.split('.').next());
    let parts = sentences.flat_map(|sentence| sentence.split("; "));
    let known = [("goes to or takes on ", "any"), ("goes to ", "quiet"), ("takes on ", "capture")];
    let with_way = parts.filter_map(|part| {
        known.iter().find_map(|(words, way)| Some((way, part.strip_prefix(words)?)))
    });
    with_way
        .flat_map(|(way, points)| points.split(' ').map(move |it| format!("{way} {it}")))
        .collect()
}

fn svg_elements<'a>(svg: &'a Document<'a>, tag: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    svg.descendants().filter(move |node| node.has_tag_name(tag))
}

/// The points that a drawing marks, in the same words.
fn points_in_svg(svg: &Document<'_>) -> BTreeSet<String> {
    let marks = svg_elements(svg, "g");
    let marks =
        marks.filter_map(|mark| Some((mark.attribute("class")?, mark.attribute("data-point")?)));
    marks.map(|(way, point)| format!("{way} {point}")).collect()
}

/// The letters in a drawing with their points. Each is drawn by a symbol that is there.
fn pieces_in_svg(svg: &Document<'_>) -> Vec<String> {
    let symbols: Vec<&str> =
        svg_elements(svg, "symbol").filter_map(|it| it.attribute("id")).collect();
    let piece = |node: Node<'_, '_>| {
        let letter = node.attribute("href").and_then(|to| to.strip_prefix('#')).expect("a symbol");
        assert!(symbols.contains(&letter), "{letter} is not drawn");
        format!("{letter}{}", node.attribute("data-point").expect("a point"))
    };
    svg_elements(svg, "use").map(piece).collect()
}

/// Every piece from a point of each kind, and some that need others for a move.
#[test]
fn svg_marks_what_the_text_marks() {
    for (game, pieces, points, size) in [
        ("chesquerque", "king queen rook archbishop bishop knight pawn", "e1 d2 e2 i8", 81),
        ("masonic", "king queen rook bishop knight pawn", "a2 e5", 64),
        ("alquerque", "man", "a1 c2", 25),
    ] {
        for piece in pieces.split(' ') {
            let places = points.split(' ').filter(|&point| (piece, point) != ("pawn", "e1"));
            for place in places.map(Some).chain([None]) {
                let arguments = [&["--game", game, piece], place.as_slice()].concat();
                let text = good(&arguments);
                let svg = good(&[arguments.as_slice(), &["--svg"]].concat());
                let svg = Document::parse(&svg).expect("well-formed XML");
                let marks = points_in_svg(&svg);
                assert!(!marks.is_empty(), "{arguments:?}");
                assert_eq!(marks, points_in_words(&text), "{arguments:?}");
                let own = pieces_in_svg(&svg);
                assert!(
                    place.is_none_or(|place| own[0].ends_with(place)),
                    "{arguments:?}: {own:?}"
                );
                // The points or bricks of each board, besides the ground and the marks.
                let tag = if game == "masonic" { "rect" } else { "circle" };
                assert!(svg_elements(&svg, tag).count() >= size, "{arguments:?}");
            }
        }
    }
    assert!(points_in_words(&good(&["king", "e1"])).contains("quiet h1"));
}

#[test]
fn positions_are_drawn_as_svg() {
    for (arguments, count, some) in [
        (vec!["--svg"], 36, ["ra9", "Ke1", "Af1"]),
        (vec!["--svg", "--game", "masonic"], 32, ["ra8", "Ke1", "ph7"]),
        (vec!["--svg", "--game", "alquerque"], 24, ["ma5", "Me3", "Ma1"]),
        (vec!["--svg", "--fen", "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1"], 4, ["ke9", "Ra3", "Rb2"]),
    ] {
        let svg = good(&arguments);
        let svg = Document::parse(&svg).expect("well-formed XML");
        let pieces = pieces_in_svg(&svg);
        assert_eq!(pieces.len(), count, "{pieces:?}");
        let is_there = |piece: &&str| pieces.iter().any(|other| other == piece);
        assert!(some.iter().all(is_there), "{some:?} in {pieces:?}");
        assert!(points_in_svg(&svg).is_empty());
    }
}

#[test]
fn bad_input_is_one_line_with_what_there_is() {
    for (arguments, complaint) in [
        (vec!["--fen", "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1"], "not provided: --svg"),
        (vec!["--svg", "--fen", "9/9"], "--fen: "),
        (vec!["king", "--svg", "--fen", "startpos"], "cannot be used with"),
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
