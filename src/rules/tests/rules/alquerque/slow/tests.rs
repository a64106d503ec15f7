//! The clauses of the rules, one by one, in hand-made positions.

use std::collections::BTreeSet;

use super::board::{Color, Point, WAYS};
use super::position::Position;
use super::{End, Identity};

fn read(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn play(fen: &str, moves: &str) -> Position {
    moves.split_whitespace().fold(read(fen), |position, text| position.play(text).expect(text))
}

#[test]
fn lines_join_neighbours_and_diagonals_leave_even_points_only() {
    let neighbours = |name: &str| -> BTreeSet<String> {
        let point = Point::from_name(name).unwrap();
        WAYS.iter().filter_map(|&way| point.next(way)).map(Point::name).collect()
    };
    let rows = [
        ("a1", "a2 b1 b2"),
        ("b1", "a1 b2 c1"),
        ("c1", "b1 b2 c2 d1 d2"),
        ("a2", "a1 a3 b2"),
        ("c3", "b2 b3 b4 c2 c4 d2 d3 d4"),
        ("c2", "b2 c1 c3 d2"),
        ("e5", "d4 d5 e4"),
        ("e4", "d4 e3 e5"),
    ];
    for (name, names) in rows {
        let expected: BTreeSet<String> = names.split(' ').map(str::to_string).collect();
        assert_eq!(neighbours(name), expected, "{name}");
    }
    let ends: usize = Point::all().map(|point| neighbours(&point.name()).len()).sum();
    assert_eq!(ends, 2 * (20 + 20 + 16));
    assert!(["f1", "a6", "a0", "", "a", "a12"].iter().all(|name| Point::from_name(name).is_none()));
}

#[test]
fn the_start_has_twelve_men_a_side() {
    let start = Position::start().unwrap();
    let names = |color: Color| -> Vec<String> {
        start.board.points_of(color).into_iter().map(Point::name).collect()
    };
    assert_eq!(names(Color::White).join(" "), "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 d3 e3");
    assert_eq!(names(Color::Black).join(" "), "a3 b3 a4 b4 c4 d4 e4 a5 b5 c5 d5 e5");
    assert_eq!(start.turn, Color::White);
}

/// The table in `data/alquerque.txt`: `FEN ; =count +legal -illegal … ; comment`.
#[test]
fn special_positions_have_the_moves_they_should() {
    for line in include_str!("../../../data/alquerque_rules.txt").lines() {
        let parts: Vec<&str> = line.split(" ;").collect();
        let moves = read(parts[0]).legal_moves();
        let distinct: BTreeSet<&String> = moves.iter().collect();
        assert_eq!(distinct.len(), moves.len(), "a move twice: {line}");
        for word in parts[1].split_whitespace() {
            let (sign, rest) = word.split_at(1);
            let holds = match sign {
                "=" => moves.len() == rest.parse::<usize>().unwrap(),
                "+" => moves.iter().any(|text| text == rest),
                "-" => !moves.iter().any(|text| text == rest),
                _ => false,
            };
            assert!(holds, "{word} fails: {line}\n{} {moves:?}", moves.len());
        }
    }
}

#[test]
fn moves_change_men_clocks_and_forbidden_steps() {
    let quiet = "m4/5/2M2/5/5 w - - 7 3";
    let two = "m4/5/2M2/5/M4 w - - 7 3";
    let jumps = "5/1m3/5/1m1m1/M4 w - - 7 3";
    let back = "m4/4m/3M1/5/5 w d3c3 e4d4 2 7";
    let rows = [
        (quiet, "c3c4", "m4/2M2/5/5/5 b - - 0 3"),
        (quiet, "c3b4", "m4/1M3/5/5/5 b - - 0 3"),
        (quiet, "c3d3", "m4/5/3M1/5/5 b - d3c3 8 3"),
        (quiet, "c3d3 a5b5", "1m3/5/3M1/5/5 w d3c3 b5a5 9 4"),
        (quiet, "c3d3 a5a4", "5/m4/3M1/5/5 w d3c3 - 0 4"),
        // The other step is forbidden for one move only.
        (quiet, "c3d3 a5b5 d3e3", "1m3/5/4M/5/5 b b5a5 e3d3 10 4"),
        (quiet, "c3d3 a5b5 d3d4", "1m3/3M1/5/5/5 b b5a5 - 0 4"),
        (two, "c3d3 a5b5 a1b1 b5c5 d3c3", "2m2/5/2M2/5/1M3 b c5b5 c3d3 12 5"),
        (jumps, "a1c3a5", "M4/5/5/3m1/5 b - - 0 3"),
        (jumps, "a1c3e1", "5/1m3/5/5/4M b - - 0 3"),
        (back, "d3e3", "m4/4m/4M/5/5 b e4d4 e3d3 3 7"),
        (back, "d3d4", "m4/3Mm/5/5/5 b - - 0 7"),
        // A sideways jump is no sideways step.
        ("5/5/m4/1M3/M1M1M w - - 0 1", "c1b1 a3c1", "5/5/5/5/MMm1M w - - 0 2"),
        ("5/5/1mM2/5/m4 w - - 9 1", "c3a3", "5/5/M4/5/m4 b - - 0 1"),
        // A round ends where it began, and nothing is forbidden after it.
        ("3m1/2m1m/2Mm1/5/m4 w - - 9 1", "c3e3e5c5c3", "5/5/2M2/5/m4 b - - 0 1"),
        // A forbidden step is lost with its man, and when its target is taken.
        ("5/2m2/1M3/5/5 w - - 0 1", "b3c3 c4c2", "5/5/5/2m2/5 w - - 0 2"),
        ("5/1m3/1M3/5/M4 w - - 0 1", "b3b5", "1M3/5/5/5/M4 b - - 0 1"),
        ("5/2m2/3M1/5/5 w d3c3 - 1 4", "d3e3 c4d4", "5/3m1/4M/5/5 w e3d3 d4c4 3 5"),
        ("5/4m/4m/4M/2M2 w - - 0 1", "e2d2 e3e2", "5/4m/5/3Mm/2M2 w - - 0 2"),
        ("5/2m2/2M2/5/M4 b - - 0 1", "c4c2", "5/5/5/2m2/M4 w - - 0 2"),
    ];
    for (fen, moves, end) in rows {
        let mut position = read(fen);
        for text in moves.split_whitespace() {
            position = match position.play(text) {
                Ok(next) => next,
                Err(error) => panic!("{error}: {:?}", position.legal_moves()),
            };
        }
        assert_eq!(position.to_fen(), end, "{fen} {moves}");
    }
}

#[test]
fn fens_are_written_in_the_canonical_way() {
    let rows = [
        ("m4/5/3M1/5/5 w d3c3 -", "m4/5/3M1/5/5 w d3c3 - 0 1"),
        // A compulsory jump set aside, the step would be legal.
        ("m4/3m1/3M1/5/5 w d3c3 - 0 1", "m4/3m1/3M1/5/5 w d3c3 - 0 1"),
        ("m4/5/2mM1/5/5 w d3c3 - 0 1", "m4/5/2mM1/5/5 w - - 0 1"),
        ("m4/5/4M/5/5 w d3c3 - 0 1", "m4/5/4M/5/5 w - - 0 1"),
        ("m4/5/3m1/5/M4 w d3c3 - 0 1", "m4/5/3m1/5/M4 w - - 0 1"),
        ("5/5/3m1/5/M4 w - d3c3 1 1", "5/5/3m1/5/M4 w - d3c3 1 1"),
        ("5/5/2Mm1/5/M4 w - d3c3 1 1", "5/5/2Mm1/5/M4 w - - 1 1"),
        ("5/5/3M1/5/M4 w - d3c3 1 1", "5/5/3M1/5/M4 w - - 1 1"),
        // No man steps on its last rank, so none has.
        ("3M1/5/5/5/M4 w d5c5 - 0 1", "3M1/5/5/5/M4 w - - 0 1"),
        ("3M1/5/5/5/3m1 w - d1c1 0 1", "3M1/5/5/5/3m1 w - - 0 1"),
    ];
    for (given, canonical) in rows {
        assert_eq!(read(given).to_fen(), canonical);
    }
}

#[test]
fn fens_that_are_no_position_are_refused() {
    for fen in [
        "",
        "m4/5/5/5/M4",
        "m4/5/5/M4 w - - 0 1",
        "m5/5/5/5/M4 w - - 0 1",
        "m3/5/5/5/M4 w - - 0 1",
        "k4/5/5/5/M4 w - - 0 1",
        "m4/5/5/5/M4 x - - 0 1",
        "m4/5/5/5/M4 w - - 0",
        "m4/5/5/5/M4 w - - 0 x",
        "m4/5/3M1/5/5 w d3d4 - 0 1",
        "m4/5/3M1/5/5 w d3b3 - 0 1",
        "m4/5/3M1/5/5 w d3 - 0 1",
        "m4/5/3M1/5/5 w d3c3b3 - 0 1",
        "m4/5/3M1/5/5 w d3é - 0 1",
    ] {
        assert!(Position::from_fen(fen).is_err(), "{fen}");
    }
}

#[test]
fn the_end_of_the_game() {
    let rows = [
        ("2M2/5/5/5/m4 w - - 0 1", Some(End::Loss)),
        ("5/5/5/5/m4 w - - 0 1", Some(End::Loss)),
        ("M4/5/5/5/5 b - - 0 1", Some(End::Loss)),
        ("m4/M4/5/5/4m w a4b4 - 1 5", Some(End::Loss)),
        ("m4/M4/5/5/4m w - - 1 5", None),
        ("2M2/5/5/5/m4 w - - 100 60", Some(End::Loss)),
        ("m4/5/2M2/5/5 w - - 100 60", Some(End::HundredPlies)),
        ("m4/5/2M2/5/5 w - - 99 60", None),
    ];
    for (fen, end) in rows {
        assert_eq!(read(fen).end(), end, "{fen}");
    }
    assert_eq!(play("5/5/2mM1/5/5 w - - 0 1", "d3b3").end(), Some(End::Loss));
}

#[test]
fn the_same_position_has_the_same_men_side_and_forbidden_steps() {
    let same = |fen: &str| -> Identity { read(fen).identity() };
    let base = same("m4/4m/3M1/5/5 w d3c3 e4d4 2 7");
    assert_eq!(base, same("m4/4m/3M1/5/5 w d3c3 e4d4 20 17"));
    assert_ne!(base, same("m4/4m/3M1/5/5 w - e4d4 2 7"));
    assert_ne!(base, same("m4/4m/3M1/5/5 w d3e3 e4d4 2 7"));
    assert_ne!(base, same("m4/4m/3M1/5/5 w d3c3 - 2 7"));
    assert_ne!(same("m4/4m/3M1/5/5 w - - 2 7"), same("m4/4m/3M1/5/5 b - - 2 7"));
}

#[test]
fn series_of_moves_are_counted_from_the_start() {
    let start = Position::start().unwrap();
    let counts: Vec<u64> = (0..=6).map(|depth| start.perft(depth)).collect();
    assert_eq!(counts, [1, 4, 5, 6, 12, 27, 97]);
    assert!(start.play("c2c4").is_err());
}
