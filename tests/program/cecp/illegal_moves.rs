use super::engine::Engine;
use qirkat_testing::effort;
use qirkat_testing::games::{Game, START, mirrored, turned};

/// A position, and illegal moves there.
const ILLEGAL: [(&str, &str); 12] = [
    (START, "e2e5 e2d3 e2f3 e2e1 e4e5 e8e6 a1a2 a1a3 c1a3 d1d4 e1e2 e1h1 e1b1 b1c2 e2e2 e2e4q"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R w - - 0 1", "e1h1 e1b1 e1g1 e1c1 e1a1 e1i1"),
    ("r3k3r/9/9/9/9/9/9/9/R1N1KN2R w KQkq - 0 1", "e1h1 e1b1"),
    ("4k4/9/9/9/4r4/9/9/9/R3K3R w KQ - 0 1", "e1h1 e1b1 a1a2 e1e2"),
    ("4k4/9/9/9/5r3/9/9/9/R3K3R w KQ - 0 1", "e1h1 e1f1"),
    ("4k4/9/9/9/1r7/9/9/9/R3K3R w KQ - 0 1", "e1b1"),
    ("4k4/9/4r4/9/9/9/4R4/9/4K4 w - - 0 1", "e3d3 e3f4 e3a3"),
    ("4k4/9/9/6pP1/9/9/9/9/4K4 w - - 0 1", "h6g7 h6i7 h6h8"),
    ("4k4/6P2/9/9/9/9/9/9/4K4 w - - 0 1", "g8g9 g8g9k g8g9p g8g9c g8g9x g8f9q g8h9q g8g7"),
    ("4k4/9/9/9/3p5/3P5/9/9/4K4 w - - 0 1", "d4d5 d4d6 d4c5 d4e5"),
    ("9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60", "i2i1 i2h2 i2h1 i2i3"),
    ("9/3Q5/9/8K/9/8k/9/9/9 b - - 0 60", "i4i5 i4h4 i4i3"),
];

/// Words that are not moves on any position of this board.
const NO_MOVES: [&str; 18] = [
    "e2", "e2e", "e2e10", "e0e1", "j1j2", "a1a0", "z9z8", "e2e4e5", "e2-e4", "e2 e4", "0000",
    "@@@@", "Nf3", "O-O", "P@e4", "1234", "e2e4qq", "E2E4",
];

/// XBoard misreads a refusal that contains one of these: it leaves the move on the board, or even
/// disables a feature.
const MISREAD: [&str; 16] = [
    "name", "rating", "?", "result", "board", "bk", "computer", "variant", "hint", "random",
    "depth", "accepted", "protover", "draw", "time", "analyze",
];

fn refused(engine: &mut Engine, text: &str) {
    let told = engine.answer(&format!("usermove {text}"));
    refused_by(engine, text, &told);
}

fn refused_by(engine: &mut Engine, text: &str, told: &[String]) {
    let suffix = format!("): {text}");
    let reason = told.first().and_then(|line| {
        line.strip_prefix("Illegal move (")?.strip_suffix(&suffix).filter(|reason| reason.len() > 1)
    });
    let Some(reason) = reason else {
        engine.fail(&format!("{text} is refused with a reason, not by {told:?}"))
    };
    if let Some(word) = MISREAD.iter().find(|&&word| told[0].contains(word)) {
        engine.fail(&format!("XBoard would not take {text} back because of `{word}`"));
    }
    // Unparsable moves are not explained by the rules.
    let explained = !reason.contains("algebraic notation");
    let note = explained.then(|| format!("telluser {text} is illegal: {reason}"));
    if told.get(1..) != Some(note.as_slice()) {
        engine.fail(&format!("the player is told why {text} is illegal, not {told:?}"));
    }
}

#[test]
fn illegal_moves_are_refused_in_force_mode() {
    let mut engine = Engine::greeted();
    engine.silently("force");
    for (fen, moves) in ILLEGAL {
        for (fen, moves) in [(fen.to_owned(), moves.to_owned()), (mirrored(fen), turned(moves))] {
            let game = Game::from_fen(&fen);
            engine.silently(&format!("setboard {fen}"));
            for text in moves.split(' ') {
                assert!(!game.legal().iter().any(|legal| legal == text), "{text} in {fen}");
                refused(&mut engine, text);
            }
            engine.expect_position(&game);
        }
    }
}

#[test]
fn illegal_moves_are_refused_while_playing() {
    let mut engine = Engine::greeted();
    for (fen, moves) in ILLEGAL[..10].iter().step_by(effort([3, 1, 1])) {
        engine.silently(&format!("new\nforce\nsetboard {fen}\nsd 2\nplayother"));
        let mut game = Game::from_fen(fen);
        for text in moves.split(' ') {
            refused(&mut engine, text);
        }
        engine.expect_position(&game);
        let quiet = game.legal().into_iter().next().expect("a legal move");
        engine.plays(&mut game, &quiet);
        engine.expect_position(&game);
    }
}

/// Unparsable moves are refused in one line, as a move or as an error. For those in algebraic
/// notation the player is told the reason too.
#[test]
fn unparsable_moves_are_refused() {
    let mut engine = Engine::greeted();
    for text in NO_MOVES {
        let told = engine.answer(&format!("usermove {text}"));
        match told.as_slice() {
            [error] if error.starts_with("Error (") => assert!(error.contains(text), "{error}"),
            _ => refused_by(&mut engine, text, &told),
        }
    }
    engine.expect_position(&Game::start());
    // Without a move there is nothing to take back.
    let told = engine.only_answer("usermove");
    assert!(told.starts_with("Error (") && told.ends_with("usermove"), "no move: {told}");
}
