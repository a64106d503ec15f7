//! `setboard` with good and bad positions, `new` and `edit`.

use super::engine::Engine;
use qirkat_testing::games::{Game, MIDDLE, START};

/// FENs that are read, and what they mean.
const GOOD: [(&str, &str); 9] = [
    (START, START),
    (MIDDLE, MIDDLE),
    ("4k4/9/9/9/9/9/9/9/4K4 w - -", "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1"),
    ("4k4/9/9/9/9/9/9/9/R3K4 w KQkq - 0 1", "4k4/9/9/9/9/9/9/9/R3K4 w Q - 0 1"),
    ("4k4/9/9/6p1P/9/9/9/9/4K4 w - g7 0 1", "4k4/9/9/6p1P/9/9/9/9/4K4 w - - 0 1"),
    ("4k4/9/9/6pP1/9/9/9/9/4K4 w - g7 0 1", "4k4/9/9/6pP1/9/9/9/9/4K4 w - g7 0 1"),
    ("  4k4/9/9/9/9/9/9/9/4K4   b  -  -  7  9 ", "4k4/9/9/9/9/9/9/9/4K4 b - - 7 9"),
    ("9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60", "9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60"),
    ("9/3Q5/9/8K/9/8k/9/9/9 b - - 150 160", "9/3Q5/9/8K/9/8k/9/9/9 b - - 150 160"),
];

/// One for each kind of fault; what else is wrong with a FEN is tested with the rules.
const BAD: [&str; 12] = [
    "",
    "startpos",
    "4k4/9/9/9/9/9/9/4K4 w - - 0 1",
    "4k4/9/9/9/9/9/9/9/9 w - - 0 1",
    "4k4/9/4R4/9/9/9/9/9/4K4 w - - 0 1",
    "4k4/9/9/9/4c4/9/9/9/4K4 w - - 0 1",
    "4kP3/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "4k4/9/9/9/9/9/9/9/4K4 x - - 0 1",
    "4k4/9/9/9/9/9/9/9/4K4 w Z - 0 1",
    "4k4/9/9/9/9/9/9/9/4K4 w - e5 0 1",
    "4k4/9/9/9/9/9/9/9/4K4 w - - 99999999999999999999 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

#[test]
fn good_positions_are_set_up() {
    let mut engine = Engine::greeted();
    engine.silently("force");
    for (fen, meant) in GOOD {
        let said = engine.answer(&format!("setboard {fen}"));
        assert!(said.iter().all(|line| line.starts_with("# ")), "only notes: {said:?}");
        engine.stands_at(&Game::from_fen(meant));
        let told = engine.only_answer("undo");
        assert!(told.starts_with("Error ("), "there is nothing to take back: {told}");
    }
}

/// A GUI that rejects `debug` may take a note for anything, so it gets none.
#[test]
fn notes_are_only_for_who_wants_them() {
    let mut engine = Engine::greeted();
    engine.silently("accepted setboard\nrejected debug\nforce");
    engine.silently("setboard 4k4/9/9/9/9/9/9/9/R3K4 w KQkq - 0 1");
    engine.silently("memory 0");
}

/// A bad position is told of once, for the user, and the old one stays with
/// its moves.
#[test]
fn bad_positions_are_refused() {
    let (mut engine, mut game) = Engine::forced_at(MIDDLE);
    let before = Game::from_fen(MIDDLE);
    let quiet = game.legal().into_iter().next().expect("a legal move");
    engine.force_move(&mut game, &quiet);
    for fen in BAD {
        let told = engine.only_answer(&format!("setboard {fen}"));
        assert!(told.starts_with("tellusererror ") || told.starts_with("Error ("), "{fen}: {told}");
        engine.stands_at(&game);
    }
    engine.silently("undo");
    engine.stands_at(&before);
}
