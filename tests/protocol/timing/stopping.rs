//! A search and a perft end at once when something asks for it.

use crate::engine::Room;
use crate::limits::{MS, STOP, WATCH, keeps};
use qirkat_testing::games::{CROWDED, Game, MIDDLE, START, mirrored};

/// `stop` is obeyed within 60 ms, with one thread and with more threads than
/// cores.
#[test]
fn stop_is_obeyed_at_once() {
    let room = Room::alone();
    let mut engine = room.engine();
    for threads in [1, 2, 16] {
        engine.silently(&format!("setoption name Threads value {threads}"));
        for fen in [START, MIDDLE, CROWDED] {
            let game = Game::from_fen(fen);
            keeps(&format!("stop with {threads} threads"), STOP, || {
                engine.begin(&game, "go infinite");
                engine.still_searching(60 * MS);
                engine.stop(&game).1
            });
        }
    }
}

/// Commands that need the engine's attention stop the search first: its one
/// `bestmove` comes out, then they are carried out.
#[test]
fn commands_during_a_search_stop_it_first() {
    let room = Room::alone();
    let mut engine = room.engine();
    let game = Game::from_fen(MIDDLE);
    let flipped = mirrored(MIDDLE);
    // A command, and what its own answer starts with.
    let cases = [
        ("d", Some("Fen: ")),
        ("moves", Some("Legal moves (44):")),
        ("go depth 1", Some("bestmove ")),
        ("go perft 1", Some("Nodes searched: 44")),
        ("setoption name UCI_Variant value chesquerque", Some("info string variant chesquerque")),
        ("setoption name Hash value 0", Some("info string ")),
        ("position fen nonsense", Some("info string ")),
        ("position startpos moves e2e4", None),
        ("ucinewgame", None),
        ("eval", None),
        ("flip", None),
        ("setoption name Threads value 1", None),
    ];
    for go in ["go infinite", "go ponder wtime 60000 btime 60000"] {
        for (command, own) in cases {
            keeps(&format!("{command} during {go}"), STOP, || {
                engine.begin(&game, go);
                engine.still_searching(30 * MS);
                let (_, took) = engine.end_with(command, &game);
                if let Some(own) = own {
                    engine.expect(own, |line| line.starts_with(own));
                }
                let more = engine.sync();
                assert!(
                    more.iter().all(|line| !line.starts_with("bestmove")),
                    "{command}: {more:?}"
                );
                took
            });
            match command {
                "position startpos moves e2e4" => {
                    assert_eq!(engine.fen(), Game::start().moves("e2e4").fen());
                }
                "flip" => assert_eq!(engine.fen(), flipped),
                "position fen nonsense" | "d" => assert_eq!(engine.fen(), MIDDLE),
                _ => {}
            }
        }
    }
}

/// A long perft ends on `stop`, leaves no `bestmove` behind, and lets `isready`
/// through; commands that come meanwhile wait for it, and the `stop` is meant
/// for them too.
#[test]
fn a_long_perft_can_be_stopped() {
    let room = Room::alone();
    let mut engine = room.engine();
    engine.say("position startpos");
    keeps("isready after go perft 9 and stop", STOP, || {
        engine.say("go perft 9");
        engine.sync();
        let said = engine.say("stop\nisready");
        engine.expect("readyok", |line| line == "readyok").at.duration_since(said)
    });
    let rest = engine.listen(WATCH);
    assert!(rest.iter().all(|line| !line.text.starts_with("bestmove")), "a perft has no bestmove");
    engine.say("go perft 9");
    engine.say("go infinite");
    engine.say("stop");
    engine.expect_bestmove();
}
