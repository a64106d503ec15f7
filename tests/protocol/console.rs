use crate::engine::Engine;
use qirkat_testing::effort;
use qirkat_testing::games::{CROWDED, Game, MIDDLE, Random, START, mirrored};

#[test]
fn board_and_moves_agree_with_the_reference() {
    let mut engine = Engine::shared();
    let mut random = Random::seeded(1);
    let starts = [START, MIDDLE, CROWDED, &mirrored(MIDDLE), "4k4/6p2/9/7P1/9/9/9/9/4K4 b - - 0 1"];
    for round in 0..effort([15, 40, 40]) {
        let plies = random.below(25);
        let game = Game::from_fen(starts[round % starts.len()]).wander(&mut random, plies);
        engine.silently(&game.command());
        assert_eq!(engine.fen(), game.fen());
        assert_eq!(engine.moves(), game.legal(), "{}", game.fen());
    }
}

#[test]
fn the_drawing_shows_pieces_and_diagonals() {
    let mut engine = Engine::shared();
    engine.silently("position startpos moves e2e4");
    engine.say("d");
    let said = engine.sync();
    let drawing: Vec<&String> = said.iter().filter(|line| !line.starts_with("Fen: ")).collect();
    assert!(drawing.len() >= 9, "nine ranks at least: {drawing:?}");
    let text: String = drawing.iter().map(|line| line.as_str()).collect();
    assert!(text.contains(['/', '\\', '╱', '╲', '╳']), "no diagonal line in {drawing:?}");
}

#[test]
fn flip_swaps_the_sides() {
    let mut engine = Engine::shared();
    for fen in [START, MIDDLE, "4k4/8P/9/9/9/9/9/9/R3K4 w Q - 7 30"] {
        engine.silently(&format!("position fen {fen}"));
        engine.silently("flip");
        let flipped = mirrored(fen);
        assert_eq!(engine.fen(), flipped);
        assert_eq!(engine.moves(), Game::from_fen(&flipped).legal());
        engine.silently("flip");
        assert_eq!(engine.fen(), fen);
    }
}

/// In Masonic chess a rotation has no castling: the lost rights are reported.
#[test]
fn flip_reports_lost_castling_rights() {
    let mut engine = Engine::shared();
    engine.notice("setoption name UCI_Variant value masonic");
    for (fen, lost) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq"),
        ("r3k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R b Kq - 3 9", "Kq"),
    ] {
        engine.silently(&format!("position fen {fen}"));
        let notice = engine.notice("flip");
        assert!(notice.starts_with(&format!("castling: `{lost}` dropped")), "{notice}");
        let flipped = engine.fen();
        assert!(flipped.contains(" - "), "{flipped}");
        engine.silently("flip");
        assert_eq!(engine.fen(), fen.replace(lost, "-"));
    }
}

#[test]
fn eval_and_help_answer() {
    let mut engine = Engine::shared();
    engine.say("eval");
    let said = engine.sync();
    assert!(said.iter().any(|line| line.bytes().any(|byte| byte.is_ascii_digit())), "{said:?}");
    engine.say("help");
    let said = engine.sync().join("\n");
    for command in ["position", "go", "setoption", "moves", "perft", "bench", "flip", "eval"] {
        assert!(said.contains(command), "help does not name {command}: {said}");
    }
    engine.say("help options");
    let said = engine.sync();
    for line in ["MultiPV: a number from 1 to 974; 1", "Clear Hash: a button"] {
        let index = said.iter().position(|other| other == line).expect(line);
        assert!(said[index + 1].starts_with("    "), "{line} is not described: {said:?}");
    }
}
