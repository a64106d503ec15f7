use super::engine::Engine;
use qirkat_testing::games::{Game, MIDDLE};
use qirkat_testing::garbage::of_every_kind;

fn expect_working_engine(engine: &mut Engine, after: &str) {
    // A unique word, as the lines before may contain any other.
    const MARK: &str = "stillthere";
    engine.say(&format!("\nexit\nforce\nnew\nforce\neasy\nnopost\n{MARK}"));
    engine.until(after, |line| line.contains(MARK));
    engine.sync();
    engine.expect_position(&Game::start());
    engine.silently("new\nsd 1");
    engine.plays(&mut Game::start(), "e2e4");
}

#[test]
fn unknown_commands_are_reported() {
    let unknown = ["foo bar", "new!", "gox", "pingx 3", "isready", "--help", "%s%n%d", "!", "NEW"];
    let (mut engine, game) = Engine::forced_at(MIDDLE);
    for line in unknown {
        let told = engine.only_answer(line);
        assert_eq!(told, format!("Error (unknown command): {line}"));
    }
    // The old way to set up a position.
    assert_eq!(engine.only_answer("edit"), "Error (use setboard instead): edit");
    engine.expect_position(&game);
}

#[test]
fn line_ends_and_blanks_do_not_matter() {
    let mut engine = Engine::greeted();
    for lines in
        ["usermove e2e4\r", "\tusermove\te2e4\t", "   usermove   e2e4   ", "usermove e2e4 \t \r"]
    {
        engine.silently("new\r\nforce\r\n\r\n\n \t \n");
        engine.silently(lines);
        engine.expect_position(&Game::start().moves("e2e4"));
    }
    engine.inject(b"ping\t500\r\n");
    engine.expect("pong 500", |line| line == "pong 500");
    engine.inject(b" \tquit \r\n");
    engine.wait_for_clean_exit();
}

#[test]
fn garbage_is_survived() {
    let valid = [
        "protover 2",
        "new",
        "variant chesquerque",
        "force",
        "go",
        "playother",
        "usermove e2e4",
        "usermove g8g9q",
        "undo",
        "?",
        "draw",
        "hint",
        "result 1-0 {White mates}",
        "setboard r3k3r/pp2b1ppp/2n1q1a2/2pp1p3/4P1N2/2PB1P3/1P1Q1AP1P/P2N5/R3K3R w KQkq - 0 1",
        "setboard 4k4/6P2/9/9/9/9/9/9/4K4 w - - 0 1",
        "setboard 9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60",
        "level 40 0:01 0",
        "st 1",
        "sd 2",
        "time 20",
        "post",
        "hard",
        "option MultiPV=2",
        "analyze",
        ".",
        "exit",
        "include all",
        "lift e2",
    ];
    let endless = [
        ("", "a"),
        ("", " "),
        ("usermove ", "e2e4"),
        ("setboard ", "9/"),
        ("setboard rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 ", "1"),
        ("option ", "MultiPV "),
        ("option MultiPV=", "0"),
        ("level ", "9"),
        ("ping ", "9"),
        ("lift ", "e"),
        ("exclude ", "e2e4 "),
    ];
    let mut engine = Engine::greeted();
    // `cores` is left out: starting thousands of threads is slow.
    for (kind, bytes) in of_every_kind(34, &valid, &endless, &["quit", "cores"]) {
        engine.inject(&bytes);
        engine.say("\nexit\nforce\noption MultiPV=1\noption Resign=0\nlevel 40 5 0\nst 5");
        expect_working_engine(&mut engine, &kind);
    }
}
