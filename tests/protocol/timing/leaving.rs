//! The engine leaves at once, whatever it is doing.

use crate::engine::Room;
use crate::limits::{AT_ONCE, MS, keeps};

/// `quit` and the end of input stop a search; its `bestmove` still comes, and
/// the engine leaves with status 0.
#[test]
fn quit_and_end_of_input_end_a_search() {
    let room = Room::alone();
    let searches = [
        "",
        "go infinite",
        "go",
        "go depth 300",
        "go ponder",
        "go ponder wtime 60000 btime 60000",
        "go movetime 600000",
        "setoption name Threads value 4\ngo infinite",
    ];
    for search in searches {
        for (same_write, hang_up) in [(false, false), (false, true), (true, false), (true, true)] {
            keeps(&format!("leaving, {search:?} {same_write} {hang_up}"), AT_ONCE, || {
                let mut engine = room.engine();
                engine.sync();
                if same_write && !hang_up {
                    engine.say(&format!("position startpos\n{search}\nquit"));
                } else {
                    engine.say(&format!("position startpos\n{search}"));
                    if !same_write {
                        engine.still_searching(20 * MS);
                    }
                    if hang_up {
                        engine.hang_up();
                    } else {
                        engine.say("quit");
                    }
                }
                engine.see_off().1
            });
        }
    }
}

/// SIGTERM ends the engine at once and quietly, idle or not.
#[cfg(unix)]
#[test]
fn sigterm_ends_the_engine() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    use std::time::Instant;

    const SIGTERM: i32 = 15;

    let room = Room::alone();
    let states = [
        "",
        "go infinite",
        "go ponder",
        "go perft 9",
        "setoption name Threads value 4\ngo infinite",
    ];
    for state in states {
        keeps(&format!("SIGTERM, {state:?}"), AT_ONCE, || {
            let mut engine = room.engine();
            engine.sync();
            engine.say(state);
            engine.still_searching(30 * MS);
            let sent = Instant::now();
            let kill = Command::new("kill").args(["-TERM", &engine.pid().to_string()]).status();
            assert!(kill.expect("kill is there").success());
            let status = engine.gone();
            let code = status.code();
            assert!(
                status.signal() == Some(SIGTERM) || code == Some(0) || code == Some(128 + SIGTERM),
                "{state}: {status}"
            );
            sent.elapsed()
        });
    }
}
