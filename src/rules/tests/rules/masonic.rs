//! Masonic chess: the move generator against fixed counts, a table of special cases and a slow
//! generator; and properties of any position.

use std::collections::{BTreeSet, HashSet};

use qirkat_game::{GameState, ReadMove, Rules, perft};
use qirkat_rules::masonic::{
    Bitboard, Cell, Color, DrawReason, GameHistory, MAX_MOVES, Masonic, Outcome, PieceKind,
    Position, START_FEN, piece_attacks,
};
use qirkat_testing::walk;

use super::reference::compare_walks;
use super::tables::{MASONIC, assert_counts, assert_table, fens, read as read_any};

const COUNTS: &[(&str, &[u64])] =
    &[(START_FEN, &[35, 1_225, 44_260, 1_595_054, 60_348_329]), (CROWDED_QUEENS, &[297])];

/// The largest known number of moves.
const CROWDED_QUEENS: &str = "QQQQQQNk/Q6N/Q5QQ/Q6Q/Q6Q/KQ5Q/Q6Q/QQQQQQQQ w - - 0 1";

fn read(fen: &str) -> Position {
    read_any(fen)
}

#[test]
fn counts_and_special_positions_are_correct() {
    assert_counts::<Position>(COUNTS);
    assert_table::<Position>(MASONIC, 92);
    assert_table::<Position>(include_str!("../data/masonic_rules.txt"), 70);
}

#[test]
fn random_walks_agree_with_the_reference() {
    compare_walks::<Masonic>([30, 1_000, 20_000], 50, MASONIC, |_, _, _| ());
}

fn positions() -> impl Iterator<Item = Position> {
    (0..60).flat_map(|seed| walk(seed, 100, 0.2)).chain(fens(MASONIC).map(read))
}

/// The rules' table lists these moves from `d4`.
#[test]
fn pieces_move_as_documented() {
    let rook = "a4 b4 c4 e4 f4 g4 h4 e5 e6 f7 f8 d5 c6 c7 b8 e3 e2 f1 d3 c2 c1";
    let diagonals = "f5 g6 c5 a6 f3 g2 c3 a2";
    let steps = "c4 e4 e5 d5 e3 d3";
    let diagonal_steps = "f5 c5 f3 c3";
    let set = |names: &str| names.split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
    for (kind, names) in [
        (PieceKind::Rook, rook.to_owned()),
        (PieceKind::Bishop, format!("{diagonals} {steps}")),
        (PieceKind::Queen, format!("{rook} {diagonals}")),
        (PieceKind::King, format!("{steps} {diagonal_steps}")),
        (PieceKind::Knight, "e6 c6 e2 c2 f6 b6 f2 b2 g5 b5 g3 b3".to_owned()),
    ] {
        let attacks = piece_attacks(kind, Cell::parse("d4").expect("a cell"), Bitboard::EMPTY);
        let found: BTreeSet<String> = attacks.into_iter().map(|cell| cell.to_string()).collect();
        assert_eq!(found, set(&names), "{kind:?}");
    }
}

#[test]
fn moves_update_the_fen() {
    let white = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let black = "r3k2r/8/8/8/8/8/3PP3/4K3 b kq - 0 1";
    let promotes = "1r2k3/P7/8/8/8/8/8/4K3 w - - 7 1";
    let steps = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 5 7";
    let clocks = "4k3/7p/8/8/8/8/P7/RN2K3 w - - 4 9";
    for (fen, moves, end) in [
        (white, "e1g1", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"),
        (white, "e1c1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"),
        (white, "a1a2", "4k3/8/8/8/8/8/R7/4K2R b K - 1 1"),
        (white, "h1h2", "4k3/8/8/8/8/8/7R/R3K3 b Q - 1 1"),
        (white, "e1e2 e8f8 e2e1", "5k2/8/8/8/8/8/8/R3K2R b - - 3 2"),
        (black, "e8g8", "r4rk1/8/8/8/8/8/3PP3/4K3 w - - 1 2"),
        (black, "e8c8", "2kr3r/8/8/8/8/8/3PP3/4K3 w - - 1 2"),
        (black, "h8h7", "r3k3/7r/8/8/8/8/3PP3/4K3 w q - 1 2"),
        // Capturing a rook at home removes its castling right.
        ("3rk3/8/8/8/8/8/8/R3K2R b KQ - 8 1", "d8a1", "4k3/8/8/8/8/8/8/r3K2R w K - 0 2"),
        ("3rk3/8/8/8/8/8/8/R3K2R b KQ - 0 1", "d8h1", "4k3/8/8/8/8/8/8/R3K2r w Q - 0 2"),
        (promotes, "a7b8n", "1N2k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        (promotes, "a7a8r", "Rr2k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        // En passant is set only after a double step that can be captured.
        (steps, "e2f4", "4k3/8/8/8/3p1P2/8/8/4K3 b - f3 0 7"),
        (steps, "e2f4 d4f3", "4k3/8/8/8/8/5p2/8/4K3 w - - 0 8"),
        (steps, "e2f4 e8e7 e1d1", "8/4k3/8/8/3p1P2/8/8/3K4 b - - 2 8"),
        (steps, "e2f3", "4k3/8/8/8/3p4/5P2/8/4K3 b - - 0 7"),
        ("4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e2f4", "4k3/8/8/8/4pP2/8/8/4K3 b - - 0 1"),
        ("4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1", "e7f5", "4k3/8/8/3P1p2/8/8/8/4K3 w - e6 0 2"),
        // With two candidate pawns the legal capture decides which is meant.
        ("6k1/8/8/8/3pPP2/8/8/3RK3 b - f3 0 1", "d4f3", "6k1/8/8/8/4P3/5p2/8/3RK3 w - - 0 2"),
        ("4k3/8/8/3Ppp2/8/8/8/4K3 w - e6 0 1", "d5e6", "4k3/8/4P3/5p2/8/8/8/4K3 b - - 0 1"),
        (clocks, "b1c3", "4k3/7p/8/8/8/2N5/P7/R3K3 b - - 5 9"),
        (clocks, "b1c3 h7g6", "4k3/8/6p1/8/8/2N5/P7/R3K3 w - - 0 10"),
        (clocks, "a2b3", "4k3/7p/8/8/8/1P6/8/RN2K3 b - - 0 9"),
    ] {
        let after = |position: Position, text| {
            position
                .after(position.read_move(text).unwrap_or_else(|error| panic!("{text}: {error}")))
        };
        assert_eq!(moves.split(' ').fold(read(fen), after).fen(), end, "{fen} {moves}");
    }
}

#[test]
fn rotation_with_swapped_colors_changes_only_castling() {
    let mut en_passant = 0;
    for position in positions() {
        let turned = position.flipped();
        assert_eq!(read(&turned.fen()).fen(), turned.fen());
        let there_and_back = turned.flipped();
        assert_eq!(turned.in_check(), position.in_check(), "{position}");
        assert_eq!(perft(&there_and_back, 2), perft(&turned, 2), "{position}");
        if position.castling().is_empty() {
            assert_eq!(there_and_back, position);
        }
        assert_eq!(position.castling_lost_by_flipping(), position.castling());
        en_passant += usize::from(turned.en_passant().is_some());
    }
    assert!(en_passant > 20, "only {en_passant} positions with en passant");
}

#[test]
fn algebraic_notation_follows_the_orthodox_conventions() {
    for (fen, mv, san) in [
        (START_FEN, "e2f4", "ef4"),
        (START_FEN, "h2h3", "hh3"),
        (START_FEN, "a2b4", "ab4"),
        (START_FEN, "g1f3", "Nf3"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2f4", "f4"),
        ("4k3/8/8/8/8/3p2p1/4P3/4K3 w - - 0 1", "e2g3", "exg3"),
        ("4k3/8/8/8/3pPP2/8/8/4K3 b - f3 0 1", "d4f3", "dxf3"),
        ("4k3/8/8/8/4pP2/8/8/4K3 b - - 0 1", "e4f3", "f3"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
        ("1k6/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O+"),
        ("6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O+"),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
        ("7k/8/8/8/8/8/8/N3K1N1 w - - 0 1", "a1c2", "Nc2"),
        ("7k/8/8/2N5/8/2N5/8/4K3 w - - 0 1", "c3e4", "N3e4"),
        ("7k/8/8/2N5/8/2N4N/8/4K3 w - - 0 1", "c3e4", "Nc3e4"),
    ] {
        let position = read(fen);
        let mv = position.read_move(mv).unwrap_or_else(|error| panic!("{fen} {mv}: {error}"));
        assert_eq!(position.san(mv), san, "{fen}");
    }
}

#[test]
fn the_double_stepped_pawn_is_part_of_the_key() {
    // White's e2-f4 and f2-e4 both pass f3, and both pawns end side by side.
    let before = [
        ("4k3/8/8/8/3pP3/8/4P3/4K3 w - - 0 1", "e2f4", "f4"),
        ("4k3/8/8/8/3p1P2/8/5P2/4K3 w - - 0 1", "f2e4", "e4"),
    ];
    let after = before.map(|(fen, mv, pawn)| {
        let position = read(fen);
        let next = position.after(position.read_move(mv).expect("a legal move"));
        let target = next.en_passant().expect("a capture is legal");
        assert_eq!([target.passed, target.pawn].map(|cell| cell.to_string()), ["f3", pawn]);
        next
    });
    assert_eq!(after[0].fen(), after[1].fen());
    assert_ne!(after[0].key(), after[1].key());
    assert_eq!(read(&after[0].fen()).en_passant(), after[1].en_passant());
    let taken = after.map(|position| {
        let mv = position.read_move("d4f3").expect("en passant is legal");
        position.after(mv).fen()
    });
    assert_eq!(taken[0], "4k3/8/8/8/4P3/5p2/8/4K3 w - - 0 2");
    assert_eq!(taken[1], "4k3/8/8/8/5P2/5p2/8/4K3 w - - 0 2");
}

#[test]
fn hundreds_of_moves_are_handled() {
    let position = read(CROWDED_QUEENS);
    let moves = position.legal_moves();
    assert!(moves.len() > usize::from(u8::MAX) && moves.len() < MAX_MOVES);
    assert_eq!(position.count_legal_moves(), moves.len() as u64);
    assert_eq!(moves.iter().collect::<HashSet<_>>().len(), moves.len());
    assert!(moves.iter().all(|&mv| position.is_legal(mv)));
    // Unreachable boards are read too.
    let full = format!("{}/K6k", ["QQQQQQQQ"; 7].join("/"));
    let crowded = format!("{full} w - - 0 1").replacen("Q", "1", 3);
    assert!(Position::from_fen(&crowded).is_err(), "the side that waits is in check");
}

#[test]
fn threefold_repetition_draws_unless_mate() {
    let mut state = GameState::<Position>::default();
    for round in 0..2 {
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert_eq!(state.outcome(), None, "round {round} before {text}");
            let mv = state.position().read_move(text).expect("a legal move");
            state.play(mv);
        }
    }
    assert_eq!(state.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));

    for (fen, outcome) in [
        ("k7/1Q6/2K5/8/8/8/8/8 b - - 100 80", Some(Outcome::Checkmate(Color::White))),
        ("k7/8/1KR5/8/8/8/8/8 b - - 100 80", Some(Outcome::Draw(DrawReason::Stalemate))),
        ("k7/8/2KR4/8/8/8/8/8 b - - 100 80", Some(Outcome::Draw(DrawReason::HundredPlies))),
        ("k7/8/2KR4/8/8/8/8/8 b - - 99 80", None),
        ("k7/8/2K5/8/8/8/8/8 b - - 0 80", Some(Outcome::Draw(DrawReason::InsufficientMaterial))),
        ("k7/8/2KN4/8/8/8/8/8 b - - 0 80", None),
    ] {
        assert_eq!(read(fen).outcome(&GameHistory::new()), outcome, "{fen}");
    }
}

#[test]
fn null_moves_need_pieces() {
    for (fen, may_pass) in [
        (START_FEN, true),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1", true),
    ] {
        let position = read(fen);
        let passed = qirkat_game::Searchable::null_move(&position);
        assert_eq!(passed.is_some(), may_pass, "{fen}");
        if let Some(passed) = passed {
            assert_eq!(read(&passed.fen()), passed);
            assert_ne!(passed.side_to_move(), position.side_to_move());
        }
    }
}
