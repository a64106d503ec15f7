use std::collections::BTreeSet;

use qirkat_testing::effort;
use roxmltree::{Document, Node};

use crate::run::Folder;

#[test]
fn each_game_is_summarised() {
    let folder = Folder::new();
    for (line, words) in [
        ("rules", ["Chesquerque: ", " 9  r---n---b", "  A  archbishop  ", "rules pawn c3\n"]),
        ("rules --game masonic", ["Masonic chess", "| r | n |", "  N  knight  ", " pawn c3\n"]),
        ("rules --game alquerque", ["Alquerque: ", "5  m---m", "  M  man  ", "alquerque man\n"]),
    ] {
        let out = folder.good(line);
        for words in words {
            assert!(out.contains(words), "no {words:?} in {out}");
        }
    }
}

#[test]
fn drawings_mark_the_points() {
    let folder = Folder::new();
    let knight = folder.good("rules n e4");
    for line in [
        " 6  +---*---+---o---+---o---+---*---+\n",
        " 5  *---+---o---+---*---+---o---+---*\n",
        " 4  +---*---+---*---N---*---+---*---+\n",
        "From e4 it goes to or takes on c3 c5 d2 d6 f2 f6 g3 g5.\n",
        "  o  it goes there, and takes what stands there\n",
    ] {
        assert!(knight.contains(line), "no {line:?} in {knight}");
    }
    let pawn = folder.good("rules Pawn D2");
    for words in ["From d2 it goes to d3 d4; takes on c3 e3.", "  x  ", "  .  "] {
        assert!(pawn.contains(words), "no {words:?} in {pawn}");
    }
    // Two boards stand side by side where there is room, both with their marks.
    let both = folder.good("rules bishop");
    assert!(both.contains("B on e4, a plain point (+)") && both.contains("(*)\n"), "{both}");
    assert!(both.lines().any(|line| line.starts_with(" 9  ") && line.len() > 60), "{both}");
    let castling = folder.good("rules king e1");
    assert!(castling.contains(" 1  R---.---*---o---K---o---*---.---R"), "{castling}");
    assert!(points_in_words(&castling).contains("quiet h1"));
}

/// The points that the text names, each with its word, as in `any e5`.
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

fn points_in_svg(svg: &Document<'_>) -> BTreeSet<String> {
    let marks = svg_elements(svg, "g");
    let marks =
        marks.filter_map(|mark| Some((mark.attribute("class")?, mark.attribute("data-point")?)));
    marks.map(|(way, point)| format!("{way} {point}")).collect()
}

/// The letters in a drawing with their points. Each is drawn by a defined symbol.
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

/// Every piece without a point, and from points of each kind; some moves need other pieces.
#[test]
fn drawings_fit_and_svg_marks_what_the_text_marks() {
    let folder = Folder::new();
    for (game, pieces, points, size) in [
        ("chesquerque", "king queen rook archbishop bishop knight pawn", "e1 d2 i8", 81),
        ("masonic", "king queen rook bishop knight pawn", "a2 e5", 64),
        ("alquerque", "man", "a1 c2", 25),
    ] {
        for piece in pieces.split(' ') {
            let points = points.split(' ').chain([""]).step_by(effort([3, 1, 1]));
            for point in points.filter(|&it| (piece, it) != ("pawn", "e1")) {
                let line = format!("rules --game {game} {piece} {point}");
                let text = folder.good(&line);
                assert!(text.is_ascii() && text.contains(piece), "{text}");
                assert!(text.lines().all(|line| line.len() <= 80), "{text}");
                let svg = folder.good(&format!("{line} --svg"));
                let svg = Document::parse(&svg).expect("well-formed XML");
                let marks = points_in_svg(&svg);
                assert!(!marks.is_empty(), "{line}");
                assert_eq!(marks, points_in_words(&text), "{line}");
                let own = pieces_in_svg(&svg);
                assert!(own[0].ends_with(point), "{line}: {own:?}");
                // The points or bricks of each board, besides the ground and the marks.
                let tag = if game == "masonic" { "rect" } else { "circle" };
                assert!(svg_elements(&svg, tag).count() >= size, "{line}");
            }
        }
    }
}

#[test]
fn positions_are_drawn_as_svg() {
    let folder = Folder::new();
    for (line, count, some) in [
        ("", 36, ["ra9", "Ke1", "Af1"]),
        ("--game masonic", 32, ["ra8", "Ke1", "ph7"]),
        ("--game alquerque", 24, ["ma5", "Me3", "Ma1"]),
        ("--fen '4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1'", 4, ["ke9", "Ra3", "Rb2"]),
    ] {
        let svg = folder.good(&format!("rules --svg {line}"));
        let svg = Document::parse(&svg).expect("well-formed XML");
        let pieces = pieces_in_svg(&svg);
        assert_eq!(pieces.len(), count, "{pieces:?}");
        let is_there = |piece: &&str| pieces.iter().any(|other| other == piece);
        assert!(some.iter().all(is_there), "{some:?} in {pieces:?}");
        assert!(points_in_svg(&svg).is_empty());
    }
}
