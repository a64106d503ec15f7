use crate::engine::{Engine, Room};
use qirkat_testing::games::Game;
use qirkat_testing::garbage::of_every_kind;

/// The engine is alive, takes a position and plays a legal move.
fn expect_working_engine(engine: &mut Engine, after: &str) {
    // A unique word, as the lines before may contain any other.
    const MARK: &str = "still-there";
    engine.inject(format!("\nstop\nucinewgame\n{MARK}\nisready\n").as_bytes());
    engine.until(after, |line| line.contains(MARK));
    engine.until(after, |line| line == "readyok");
    let game = Game::start().moves("e2e4");
    let answer = engine.search(&game, "go depth 1");
    assert!(game.legal().contains(&answer.best), "{after}");
}

/// Messages about lines that are not ASCII are ASCII too. All output is checked for that; these
/// messages quote the input.
#[test]
fn complaints_are_plain_ascii() {
    let mut engine = Engine::shared();
    for line in [
        "\u{2658}",
        "\u{1f4a9}\u{1f4a9}\u{1f4a9}\u{1f4a9}\u{1f4a9}\u{1f4a9}\u{1f4a9}\u{1f4a9}\u{1f4a9}\u{1f4a9}",
        "position startpos moves e2e4 e\u{ff18}e6",
        "position fen 4k4/9/9/9/4\u{2658}4/9/9/9/4K4 w - - 0 1",
        "setoption name \u{2658} value 1",
        "setoption name Hash value \u{2658}",
    ] {
        assert!(engine.notice(line).is_ascii(), "{line}");
    }
    for words in ["\u{2658}", "depth \u{ff11}", "searchmoves \u{2658}e4", "movetime \u{e9}\u{e9}"] {
        let answer = engine.search(&Game::start(), &format!("go {words} nodes 100"));
        assert_eq!(answer.notices.len(), 1, "{words}: {:?}", answer.notices);
    }
    // `debug on` adds output, but the protocol still holds.
    engine.silently("debug on");
    engine.search(&Game::start(), "go wtime 40 btime 40 movestogo 7");
    engine.silently("debug off");
    engine.inject(b"\xff\xfe\xfd\nposition fen \xff\n");
    expect_working_engine(&mut engine, "bytes that are not UTF-8");
}

#[test]
fn garbage_is_survived() {
    let valid = [
        "ucinewgame",
        "stop",
        "d",
        "moves",
        "flip",
        "position startpos",
        "position startpos moves e2e4 e8e6 d2d4 d8d6",
        "position fen r3k3r/pp2b1ppp/2n1q1a2/2pp1p3/4P1N2/2PB1P3/1P1Q1AP1P/P2N5/R3K3R w KQkq - 0 1",
        "position fen 4k4/9/9/6pP1/9/9/9/9/4K4 w - g7 0 1 moves h6g7 e9e8",
        "position fen 4k4/6P2/9/9/9/9/9/9/4K4 w - - 0 1 moves g8g9q",
        "go depth 2",
        "go nodes 200",
        "go wtime 50 btime 50 winc 1 binc 1 movestogo 10",
        "go infinite",
        "go ponder wtime 100 btime 100",
        "go depth 2 searchmoves e2e4 d2d4",
        "go perft 2",
        "setoption name MultiPV value 2",
        "setoption name Clear Hash",
        "setoption name UCI_ShowWDL value true",
        "setoption name UCI_Variant value chesquerque",
    ];
    let endless = [
        ("", "a"),
        ("", " "),
        ("", "foo "),
        ("position startpos moves ", "e2e4 "),
        ("position startpos moves e2e4 ", "x"),
        ("position fen ", "9/"),
        ("position fen ", "p"),
        ("position fen rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 ", "1"),
        ("setoption name ", "Hash "),
        ("setoption name Hash value ", "0"),
        ("go depth ", "9"),
        ("go searchmoves ", "e2e4 "),
    ];
    let mut engine = Engine::shared();
    for (kind, bytes) in of_every_kind(12, &valid, &endless, &["quit", "bench"]) {
        engine.inject(&bytes);
        engine.inject(b"\nstop\nsetoption name MultiPV value 1\ndebug off\n");
        engine.inject(b"setoption name UCI_ShowWDL value false\n");
        expect_working_engine(&mut engine, &kind);
    }
}

#[test]
fn end_of_input_ends_the_program() {
    let room = Room::shared();
    // The input before its end, and the expected output.
    let cases: [(&[u8], &[&str]); 7] = [
        (b"", &[]),
        (b"\n\n\r\n", &[]),
        (b"   \t", &[]),
        (b"isready\n", &["readyok"]),
        (b"isready", &["readyok"]),
        (b"position startpos\nisready\n\n", &["readyok"]),
        (b"quit", &[]),
    ];
    for (bytes, expected) in cases {
        let mut engine = room.engine();
        engine.inject(bytes);
        engine.hang_up();
        let (said, _) = engine.wait_for_clean_exit();
        assert_eq!(said, expected, "{}", bytes.escape_ascii());
    }
}
