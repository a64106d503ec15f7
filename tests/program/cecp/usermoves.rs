//! Special moves by `usermove`, judged by what the engine takes for legal
//! afterwards.

use super::engine::Engine;
use qirkat_testing::games::{Game, START, mirrored, turned};

/// A position and moves from there, one after the other.
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
                engine.stands_at(&game);
            }
        }
    }
}

/// Capturing promotions to all five pieces.
#[test]
fn capturing_promotions_are_made() {
    let mut engine = Engine::greeted();
    engine.silently("force");
    let fen = "1r2k1r2/P6P1/9/9/9/9/p6p1/9/R3K1R2 w - - 0 1";
    let start = Game::from_fen(fen);
    let promotions: Vec<String> = start.legal().into_iter().filter(|mv| mv.len() == 5).collect();
    assert!(promotions.len() >= 5, "{promotions:?}");
    for text in promotions {
        let mut game = Game::from_fen(fen);
        engine.silently(&format!("setboard {fen}"));
        engine.force_move(&mut game, &text);
        engine.stands_at(&game);
        engine.silently("undo");
        engine.stands_at(&start);
    }
}
