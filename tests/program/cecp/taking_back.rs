use super::engine::Engine;
use qirkat_testing::games::{Game, MIDDLE, Random};

#[test]
fn undo_returns_to_the_start() {
    let starts = [
        "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
        MIDDLE,
        "r3k3r/6p2/9/7P1/9/9/2p6/9/R3K3R w KQkq - 0 1",
        "1n2k1r2/P1P4P1/9/9/9/9/p1p4p1/9/4K4 w - - 0 1",
    ];
    let mut engine = Engine::greeted();
    let mut random = Random::seeded(32);
    engine.silently("force");
    for fen in starts {
        let mut games = vec![Game::from_fen(fen)];
        engine.silently(&format!("setboard {fen}"));
        let line = Game::from_fen(fen).wander(&mut random, 24).command();
        let (_, moves) = line.split_once(" moves ").expect("some moves");
        for text in moves.split(' ') {
            let game = games.last().expect("a start");
            let game = Game::from_fen(&game.fen()).moves(text);
            engine.silently(&format!("usermove {text}"));
            games.push(game);
        }
        while games.len() > 1 {
            engine.expect_position(games.last().expect("a start"));
            engine.silently("undo");
            games.pop();
        }
        engine.expect_position(&games[0]);
        let told = engine.only_answer("undo");
        assert!(told.starts_with("Error (") && told.ends_with(": undo"), "{told}");
        engine.expect_position(&games[0]);
    }
}

/// `remove` takes back the last two moves, if there are two, and the engine keeps its side.
#[test]
fn remove_takes_back_two_moves() {
    let mut engine = Engine::greeted();
    engine.silently("sd 2");
    let mut game = Game::start();
    engine.plays(&mut game, "e2e4");
    let before = Game::from_fen(&game.fen());
    engine.plays(&mut game, "d2d3");
    engine.silently("remove");
    engine.expect_position(&before);
    engine.silently("remove");
    engine.expect_position(&Game::start());
    for text in ["", "new\nforce\nsd 2\ngo"] {
        engine.answer(text);
        let told = engine.only_answer("remove");
        assert!(told.starts_with("Error (") && told.ends_with(": remove"), "{told}");
    }
    engine.silently("new\nsd 2");
    engine.plays(&mut Game::start(), "h2h3");
}

#[test]
fn undone_moves_do_not_count_for_repetition() {
    let round = "e1e2 e9e8 e2e1 e8e9";
    let mut engine = Engine::greeted();
    engine.silently("force\nusermove e2e4\nusermove e8e6");
    let mut game = Game::start().moves("e2e4 e8e6");
    for text in round.split(' ') {
        engine.force_move(&mut game, text);
    }
    for _ in 0..3 {
        for text in round.split(' ') {
            engine.silently(&format!("usermove {text}"));
        }
        engine.silently("undo\nundo\nundo\nundo");
    }
    for text in ["e1e2", "e9e8", "e2e1"] {
        engine.force_move(&mut game, text);
    }
    engine.silently("sd 2\nplayother");
    // Only the second occurrence, with castling rights: the game continues.
    let rest = engine.plays(&mut game, "e8e9");
    assert!(rest.is_empty(), "{rest:?}");
}
