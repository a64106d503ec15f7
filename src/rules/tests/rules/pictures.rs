//! Boards as they are drawn.

use qirkat_game::Rules;
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
