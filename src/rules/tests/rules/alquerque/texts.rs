//! Positions as text and as drawings.

use qirkat_rules::alquerque::{Position, START_FEN};

use super::read;

#[test]
fn errors_name_what_and_where() {
    for (fen, error) in [
        ("", "FEN is empty"),
        ("mmmmm/mmmmm/mm1MM/MMMMM/MMMMM", "FEN field `side to move` is missing"),
        ("mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w", "FEN field `forbidden step` is missing"),
        ("mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w -", "FEN field `other side's forbidden step` is missing"),
        ("mmmmm/mmmmm/mm1MM/MMMMM w - - 0 1", "board: 4 ranks instead of 5"),
        ("mmmmm/mmmmm/mm1M/MMMMM/MMMMM w - - 0 1", "board: rank 3 has 4 points instead of 5"),
        ("mmmmm/mmmmm/mm1MMM/MMMMM/MMMMM w - - 0 1", "board: rank 3 has 6 points instead of 5"),
        ("5/5/5/5/m w - - 0 1", "board: rank 1 has 1 point instead of 5"),
        ("m w - - 0 1", "board: 1 rank instead of 5"),
        ("9/5/5/5/5 w - - 0 1", "board: rank 5 has 9 points instead of 5"),
        ("mmmmm/mmmmm/mmpMM/MMMMM/MMMMM w - - 0 1", "board: unknown letter `p` in rank 3"),
        ("mmmmm/mmmm0/mm1MM/MMMMM/MMMMM w - - 0 1", "board: unknown letter `0` in rank 4"),
        ("mmmmm/mmmmm/mm1MM/MMMMM/MMMM\u{7} w - - 0 1", "board: unknown letter `\\u{7}` in rank 1"),
        ("5/5/5/5/5 white - - 0 1", "side to move: `white` is neither `w` nor `b`"),
        (
            "5/5/5/5/5 w x - 0 1",
            "forbidden step: `x` is neither `-` nor a step sideways such as `d3c3`",
        ),
        (
            "5/5/5/5/5 w d3d4 - 0 1",
            "forbidden step: `d3d4` is neither `-` nor a step sideways such as `d3c3`",
        ),
        (
            "5/5/5/5/5 w - d3b3 0 1",
            "other side's forbidden step: `d3b3` is neither `-` nor a step sideways such as `d3c3`",
        ),
        (
            "5/5/5/5/5 w - d3c3b3 0 1",
            "other side's forbidden step: `d3c3b3` is neither `-` nor a step sideways such as `d3c3`",
        ),
        ("5/5/5/5/5 w - - x 1", "halfmove clock: `x` is not a number from 0 to 9999"),
        ("5/5/5/5/5 w - - -1 1", "halfmove clock: `-1` is not a number from 0 to 9999"),
        ("5/5/5/5/5 w - - 0 10000", "fullmove number: `10000` is not a number from 0 to 9999"),
        ("5/5/5/5/5 w - - 0 1 moves", "FEN has more than six fields: unexpected `moves`"),
    ] {
        let found = Position::from_fen(fen).map(|parsed| parsed.position).expect_err(fen);
        assert_eq!(found.to_string(), error, "{fen}");
    }
}

#[test]
fn fens_are_written_in_one_way() {
    for (fen, written, notice) in [
        ("mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - -", START_FEN, None),
        ("mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0", START_FEN, None),
        ("mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0 0", START_FEN, None),
        ("5/m11m1/5/23/5 b - - 3 4", "5/m2m1/5/5/5 b - - 3 4", None),
        // A step that nobody can make is dropped.
        (
            "m4/5/2mM1/5/5 w d3c3 - 0 1",
            "m4/5/2mM1/5/5 w - - 0 1",
            Some("forbidden step: `d3c3` dropped, impossible as the board stands"),
        ),
        (
            "M4/5/5/5/4m b d1c1 a5b5 0 1",
            "M4/5/5/5/4m b - - 0 1",
            Some("forbidden step: `d1c1 a5b5` dropped, impossible as the board stands"),
        ),
        // No man steps on its last rank, so none has.
        (
            "3M1/5/5/5/3m1 w - d1c1 0 1",
            "3M1/5/5/5/3m1 w - - 0 1",
            Some("forbidden step: `d1c1` dropped, impossible as the board stands"),
        ),
        // A compulsory jump does not matter.
        ("m4/3m1/3M1/5/5 w d3c3 - 1 1", "m4/3m1/3M1/5/5 w d3c3 - 1 1", None),
    ] {
        let parsed = Position::from_fen(fen).expect(fen);
        assert_eq!(parsed.position.fen(), written, "{fen}");
        assert_eq!(parsed.notice.map(|notice| notice.to_string()).as_deref(), notice, "{fen}");
    }
}

#[test]
fn the_board_is_drawn_with_its_lines() {
    let start = "
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
    assert_eq!(read(START_FEN).picture().to_string(), start.trim_start_matches('\n'));
    let empty = read("5/5/5/5/5 w - - 0 1").picture().to_string();
    assert!(empty.starts_with(" 5  *---+---*---+---*\n"), "{empty}");
    let captioned = read(START_FEN)
        .captioned_picture(|point| (point.rank() == 0).then(|| format!("{:+.2}", 0.25)))
        .to_string();
    assert!(captioned.contains("\n  +0.25   +0.25   +0.25   +0.25   +0.25\n"), "{captioned}");
}
