//! The board: `setboard`, `usermove` with special moves, and `lift`, checked by the engine's legal
//! moves afterwards.

use super::engine::Engine;
use qirkat_testing::games::{CROWDED, Game, MIDDLE, START, both, mirrored, turned};

/// A position and successive moves from it.
const LINES: [(&str, &str); 14] = [
    (START, "e2e4 e8e6 e1e2 e9e8 e2e1 e8e9"),
    (START, "h2h4 a8a7 h4h5 a7a6 h5h6 g8g6 h6g7"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1", "e1h1 e9b9"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1", "e1b1 e9h9"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1", "a1a9"),
    ("4k4/9/9/6pP1/9/9/9/9/4K4 w - g7 0 1", "h6g7"),
    ("4k4/6p2/9/7P1/9/9/9/9/4K4 b - - 0 1", "g8g6 h6g7"),
    ("4k4/6p2/9/7P1/9/9/9/9/4K4 b - - 0 1", "g8g6 e1e2 e9e8"),
    ("4k4/6P2/9/9/9/9/9/9/4K4 w - - 0 1", "g8g9q"),
    ("4k4/6P2/9/9/9/9/9/9/4K4 w - - 0 1", "g8g9r"),
    ("4k4/6P2/9/9/9/9/9/9/4K4 w - - 0 1", "g8g9b e9e8"),
    ("4k4/6P2/9/9/9/9/9/9/4K4 w - - 0 1", "g8g9n e9d9"),
    ("4k4/6P2/9/9/9/9/9/9/4K4 w - - 0 1", "g8g9a"),
    ("4k1r2/6P2/9/9/9/9/9/9/4K4 w - - 0 1", "e1e2"),
];

#[test]
fn special_moves_are_made() {
    let mut engine = Engine::greeted();
    engine.silently("force");
    for (fen, moves) in LINES {
        for (fen, moves) in [(fen.to_owned(), moves.to_owned()), (mirrored(fen), turned(moves))] {
            engine.silently(&format!("setboard {fen}"));
            let mut game = Game::from_fen(&fen);
            for text in moves.split(' ') {
                engine.force_move(&mut game, text);
                engine.expect_position(&game);
            }
        }
    }
}

/// Castling both ways, checks, pins, promotions with and without capture, and
/// en passant, for both sides.
const POSITIONS: [&str; 12] = [
    START,
    MIDDLE,
    CROWDED,
    "r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1",
    "4k4/9/9/6pP1/9/9/9/9/4K4 w - g7 0 1",
    "4k4/9/9/6p1P/9/9/9/9/4K4 w - g7 0 1",
    "1n2k1r2/P1P4P1/9/9/9/9/9/9/4K4 w - - 0 1",
    "k8/8P/9/9/4r4/9/9/4R4/4K4 w - - 0 1",
    "4k4/9/9/4r4/9/9/9/3PNP3/4K4 w - - 0 1",
    "4k4/9/4r4/9/9/9/9/3P1P3/4K2B1 w - - 0 1",
    "9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60",
    "9/3Q5/9/8K/9/8k/9/9/9 b - - 0 60",
];

#[test]
fn invalid_points_are_refused() {
    let mut engine = Engine::greeted();
    for line in
        ["lift", "lift e", "lift e0", "lift j5", "lift e10", "lift E2", "lift e2e4", "lift @"]
    {
        let told = engine.only_answer(line);
        assert!(told.starts_with("Error (") && told.ends_with(line), "{told}");
    }
    engine.expect_position(&Game::start());
}

/// Valid FENs, and how they are read.
const GOOD: [(&str, &str); 5] = [
    ("4k4/9/9/9/9/9/9/9/4K4 w - -", "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1"),
    ("4k4/9/9/9/9/9/9/9/R3K4 w KQkq - 0 1", "4k4/9/9/9/9/9/9/9/R3K4 w Q - 0 1"),
    ("4k4/9/9/6p1P/9/9/9/9/4K4 w - g7 0 1", "4k4/9/9/6p1P/9/9/9/9/4K4 w - - 0 1"),
    ("  4k4/9/9/9/9/9/9/9/4K4   b  -  -  7  9 ", "4k4/9/9/9/9/9/9/9/4K4 b - - 7 9"),
    ("9/3Q5/9/8K/9/8k/9/9/9 b - - 150 160", "9/3Q5/9/8K/9/8k/9/9/9 b - - 150 160"),
];

/// The other errors are tested with the rules.
const BAD: [&str; 6] = [
    "",
    "startpos",
    "4k4/9/9/9/9/9/9/4K4 w - - 0 1",
    "4k4/9/4R4/9/9/9/9/9/4K4 w - - 0 1",
    "4k4/9/9/9/9/9/9/9/4K4 w - - 99999999999999999999 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

#[test]
fn good_positions_are_set_up() {
    let mut engine = Engine::greeted();
    engine.silently("force");
    let same = both(&POSITIONS).into_iter().map(|fen| (fen.clone(), fen));
    let read = GOOD.map(|(fen, meant)| (fen.to_owned(), meant.to_owned()));
    for (fen, meant) in same.chain(read) {
        let said = engine.answer(&format!("setboard {fen}"));
        assert!(said.iter().all(|line| line.starts_with("# ")), "only notes: {said:?}");
        engine.expect_position(&Game::from_fen(&meant));
        let told = engine.only_answer("undo");
        assert!(told.starts_with("Error ("), "there is nothing to take back: {told}");
    }
}

/// A GUI that rejects `debug` may misread a `#` line, so it gets none.
#[test]
fn debug_lines_are_only_sent_if_accepted() {
    let mut engine = Engine::greeted();
    engine.silently("accepted setboard\nrejected debug\nforce");
    engine.silently("setboard 4k4/9/9/9/9/9/9/9/R3K4 w KQkq - 0 1");
    engine.silently("memory 0");
}

#[test]
fn bad_positions_are_refused() {
    let (mut engine, mut game) = Engine::forced_at(MIDDLE);
    let before = Game::from_fen(MIDDLE);
    let quiet = game.legal().into_iter().next().expect("a legal move");
    engine.force_move(&mut game, &quiet);
    for fen in BAD {
        let told = engine.only_answer(&format!("setboard {fen}"));
        assert!(told.starts_with("tellusererror ") || told.starts_with("Error ("), "{fen}: {told}");
        engine.expect_position(&game);
    }
    engine.silently("undo");
    engine.expect_position(&before);
}
