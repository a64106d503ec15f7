//! Who plays which side, and which commands may come while the engine thinks.

use super::engine::Engine;
use super::grammar::is_claim;
use qirkat_testing::games::{Game, MIDDLE, START};

/// Thinks for minutes unless stopped.
const LONG: &str = "nopost\nst 300";

fn legal(game: &Game) -> String {
    let moves = game.legal();
    moves[moves.len() / 2].clone()
}

fn thinking() -> (Engine, Game) {
    let mut engine = Engine::greeted();
    let game = think_anew(&mut engine);
    (engine, game)
}

fn think_anew(engine: &mut Engine) -> Game {
    engine.answer(&format!("force\nnew\nforce\nsetboard {MIDDLE}\n{LONG}\nplayother"));
    let mut game = Game::from_fen(MIDDLE);
    let text = legal(&game);
    game.play(&text);
    engine.say(&format!("usermove {text}"));
    game
}

#[test]
fn go_playother_and_force_set_the_engine_side() {
    let (mut engine, mut game) = Engine::forced_at(START);
    engine.silently("sd 2");
    for _ in 0..2 {
        engine.moves_on(&mut game, "go");
        let text = legal(&game);
        engine.plays(&mut game, &text);
        engine.silently("force");
        let text = legal(&game);
        engine.force_move(&mut game, &text);
        engine.silently("playother");
        engine.expect_silence();
        let text = legal(&game);
        engine.plays(&mut game, &text);
        // From one side straight to the other.
        engine.moves_on(&mut game, "go");
        let text = legal(&game);
        engine.plays(&mut game, &text);
        engine.silently("force");
        engine.expect_position(&game);
    }
    engine.silently("undo");
    engine.expect_silence();
}

#[test]
fn a_pong_waits_for_the_move() {
    let (mut engine, mut game) = thinking();
    let pongs = [engine.ping(), engine.ping(), engine.ping()];
    engine.expect_silence();
    engine.say("?");
    let said = engine.until(&pongs[2], |line| line == pongs[2]);
    let (before, after) = said.split_at(1);
    engine.take_move(&mut game, before.to_vec());
    assert_eq!(after, pongs, "every ping has its pong, in order, after the move");
    engine.expect_position(&game);
}

#[test]
fn move_now_gives_one_move() {
    let (mut engine, mut game) = thinking();
    let said = engine.answer("?\n?\n?");
    engine.take_move(&mut game, said);
    engine.silently("?\n?");
    engine.expect_silence();
    engine.silently("force\n?");
    engine.silently("playother\n?");
    engine.expect_silence();
    engine.expect_position(&game);
}

/// `?` or `force` in the same write as the previous move: `?` still gives a move, and `force`
/// leaves a consistent board, whether or not the engine had replied.
#[test]
fn commands_may_follow_a_move_in_the_same_write() {
    for _ in 0..3 {
        let (mut engine, mut game) = Engine::forced_at(MIDDLE);
        engine.silently(LONG);
        engine.moves_on(&mut game, "go\n?");
        let text = legal(&game);
        game.play(&text);
        engine.moves_on(&mut game, &format!("usermove {text}\n?"));
        let text = legal(&game);
        game.play(&text);
        let said = engine.answer(&format!("usermove {text}\nforce"));
        if !said.is_empty() {
            engine.take_move(&mut game, said);
        }
        engine.expect_position(&game);
        engine.expect_silence();
        engine.moves_on(&mut game, "go\n?");
    }
}

#[test]
fn messages_do_not_disturb_thinking() {
    let lines = [
        "post\nnopost\neasy\ntime 100000\notim 100000",
        "computer\nname Somebody\nrating 1 2\ndraw\nhint\nbk",
        "lift e2\nput e4\nhover e4\nfoo\nusermove e2e9\nusermove e2e4",
        "level 0 90 10\nsd 40\noption MultiPV=1\naccepted setboard\nrejected nonsense",
        ".\nexit",
        "undo\nremove",
        "playother",
        "go",
        "memory 4\ncores 2\nmemory 16\ncores 1",
    ];
    let mut engine = Engine::greeted();
    for line in lines {
        let mut game = think_anew(&mut engine);
        engine.say(line);
        let is_move = |line: &String| line.starts_with("move ");
        assert!(!engine.listen(super::engine::WATCH / 4).iter().any(is_move), "{line}");
        let moved: Vec<String> = engine.answer("?").into_iter().filter(is_move).collect();
        // Only taking back and changing sides may stop the search.
        let may_stop = ["undo\nremove", "playother", ".\nexit"].contains(&line);
        assert!(moved.len() == 1 || may_stop && moved.is_empty(), "{line}: {moved:?}");
        if moved.len() == 1 && !may_stop {
            engine.take_move(&mut game, moved);
            engine.expect_position(&game);
        }
        engine.answer("force");
    }
    engine.expect_silence();
}

#[test]
fn thinking_can_be_aborted() {
    let endings =
        ["force", "new", "new\nforce", "force\nundo", "result * {stopped}\nforce", "analyze\nexit"];
    let mut engine = Engine::greeted();
    for ending in endings {
        let game = think_anew(&mut engine);
        let said = engine.answer(ending);
        let moved = said.iter().any(|line| line.starts_with("move ") || is_claim(line));
        assert!(!moved, "{ending}: {said:?}");
        engine.expect_silence();
        if ending == "force" {
            engine.expect_position(&game);
        }
        // A new game is not affected.
        engine.silently("new\nsd 2");
        let mut fresh = Game::start();
        engine.plays(&mut fresh, "e2e4");
    }
}

#[test]
fn moves_out_of_turn_are_refused() {
    let (mut engine, mut game) = thinking();
    let other = legal(&game);
    engine.say(&format!("usermove {other}\nusermove e2e4"));
    let told = engine.until("two refusals", |line| line.ends_with("): e2e4"));
    assert!(
        told.len() == 2 && told[0] == format!("Illegal move (it is the engine's turn): {other}"),
        "{told:?}"
    );
    let rest = engine.moves_on(&mut game, "?");
    assert!(rest.is_empty(), "{rest:?}");
    engine.expect_silence();
    engine.expect_position(&game);
}

#[test]
fn end_of_input_ends_the_program() {
    for quit in [true, false] {
        let (mut engine, _) = thinking();
        engine.expect_silence();
        if quit {
            engine.say("quit\nusermove e2e4\ngo");
        }
        engine.hang_up();
        let said = engine.wait_for_clean_exit();
        assert!(said.iter().filter(|line| line.starts_with("move ")).count() <= 1, "{said:?}");
    }
    let idle = ["", "force\n", "analyze\n", "hard\nsd 2\nusermove e2e4\n", "go", "usermove e2"];
    let idle = idle.map(|text| (Engine::greeted(), text));
    let early = ["xboard", "xboard\n", "xboard\nprotover", "xboard\nprotover 2", "xboard\nquit"];
    let early = early.map(|text| (Engine::silent(), text));
    for (mut engine, text) in idle.into_iter().chain(early) {
        engine.inject(text.as_bytes());
        engine.hang_up();
        let said = engine.wait_for_clean_exit();
        assert!(said.iter().filter(|line| line.starts_with("move ")).count() <= 1, "{said:?}");
    }
}
