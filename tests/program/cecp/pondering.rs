//! `hard` and `easy`: with pondering the engine makes one move a turn, whatever the opponent does.

use super::engine::Engine;
use super::grammar::{Thinking, is_claim};
use qirkat_testing::effort;
use qirkat_testing::games::{Game, MIDDLE, Random, Standing};

fn ponder_anew(engine: &mut Engine) -> Game {
    engine.answer(&format!("exit\nnew\neasy\nforce\nsetboard {MIDDLE}\noption MultiPV=1"));
    engine.answer("level 0 10 0\ntime 100\notim 1000\nhard\npost");
    let mut game = Game::from_fen(MIDDLE);
    // Long enough to have a ponder move.
    engine.moves_on(&mut game, "go");
    engine.answer("time 1000");
    game
}

fn expected(engine: &mut Engine, game: &Game) -> String {
    engine.say("hint");
    let said = engine.until("a hint", |line| line.starts_with("Hint: "));
    let hint = said.last().expect("the hint")["Hint: ".len()..].to_owned();
    assert!(game.legal().contains(&hint), "{hint} in {}", game.fen());
    hint
}

#[test]
fn hard_ponders_and_easy_does_not() {
    let mut engine = Engine::greeted();
    let mut game = ponder_anew(&mut engine);
    for _ in 0..3 {
        let line = engine.thinks();
        // The ponder move may be left out once `hint` has shown it.
        let guessed =
            game.legal().iter().any(|text| line.fits(&Game::from_fen(&game.fen()).moves(text)));
        assert!(line.fits(&game) || guessed, "{line:?} in {}", game.fen());
    }
    engine.answer("easy");
    engine.expect_silence();
    let text = expected_or_any(&game);
    game.play(&text);
    engine.moves_on(&mut game, &format!("sd 3\nusermove {text}"));
    engine.expect_silence();
}

fn expected_or_any(game: &Game) -> String {
    game.legal().into_iter().next().expect("a legal move")
}

#[test]
fn ponder_hits_and_misses_give_one_move() {
    let mut engine = Engine::greeted();
    let mut game = ponder_anew(&mut engine);
    let mut random = Random::seeded(33);
    let mut ponders = true;
    for turn in 0..effort([6, 10, 10]) {
        if ponders && turn % 3 == 0 {
            engine.thinks();
        }
        let legal = game.legal();
        if legal.is_empty() {
            break;
        }
        let text =
            if turn % 2 == 0 { expected(&mut engine, &game) } else { random.pick(&legal).clone() };
        game.play(&text);
        if game.standing() != Standing::Open {
            break;
        }
        let said = engine.answer(&format!("time 150\notim 150\nusermove {text}"));
        // With a short mate all depths are searched at once, and then there is silence.
        let decided =
            said.iter().filter_map(|line| Thinking::parse(line)).any(|line| line.mate().is_some());
        let rest = engine.take_move(&mut game, said);
        if decided {
            break;
        }
        if rest.iter().any(|line| is_claim(line)) {
            break;
        }
        // A search that ended on a lower bound has no ponder move.
        ponders = rest.iter().any(|line| line.starts_with("Hint: "));
        engine.expect_only_thinking();
    }
    engine.answer("force\neasy");
    engine.expect_position(&game);
}

#[test]
fn a_late_hit_is_answered() {
    for limit in ["sd 3", "st 1"].into_iter().take(effort([1, 2, 2])) {
        let (mut engine, mut game) = Engine::forced_at(MIDDLE);
        engine.silently(&format!("hard\n{limit}"));
        engine.moves_on(&mut game, "go\n?");
        for _ in 0..2 {
            let hint = expected(&mut engine, &game);
            engine.expect_only_thinking();
            engine.plays(&mut game, &hint);
            engine.expect_only_thinking();
        }
    }
}

#[test]
fn pondering_is_interrupted_by_anything() {
    let lines = [
        "\n?\ndraw\ntime 1000\notim 1000\nlevel 0 1 0",
        "cores 2\noption Clear Hash",
        "easy",
        "easy\nhard",
        "exclude all\ninclude all\nlift e2\nusermove e9e1\nfoo",
        "force",
        "force\nplayother",
        "remove",
        "new",
        "analyze\nexit",
        "setboard 4k4/9/9/9/9/9/9/4P4/4K4 w - - 0 1",
        "result * {over}",
    ];
    let mut engine = Engine::greeted();
    for line in lines.into_iter().step_by(effort([2, 1, 1])) {
        let mut game = ponder_anew(&mut engine);
        let said = engine.answer(line);
        let is_move = |line: &String| line.starts_with("move ") || is_claim(line);
        assert!(!said.iter().any(is_move), "{line}: {said:?}");
        engine.expect_only_thinking();
        let left = ["force", "new", "remove", "setboard", "analyze", "result"];
        if !left.iter().any(|word| line.starts_with(word)) || line.ends_with("playother") {
            let text = expected_or_any(&game);
            game.play(&text);
            engine.moves_on(&mut game, &format!("time 50\notim 50\nusermove {text}"));
        } else if line == "new" {
            let mut game = Game::start().moves("e2e4");
            engine.moves_on(&mut game, "usermove e2e4\n?");
        } else if line == "force" {
            engine.expect_position(&game);
        }
    }
}

#[test]
fn no_pondering_before_or_after_a_game() {
    let mut engine = Engine::greeted();
    engine.silently("hard\npost");
    engine.expect_silence();
    engine.silently("force\nsetboard 9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60\nsd 4");
    let mut game = Game::from_fen("9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60");
    let rest = engine.moves_on(&mut game, "go");
    assert!(rest.len() == 1 && rest[0].starts_with("1-0 {"), "{rest:?}");
    engine.expect_silence();
}
