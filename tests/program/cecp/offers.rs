use super::engine::Engine;
use super::grammar::{is_claim, is_resignation};
use qirkat_testing::games::{Game, Standing, both, mirrored};

/// White to move has everything, Black only moves.
const WON: &str = "4k4/9/9/9/9/9/9/2QQ1RR2/4K4 w - - 0 1";
/// The engine, to move, has nothing.
const LOST: &str = "4k4/9/9/9/9/9/9/2QQ1RR2/4K4 b - - 0 1";

#[test]
fn a_draw_is_accepted_only_in_a_lost_game() {
    let mut engine = Engine::greeted();
    engine.silently(&format!("force\nsetboard {LOST}\ndraw\ndraw"));
    engine.expect_silence();
    for (fen, answer) in [(WON, &[][..]), (LOST, &["offer draw"])] {
        for fen in [fen.to_owned(), mirrored(fen)] {
            let mut game = Game::from_fen(&fen);
            engine.silently(&format!("new\nforce\nsetboard {fen}\nsd 3"));
            engine.moves_on(&mut game, "go");
            assert_eq!(engine.answer("draw"), answer, "{fen}");
            if game.standing() != Standing::Open {
                continue;
            }
            // The GUI decides: until then the game continues.
            let text = still_open(&game);
            game.play(&text);
            let rest = engine.moves_on(&mut game, &format!("draw\nusermove {text}"));
            let is_offered = rest.iter().any(|line| line == "offer draw");
            assert!(!is_offered || !answer.is_empty(), "{rest:?}");
        }
    }
}

fn still_open(game: &Game) -> String {
    let found = game
        .legal()
        .into_iter()
        .find(|text| Game::from_fen(&game.fen()).moves(text).standing() == Standing::Open);
    found.expect("a move that does not end the game")
}

fn resigns(engine: &mut Engine, option: &str, fen: &str) -> bool {
    engine.silently(&format!("{option}\nnew\nforce\nsetboard {fen}\nsd 6"));
    let mut game = Game::from_fen(fen);
    let mut said = engine.answer("go");
    for _ in 0..12 {
        if let Some(at) = said.iter().position(|line| is_resignation(line)) {
            assert!(!said[at + 1..].iter().any(|line| line.starts_with("move ")), "{said:?}");
            return true;
        }
        let rest = engine.take_move(&mut game, said);
        if rest.iter().any(|line| is_claim(line)) || game.standing() != Standing::Open {
            break;
        }
        let text = still_open(&game);
        game.play(&text);
        said = engine.answer(&format!("usermove {text}"));
    }
    false
}

#[test]
fn resigning_is_an_option() {
    let mut engine = Engine::greeted();
    assert!(!resigns(&mut engine, "random", LOST), "off is the default");
    for fen in both(&[LOST]) {
        assert!(resigns(&mut engine, "option Resign=1", &fen), "a queen or four down is enough");
        engine.expect_silence();
    }
    assert!(!resigns(&mut engine, "option Resign=0", LOST), "off is off");
    engine.silently("option Resign=1\nresult 1-0 {Black resigns}\nforce\nnew\nsd 2");
    let rest = engine.plays(&mut Game::start(), "e2e4");
    assert!(rest.is_empty(), "{rest:?}");
}
