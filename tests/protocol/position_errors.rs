//! `position` is all or nothing.

use crate::engine::Engine;
use qirkat_testing::games::{Game, MIDDLE, START, field};

/// Invalid FENs, and a word of the message. Other errors are tested with the rules.
const BAD_FENS: [(&str, &str); 7] = [
    ("", "empty"),
    ("rnbqkabnr/pppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1", "board"),
    ("rnbqkabnr/ppppppppp/9/9/4é4/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1", "board"),
    ("4k4/9/9/9/4R4/9/9/9/4K4 w - - 0 1", "check"),
    ("4k4/9/9/9/9/9/9/9/4K4 w", "castling"),
    ("4k4/9/9/6pP1/9/9/9/9/4K4 w - g6 0 1", "en passant"),
    ("4k4/9/9/9/9/9/9/9/4K4 w - - 0 x", "fullmove"),
];

#[test]
fn bad_fens_are_named_and_change_nothing() {
    let mut engine = Engine::shared();
    let game = Game::from_fen(MIDDLE).moves("e1h1");
    engine.silently(&game.command());
    for (fen, field) in BAD_FENS {
        for line in [format!("position fen {fen}"), format!("position fen {fen} moves e2e4")] {
            let told = engine.notice(&line);
            assert!(told.contains(field), "{line}\n  told: {told}\n  no {field}");
        }
        assert_eq!(engine.fen(), game.fen(), "after {fen}");
    }
    for line in ["position", "position foo", "position moves e2e4", "position startposs"] {
        engine.notice(line);
        assert_eq!(engine.fen(), game.fen(), "{line}");
    }
    assert_eq!(engine.moves(), game.legal());
    engine.begin_raw("go depth 1");
    engine.finish(&game);
}

#[test]
fn illegal_moves_are_named_and_nothing_is_played() {
    let mut engine = Engine::shared();
    let game = Game::start().moves("d2d4 d8d6");
    engine.silently(&game.command());
    // The initial position, the moves, the index of the first illegal one.
    for (start, moves, index) in [
        ("startpos", "e2e5", 1),
        ("startpos", "e2e4 e8e6 zzz d2d4", 3),
        ("startpos", "a2a3 a8a7 i2i10", 3),
        ("startpos", "e2e4 e8e6 e1e2 e9e8 e2e1 e8e9 e1e2 e9e8 e2e1 e8e9 e1e3", 11),
        ("startpos", "é2e4", 1),
        ("fen 4k4/6P2/9/9/9/9/9/9/4K4 w - - 0 1", "g8g9", 1),
        ("fen r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1", "e1h1 e9c9", 2),
        ("fen 4k4/9/9/9/4r4/9/9/4R4/4K4 w - - 0 1", "e2d2", 1),
    ] {
        let told = engine.notice(&format!("position {start} moves {moves}"));
        let bad = moves.split(' ').nth(index - 1).expect("an index in the list");
        assert!(told.contains(bad) || !bad.is_ascii(), "{told} does not name {bad}");
        let mut numbers = told.split(|letter: char| !letter.is_ascii_alphanumeric());
        assert!(numbers.any(|word| word == index.to_string()), "{told} does not name {index}");
        assert_eq!(engine.fen(), game.fen(), "{moves}");
    }
    assert_eq!(engine.moves(), game.legal());
}

#[test]
fn corrections_are_told() {
    let mut engine = Engine::shared();
    engine.silently(&format!("position fen {START}"));
    assert_eq!(engine.fen(), START);
    let told = engine.notice("position fen r3k3r/9/9/9/9/9/9/9/R3K4 w KQkq - 0 1");
    assert!(told.starts_with("castling"), "{told}");
    assert_eq!(field(&engine.fen(), 2), "Qkq");
}

#[test]
fn the_board_of_another_game_is_recognised() {
    let mut engine = Engine::shared();
    let masonic = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    let told = engine.notice(&format!("position fen {masonic}"));
    assert!(told.ends_with("looks like Masonic chess: setoption name UCI_Variant value masonic)"));
    let told = engine.notice("position fen 5/5/5/5/5 w - - 0 1");
    assert!(told.contains("UCI_Variant value alquerque"), "{told}");
    engine.say("setoption name UCI_Variant value masonic");
    engine.sync();
    let told = engine.notice("position fen 8/8/8/8/8/8/8/8 w - - 0 1");
    assert!(!told.contains("looks like"), "{told}");
}
