//! The clauses of the rules, one by one, in hand-made positions.

use std::collections::BTreeSet;

use super::board::{Board, Cell, Color, KNIGHT_LEAPS, Kind};
use super::position::Position;
use super::{End, Identity};

fn read(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn play(fen: &str, moves: &str) -> Position {
    moves.split_whitespace().fold(read(fen), |position, text| position.play(text).expect(text))
}

fn cell(name: &str) -> Cell {
    Cell::from_name(name).expect(name)
}

fn set(names: &str) -> BTreeSet<String> {
    names.split_whitespace().map(str::to_string).collect()
}

/// Where a piece on an otherwise empty board, or among `others`, attacks.
fn attacks(kind: Kind, color: Color, from: &str, others: &str) -> BTreeSet<String> {
    let mut board = Board::empty();
    for name in others.split_whitespace() {
        board.set(cell(name), Some((color, Kind::Pawn)));
    }
    board.set(cell(from), Some((color, kind)));
    board.attacks(cell(from)).into_iter().map(Cell::name).collect()
}

#[test]
fn centres_lie_like_bricks() {
    for (name, half_x, rank) in [("a1", 0, 1), ("h1", 14, 1), ("a2", 1, 2), ("h8", 15, 8)] {
        assert_eq!((cell(name).half_x(), cell(name).rank), (half_x, rank), "{name}");
    }
    assert_eq!(Cell::all().count(), 64);
    assert!(Cell::all().all(|c| Cell::from_name(&c.name()) == Some(c)));
    assert!(["i1", "a0", "a9", "A1", "a", "a11", ""].iter().all(|n| Cell::from_name(n).is_none()));
}

#[test]
fn the_cant_of_h8_runs_through_e1() {
    let mut names = Vec::new();
    let mut next = Some(cell("h8"));
    while let Some(c) = next {
        names.push(c.name());
        next = c.after((-1, -1));
    }
    assert_eq!(names.join(" "), "h8 h7 g6 g5 f4 f3 e2 e1");
}

#[test]
fn pieces_move_as_the_table_says() {
    let rook = "a4 b4 c4 e4 f4 g4 h4 e5 e6 f7 f8 d5 c6 c7 b8 e3 e2 f1 d3 c2 c1";
    let diagonals = "f5 g6 c5 a6 f3 g2 c3 a2";
    let steps = "c4 e4 e5 d5 e3 d3";
    let diagonal_steps = "f5 c5 f3 c3";
    let rows = [
        (Kind::Rook, rook.to_string()),
        (Kind::Bishop, format!("{diagonals} {steps}")),
        (Kind::Queen, format!("{rook} {diagonals}")),
        (Kind::King, format!("{steps} {diagonal_steps}")),
        (Kind::Knight, "e6 c6 e2 c2 f6 b6 f2 b2 g5 b5 g3 b3".to_string()),
    ];
    for (kind, names) in rows {
        assert_eq!(attacks(kind, Color::White, "d4", ""), set(&names), "{kind:?}");
    }
    assert_eq!(attacks(Kind::Pawn, Color::White, "d4", ""), set("f5 c5"));
    assert_eq!(attacks(Kind::Pawn, Color::Black, "d4", ""), set("f3 c3"));
}

#[test]
fn sliders_are_stopped_and_knights_are_not() {
    let around = "c4 e4 e5 d5 e3 d3 f5 c5 f3 c3";
    for kind in [Kind::Rook, Kind::Bishop, Kind::Queen, Kind::King, Kind::Knight] {
        let expected = match kind {
            Kind::Rook => set("c4 e4 e5 d5 e3 d3"),
            Kind::Knight => attacks(Kind::Knight, Color::White, "d4", ""),
            _ => set(around),
        };
        assert_eq!(attacks(kind, Color::White, "d4", around), expected, "{kind:?}");
    }
}

/// A rook's step, then a diagonal step outward: on the same side sideways after a step along the
/// rank, on the same way up or down after a step along a cant.
#[test]
fn a_knight_goes_a_rook_step_and_a_diagonal_step_outward() {
    let mut ends = BTreeSet::new();
    for (x, y) in [(2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)] {
        for (dx, dy) in [(3, 1), (-3, 1), (3, -1), (-3, -1)] {
            let outward = if y == 0 { x * dx > 0 } else { y == dy };
            if outward {
                ends.insert((x + dx, y + dy));
            }
        }
    }
    assert_eq!(ends, KNIGHT_LEAPS.into_iter().collect());
}

/// The table in `data/masonic.txt`: `FEN ; =count +legal -illegal … ; comment`.
#[test]
fn special_positions_have_the_moves_they_should() {
    for line in include_str!("../../../data/masonic_rules.txt").lines() {
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
fn fens_are_written_in_the_canonical_way() {
    let rows = [
        ("4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        // Rights without king or rook at home.
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 3 9", "4k3/8/8/8/8/8/8/4K2R w K - 3 9"),
        ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1"),
        // The field stays where a capture is legal, and goes where none is.
        ("4k3/8/8/8/3p1P2/8/8/4K3 b - f3 0 1", "4k3/8/8/8/3p1P2/8/8/4K3 b - f3 0 1"),
        ("4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1", "4k3/8/8/8/4pP2/8/8/4K3 b - - 0 1"),
        ("1k6/8/8/8/3pPP2/8/8/4KR2 b - f3 0 1", "1k6/8/8/8/3pPP2/8/8/4KR2 b - - 0 1"),
        ("8/8/8/8/k2p1P1R/8/8/4K3 b - f3 0 1", "8/8/8/8/k2p1P1R/8/8/4K3 b - - 0 1"),
    ];
    for (given, canonical) in rows {
        assert_eq!(read(given).to_fen(), canonical);
    }
}

#[test]
fn fens_that_are_no_position_are_refused() {
    for fen in [
        "",
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2 w - - 0 1",
        "4k3/8/8/8/8/8/8/3AK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
        "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/8/R3K2R w QK - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - x 1",
        // Cells that cannot have been passed over.
        "4k3/8/8/8/P7/8/8/4K3 b - a3 0 1",
        "4k3/8/8/6Pp/8/8/8/4K3 w - h6 0 1",
        "4k3/8/8/8/3p4/8/8/4K3 b - f3 0 1",
        "4k3/8/8/8/3p1P2/5N2/8/4K3 b - f3 0 1",
        "4k3/8/8/8/3p1P2/8/4N3/4K3 b - f3 0 1",
        "4k3/8/8/8/3p1P2/8/8/4K3 w - f3 0 1",
        "4k3/8/8/8/3p1P2/8/8/4K3 b - f4 0 1",
    ] {
        assert!(Position::from_fen(fen).is_err(), "{fen}");
    }
}

#[test]
fn the_cells_that_can_be_passed_are_b3_to_h3_and_a6_to_g6() {
    let mut passed = BTreeSet::new();
    for (fen, rank) in
        [("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 2), ("4k3/pppppppp/8/8/8/8/8/4K3 b - - 0 1", 7)]
    {
        let position = read(fen);
        for text in position.legal_moves() {
            let (from, to) = (cell(&text[..2]), cell(&text[2..4]));
            if from.rank == rank && (to.rank - from.rank).abs() == 2 {
                let sideways = (to.half_x() - from.half_x()) / 2;
                let over = from.after((sideways, (to.rank - from.rank) / 2)).unwrap();
                passed.insert(over.name());
            }
        }
    }
    assert_eq!(passed, set("b3 c3 d3 e3 f3 g3 h3 a6 b6 c6 d6 e6 f6 g6"));
}

#[test]
fn the_field_appears_after_a_double_step_that_can_be_answered_and_only_then() {
    let start = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 5 7";
    let after = play(start, "e2f4");
    assert_eq!(after.to_fen(), "4k3/8/8/8/3p1P2/8/8/4K3 b - f3 0 7");
    assert_eq!(play(start, "e2f4 d4f3").to_fen(), "4k3/8/8/8/8/5p2/8/4K3 w - - 0 8");
    assert_eq!(play(start, "e2f4 e8e7 e1d1").to_fen(), "8/4k3/8/8/3p1P2/8/8/3K4 b - - 2 8");
    assert_eq!(play(start, "e2f3").to_fen(), "4k3/8/8/8/3p4/5P2/8/4K3 b - - 0 7");
    let beside = "4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1";
    assert_eq!(play(beside, "e2f4").to_fen(), "4k3/8/8/8/4pP2/8/8/4K3 b - - 0 1");
    let black = "4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1";
    assert_eq!(play(black, "e7f5").to_fen(), "4k3/8/8/3P1p2/8/8/8/4K3 w - e6 0 2");
    assert_eq!(play(black, "e7f5 d5e6").to_fen(), "4k3/8/4P3/8/8/8/8/4K3 b - - 0 2");
}

/// Two pawns stand where a step over f3 can have ended; which one made it only the game knows.
#[test]
fn the_pawn_that_made_the_double_step_is_part_of_the_position() {
    let from_f2 = play("4k3/8/8/8/3p1P2/8/5P2/4K3 w - - 0 1", "f2e4");
    let from_e2 = play("4k3/8/8/8/3pP3/8/4P3/4K3 w - - 0 1", "e2f4");
    let fen = "4k3/8/8/8/3pPP2/8/8/4K3 b - f3 0 1";
    assert_eq!(from_f2.to_fen(), fen);
    assert_eq!(from_e2.to_fen(), fen);
    assert_ne!(from_f2.identity(), from_e2.identity());
    assert_eq!(read(fen).identity(), from_f2.identity());
    assert_eq!(from_f2.play("d4f3").unwrap().to_fen(), "4k3/8/8/8/5P2/5p2/8/4K3 w - - 0 2");
    assert_eq!(from_e2.play("d4f3").unwrap().to_fen(), "4k3/8/8/8/4P3/5p2/8/4K3 w - - 0 2");
}

#[test]
fn on_reading_a_pawn_whose_capture_is_legal_is_meant() {
    let fen = "6k1/8/8/8/3pPP2/8/8/3RK3 b - f3 0 1";
    assert_eq!(read(fen).to_fen(), fen);
    assert_eq!(read(fen).play("d4f3").unwrap().to_fen(), "6k1/8/8/8/4P3/5p2/8/3RK3 w - - 0 2");
    let black = "4k3/8/8/3Ppp2/8/8/8/4K3 w - e6 0 1";
    assert_eq!(read(black).play("d5e6").unwrap().to_fen(), "4k3/8/4P3/5p2/8/8/8/4K3 b - - 0 1");
}

#[test]
fn castling_moves_king_and_rook_and_ends_the_rights() {
    let white = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let black = "r3k2r/8/8/8/8/8/3PP3/4K3 b kq - 0 1";
    let rows = [
        (white, "e1g1", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"),
        (white, "e1c1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"),
        (white, "a1a2", "4k3/8/8/8/8/8/R7/4K2R b K - 1 1"),
        (white, "h1h2", "4k3/8/8/8/8/8/7R/R3K3 b Q - 1 1"),
        (white, "e1e2", "4k3/8/8/8/8/8/4K3/R6R b - - 1 1"),
        (white, "e1e2 e8f8 e2e1", "5k2/8/8/8/8/8/8/R3K2R b - - 3 2"),
        (black, "e8g8", "r4rk1/8/8/8/8/8/3PP3/4K3 w - - 1 2"),
        (black, "e8c8", "2kr3r/8/8/8/8/8/3PP3/4K3 w - - 1 2"),
        (black, "h8h7", "r3k3/7r/8/8/8/8/3PP3/4K3 w q - 1 2"),
        // A rook captured at home takes the right with it.
        ("3rk3/8/8/8/8/8/8/R3K2R b KQ - 0 1", "d8a1", "4k3/8/8/8/8/8/8/r3K2R w K - 0 2"),
        ("3rk3/8/8/8/8/8/8/R3K2R b KQ - 0 1", "d8h1", "4k3/8/8/8/8/8/8/R3K2r w Q - 0 2"),
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
fn promotion_puts_the_chosen_piece_on_the_board() {
    let fen = "1r2k3/P7/8/8/8/8/8/4K3 w - - 7 1";
    assert_eq!(play(fen, "a7b8n").to_fen(), "1N2k3/8/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(play(fen, "a7a8r").to_fen(), "Rr2k3/8/8/8/8/8/8/4K3 b - - 0 1");
    let black = "4k3/8/8/8/8/8/7p/4K3 b - - 0 1";
    assert_eq!(play(black, "h2h1q").to_fen(), "4k3/8/8/8/8/8/8/4K2q w - - 0 2");
}

#[test]
fn clocks_count_plies_and_moves() {
    let fen = "4k3/7p/8/8/8/8/P7/RN2K3 w - - 4 9";
    let rows = [("b1c3", 5, 9), ("b1c3 h7g6", 0, 10), ("a2b3", 0, 9), ("b1c3 e8e7", 6, 10)];
    for (moves, plies, number) in rows {
        let position = play(fen, moves);
        assert_eq!((position.quiet_plies, position.move_number), (plies, number), "{moves}");
    }
    assert_eq!(play("3rk3/8/8/8/8/8/8/R3K2R b - - 8 3", "d8a1").quiet_plies, 0);
}

#[test]
fn the_end_of_the_game() {
    let rows = [
        ("k7/1Q6/2K5/8/8/8/8/8 b - - 0 1", Some(End::Mate), true),
        ("k7/1Q6/2K5/8/8/8/8/8 b - - 100 90", Some(End::Mate), true),
        ("k7/8/1KR5/8/8/8/8/8 b - - 0 1", Some(End::Stalemate), false),
        ("k7/8/1KR5/8/8/8/8/8 b - - 100 90", Some(End::Stalemate), false),
        ("k7/1Q6/3K4/8/8/8/8/8 b - - 0 1", None, true),
        ("4k3/8/8/8/8/8/8/4K3 w - - 99 90", None, false),
        ("4k3/8/8/8/8/8/8/4K3 w - - 100 90", Some(End::HundredPlies), false),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 100 90", Some(End::HundredPlies), true),
    ];
    for (fen, end, check) in rows {
        assert_eq!((read(fen).end(), read(fen).in_check()), (end, check), "{fen}");
    }
}

#[test]
fn the_same_position_has_the_same_pieces_side_rights_and_en_passant() {
    let same = |fen: &str| -> Identity { read(fen).identity() };
    let base = same("4k3/8/8/8/3p1P2/8/8/R3K3 b Q f3 0 1");
    assert_eq!(base, same("4k3/8/8/8/3p1P2/8/8/R3K3 b Q f3 0 33"));
    assert_ne!(base, same("4k3/8/8/8/3p1P2/8/8/R3K3 b Q - 0 1"));
    assert_ne!(base, same("4k3/8/8/8/3p1P2/8/8/R3K3 b - f3 0 1"));
    assert_ne!(base, same("4k3/8/8/8/3p1P2/8/8/1R2K3 b - f3 0 1"));
    assert_ne!(same("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), same("4k3/8/8/8/8/8/8/R3K3 b Q - 0 1"));
    // A step that cannot be answered leaves no trace.
    let unanswered = play("4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e2f4").identity();
    assert_eq!(unanswered, same("4k3/8/8/8/4pP2/8/8/4K3 b - - 0 1"));
}

#[test]
fn series_of_moves_are_counted_from_the_start() {
    let start = Position::start().unwrap();
    let counts: Vec<u64> = (0..=3).map(|depth| start.perft(depth)).collect();
    assert_eq!(counts, [1, 35, 1225, 44260]);
    assert!(start.play("e2e4").is_err());
}
