use qirkat_game::Rules;
use qirkat_rules::picture::{LineStyle, Picture};
use qirkat_rules::variant::{Place, Variant};
use qirkat_rules::{alquerque, masonic};

#[test]
fn bricks_are_drawn() {
    let position: masonic::Position = "4k3/8/8/8/8/8/8/4K2R w K -".parse().expect("a position");
    let picture = position.picture().to_string();
    let lines: Vec<&str> = picture.lines().collect();
    for (number, line) in [
        (0, "        a   b   c   d   e   f   g   h"),
        (1, "      +---+---+---+---+---+---+---+---+"),
        (2, " 8    |   |   |   |   | k |   |   |   |"),
        (3, "    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+"),
        (4, " 7  |   |   |   |   |   |   |   |   |"),
        (16, " 1  |   |   |   |   | K |   |   | R |"),
        (17, "    +---+---+---+---+---+---+---+---+"),
        (18, "      a   b   c   d   e   f   g   h"),
    ] {
        assert_eq!(lines[number], line);
    }
    assert_eq!(lines.len(), 19);
    let captioned = position
        .captioned_picture(|cell| position.piece_on(cell).map(|_| "+1.25".to_owned()))
        .to_string();
    assert!(captioned.lines().any(|line| line.matches("+1.25").count() == 2), "{captioned}");
}

#[test]
fn lines_are_drawn() {
    let drawn = "
 5  m---m---m---m---m
    | \\ | / | \\ | / |
 4  m---m---m---m---m
    | / | \\ | / | \\ |
 3  m---m---*---M---M
    | \\ | / | \\ | / |
 2  M---M---M---M---M
    | / | \\ | / | \\ |
 1  M---M---M---M---M

    a   b   c   d   e
";
    let start = alquerque::Position::start();
    assert_eq!(start.picture().to_string(), drawn.trim_start_matches('\n'));
    let empty = "5/5/5/5/5 w - - 0 1"
        .parse::<alquerque::Position>()
        .expect("a position")
        .picture()
        .to_string();
    assert!(empty.starts_with(" 5  *---+---*---+---*\n"), "{empty}");
    let captioned = start
        .captioned_picture(|point| (point.rank() == 0).then(|| format!("{:+.2}", 0.25)))
        .to_string();
    assert!(captioned.contains("\n  +0.25   +0.25   +0.25   +0.25   +0.25\n"), "{captioned}");
}

#[test]
fn every_piece_is_drawn_at_its_place() {
    for (variant, scale, turn) in Variant::ALL.into_iter().flat_map(|variant| {
        (2..=4).flat_map(move |scale| (0..4).map(move |turn| (variant, scale, turn)))
    }) {
        let style = LineStyle { scale, flipped: turn % 2 == 1, unicode: turn > 1 };
        for at in Place::all(variant) {
            let letter = |file, rank| (at == Place { file, rank }).then_some('X');
            let picture = Picture::new(variant, letter).with_style(style);
            let text = picture.to_string();
            let (column, row) = picture.spot(at.file, at.rank);
            let line = text.lines().nth(row).expect("a row");
            assert_eq!(line.chars().nth(column), Some('X'), "{at} {style:?}\n{text}");
            assert_eq!(text.matches('X').count(), 1, "{text}");
        }
    }
}
