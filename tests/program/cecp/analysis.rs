use super::engine::Engine;
use super::grammar::{Thinking, is_claim};
use qirkat_testing::games::{Game, MIDDLE, START};

fn analyzing(fen: &str) -> (Engine, Game) {
    let (mut engine, game) = Engine::forced_at(fen);
    engine.say("post\nanalyze");
    (engine, game)
}

fn turns_to(engine: &mut Engine, game: &Game, text: &str) {
    let said = engine.answer(text);
    let odd = said.iter().find(|line| Thinking::parse(line).is_none());
    assert!(odd.is_none(), "{text}: {odd:?}");
    for _ in 0..3 {
        let line = engine.thinks();
        assert!(line.fits(game) && !line.moves.is_empty(), "{line:?} in {}", game.fen());
    }
    engine.expect_position(game);
}

#[test]
fn analysis_follows_the_board() {
    let (mut engine, mut game) = analyzing(MIDDLE);
    turns_to(&mut engine, &game, "put e4");
    for _ in 0..3 {
        let text = game.legal().into_iter().next().expect("a legal move");
        game.play(&text);
        turns_to(&mut engine, &game, &format!("usermove {text}"));
    }
    let start = Game::from_fen(MIDDLE);
    turns_to(&mut engine, &start, "undo\nundo\nundo");
    turns_to(&mut engine, &Game::start(), "new");
    turns_to(&mut engine, &Game::start().moves("e2e4"), "usermove e2e4");
    turns_to(&mut engine, &start, &format!("setboard {MIDDLE}"));
    let told = engine.answer("undo");
    assert!(told.iter().any(|line| line.starts_with("Error (")), "{told:?}");
    let told = engine.answer("setboard nonsense");
    assert!(told.iter().any(|line| line.starts_with("tellusererror ")), "{told:?}");
    let told = engine.answer("usermove e1e9");
    assert!(told.iter().any(|line| line.ends_with("): e1e9")), "{told:?}");
    engine.expect_position(&start);
    engine.answer("exit");
    engine.expect_silence();
    engine.expect_position(&start);
}

#[test]
fn exit_returns_to_force_mode() {
    let (mut engine, mut game) = analyzing(MIDDLE);
    engine.thinks();
    engine.answer("nopost\nexit");
    let text = game.legal().into_iter().next().expect("a legal move");
    engine.force_move(&mut game, &text);
    engine.expect_silence();
    engine.moves_on(&mut game, "sd 2\ngo");
    engine.silently("force");
    for _ in 0..3 {
        engine.answer("analyze");
        engine.answer("exit");
    }
    engine.expect_silence();
    engine.expect_position(&game);
}

#[test]
fn progress_is_reported_on_request() {
    let (mut engine, game) = analyzing(START);
    let legal = game.legal();
    for _ in 0..3 {
        engine.thinks();
        engine.say(".");
        let line = engine.expect("stat01", |line| line.starts_with("stat01: "));
        let words: Vec<&str> = line["stat01: ".len()..].split_whitespace().collect();
        let numbers: Vec<u64> = words.iter().take(5).filter_map(|word| word.parse().ok()).collect();
        let [_, _, ply, left, total] = numbers[..] else {
            engine.fail(&format!("five numbers: {line}"));
        };
        assert!(ply > 0 && left <= total, "{line}");
        assert_eq!(total as usize, legal.len(), "{line}");
        match words[5..] {
            [] => {}
            [text] => assert!(legal.iter().any(|legal| legal == text), "{line}"),
            _ => engine.fail(&line),
        }
    }
    engine.answer(".\n.\n.\n.");
    engine.answer("exit");
    engine.expect_silence();
    engine.answer(".");
}

#[test]
fn moves_are_excluded_and_included() {
    let (mut engine, game) = analyzing(MIDDLE);
    let mut excluded = Vec::new();
    // Each best move in turn.
    for _ in 0..4 {
        let line = engine.thinks();
        let best = line.moves[0].clone();
        assert!(!excluded.contains(&best), "{best} was excluded: {line:?}");
        let said = engine.answer(&format!("exclude {best}"));
        assert!(said.iter().all(|line| Thinking::parse(line).is_some()), "{said:?}");
        excluded.push(best);
    }
    for _ in 0..3 {
        let line = engine.thinks();
        assert!(!excluded.contains(&line.moves[0]), "{line:?} without {excluded:?}");
    }
    let only = game.legal().pop().expect("a legal move");
    engine.answer(&format!("exclude all\ninclude {only}"));
    for _ in 0..3 {
        assert_eq!(engine.thinks().moves[0], only);
    }
    engine.answer("include all");
    assert!(engine.thinks().fits(&game));
    // A new position starts with all moves.
    engine.answer(&format!("exclude all\nusermove {only}"));
    let mut after = Game::from_fen(MIDDLE);
    after.play(&only);
    assert!(engine.thinks().fits(&after));
    for line in ["exclude", "exclude e1e9", "include e1e9", "exclude foo", "include"] {
        let said = engine.answer(line);
        let errors =
            said.iter().filter(|line| line.starts_with("Error (") || line.starts_with("Illegal"));
        assert_eq!(errors.count(), 1, "{line}: {said:?}");
    }
    engine.answer("exclude all");
    engine.expect_only_thinking();
    engine.answer("undo");
    assert!(engine.thinks().fits(&game));
    // In a game an excluded move is not played; at the next move it may be.
    engine.answer("exit\nnopost\nsd 2");
    let mut game = Game::from_fen(MIDDLE);
    engine.moves_on(&mut game, &format!("exclude all\ninclude {only}\ngo"));
    assert_eq!(game.command(), Game::from_fen(MIDDLE).moves(&only).command());
    let text = game.legal().into_iter().next().expect("a legal move");
    engine.plays(&mut game, &text);
}

#[test]
fn finished_games_can_be_analysed() {
    let fen = "9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60";
    let (mut engine, mut game) = analyzing(fen);
    game.play("c6c3");
    let said = engine.answer("usermove c6c3");
    assert!(!said.iter().any(|line| is_claim(line)), "{said:?}");
    engine.expect_position(&game);
    engine.answer("undo");
    engine.expect_position(&Game::from_fen(fen));
    for fen in [
        "9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60",
        "9/3Q5/9/8K/9/8k/9/9/9 b - - 0 60",
        "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "4k4/4r4/9/9/9/9/9/4R4/4K4 w - - 100 90",
    ] {
        let game = Game::from_fen(fen);
        engine.answer(&format!("force\nsetboard {fen}\npost\nanalyze"));
        let said = engine.answer(".\nhint\nbk");
        assert!(!said.iter().any(|line| is_claim(line) || line.starts_with("move ")), "{said:?}");
        engine.expect_only_thinking();
        turns_to(&mut engine, &Game::start(), "new");
        engine.answer(&format!("setboard {fen}"));
        engine.expect_position(&game);
        engine.answer("exit");
        engine.expect_silence();
    }
}

#[test]
fn messages_do_not_disturb_analysis() {
    let (mut engine, game) = analyzing(MIDDLE);
    for line in [
        "ping 7000",
        "hint\ndraw\n?",
        "hard\ntime 10\notim 10\nsd 3\nlevel 0 0:01 0",
        "memory 4\noption Clear Hash",
        "analyze",
        "result 1-0 {x}",
    ] {
        let said = engine.answer(line);
        let moved = said.iter().any(|line| line.starts_with("move ") || is_claim(line));
        assert!(!moved && !said.iter().any(|line| line == "offer draw"), "{line}: {said:?}");
    }
    engine.expect_position(&game);
    engine.answer("sd 0\nlevel 0 5 0\nexit");
    engine.expect_silence();
}
