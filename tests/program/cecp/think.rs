use std::time::Instant;

use super::engine::Engine;
use super::grammar::Thinking;
use qirkat_testing::games::{Game, MIDDLE, Standing, mirrored};

fn thought(engine: &mut Engine, game: &mut Game, text: &str) -> (Vec<Thinking>, String) {
    let before = Game::from_fen(&game.fen());
    let said = engine.answer(text);
    let thinking: Vec<Thinking> = said.iter().filter_map(|line| Thinking::parse(line)).collect();
    for line in &thinking {
        assert!(line.fits(&before) && !line.moves.is_empty(), "{line:?} in {}", before.fen());
    }
    assert!(thinking.is_sorted_by_key(|line| line.ply), "{thinking:?}");
    assert!(thinking.is_sorted_by_key(|line| line.nodes), "{thinking:?}");
    let mv = said.iter().find(|line| line.starts_with("move ")).cloned();
    engine.take_move(game, said);
    (thinking, mv.expect("a move was played")["move ".len()..].to_owned())
}

#[test]
fn thinking_is_shown_after_post() {
    let (mut engine, mut game) = Engine::forced_at(MIDDLE);
    engine.silently("sd 5\npost");
    let (shown, played) = thought(&mut engine, &mut game, "go");
    let last = shown.last().expect("some thinking");
    assert_eq!(last.moves[0], played);
    assert_eq!(last.ply, 5, "sd 5 is five plies");
    let (shown, _) = thought(&mut engine, &mut game, "nopost\ngo");
    assert!(shown.is_empty(), "{shown:?}");
    // Times in hundredths of a second: no more than have passed.
    let from = Instant::now();
    let (shown, _) = thought(&mut engine, &mut game, "post\ngo");
    let gone = from.elapsed().as_millis() as u64 / 10;
    assert!(shown.is_sorted_by_key(|line| line.time), "{shown:?}");
    assert!(shown.last().is_some_and(|line| line.time <= gone + 1), "{gone}: {shown:?}");
    let (shown, _) = thought(&mut engine, &mut game, "post\nsd 3\ngo");
    assert_eq!(shown.last().map(|line| line.ply), Some(3));
}

#[test]
fn a_depth_limit_lasts_until_new() {
    let (mut engine, mut game) = Engine::forced_at(MIDDLE);
    engine.silently("post\nsd 2\nlevel 40 5 0\nst 5");
    for _ in 0..3 {
        let (shown, _) = thought(&mut engine, &mut game, "go");
        assert!(shown.iter().all(|line| line.ply <= 2), "{shown:?}");
    }
    engine.silently("force\nundo\nundo\nnew\nlevel 0 0:05 0");
    let mut game = Game::start().moves("e2e4");
    let (shown, _) = thought(&mut engine, &mut game, "usermove e2e4");
    assert!(shown.last().is_some_and(|line| line.ply > 2), "{shown:?}");
}

#[test]
fn mates_have_their_score() {
    let mates = [
        ("9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60", 1),
        ("k8/9/9/1K4Q2/9/9/9/9/9 w - - 0 60", 2),
        ("9/9/5Q3/9/9/9/9/6K2/8k b - - 0 60", -1),
    ];
    let mut engine = Engine::greeted();
    for (fen, expected) in mates {
        for fen in [fen.to_owned(), mirrored(fen)] {
            engine.silently(&format!("new\nforce\nsetboard {fen}\nsd 12\npost"));
            let mut game = Game::from_fen(&fen);
            let (shown, _) = thought(&mut engine, &mut game, "go");
            let last = shown.last().expect("some thinking");
            assert_eq!(last.mate(), Some(expected), "{fen}: {last:?}");
            if expected == 1 {
                assert_eq!(game.standing(), Standing::Mated);
            }
        }
    }
}

#[test]
fn hints_are_legal() {
    let (mut engine, mut game) = Engine::forced_at(MIDDLE);
    engine.silently("sd 3\nnopost");
    for _ in 0..2 {
        engine.say("hint");
        let hint = engine.expect("a hint", |line| line.starts_with("Hint: "));
        let hint = &hint["Hint: ".len()..];
        assert!(game.legal().iter().any(|legal| legal == hint), "{hint}");
        engine.expect_position(&game);
        engine.force_move(&mut game, hint);
    }
    engine.expect_silence();
    // A hint has no thinking output: it is answered once.
    engine.say("post\nhint");
    engine.until("a hint", |line| line.starts_with("Hint: "));
    engine.expect_silence();
    // Without legal moves there is no hint.
    engine.silently("setboard 9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60\nhint");
    engine.expect_silence();
}

/// The book is reported in the protocol's form: lines that start with a blank, then an empty one.
#[test]
fn the_book_is_reported() {
    let mut engine = Engine::greeted();
    let said = engine.answer("bk");
    let (last, lines) = said.split_last().expect("an answer");
    assert!(last.is_empty() && lines.iter().all(|line| line.starts_with([' ', '\t'])), "{said:?}");
    let best = lines[0].split_whitespace().next().expect("a move").to_owned();
    engine.silently("option OwnBook=1\nforce\npost");
    let said = engine.answer("go");
    let moved = said.iter().find_map(|line| line.strip_prefix("move ")).expect("a move");
    let mut game = Game::start();
    let [line] = &said.iter().filter_map(|line| Thinking::parse(line)).collect::<Vec<_>>()[..]
    else {
        panic!("one line: {said:?}")
    };
    assert_eq!((line.ply, line.nodes, &*line.moves[0]), (0, 0, moved));
    engine.take_move(&mut game, said);
    // The best move of the list, in algebraic notation.
    engine.silently(&format!("force\nundo\nusermove {best}"));
    engine.expect_position(&game);
    let said = engine.answer("setboard 4k4/9/9/9/9/9/9/R8/4K4 w - - 0 1\nbk");
    assert_eq!(said, [" The position is not in the opening book.", ""]);
}
