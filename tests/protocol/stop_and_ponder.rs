use std::time::Duration;

use crate::engine::{Engine, Room};
use crate::limits::{MS, WATCH};
use qirkat_testing::effort;
use qirkat_testing::games::{Game, Random};

#[test]
fn ponder_keeps_its_clocks() {
    let mut engine = Engine::shared();
    let game = Game::start();
    engine.begin(&game, "go ponder wtime 6000000 btime 6000000");
    engine.still_searching(WATCH);
    engine.say("ponderhit");
    engine.still_searching(WATCH);
    engine.end_with("bench", &game);
    engine.abandon();
}

#[test]
fn a_move_of_the_book_waits_for_the_hit() {
    let mut engine = Engine::shared();
    engine.silently("setoption name OwnBook value true");
    let game = Game::start();
    engine.begin(&game, "go ponder wtime 6000 btime 6000");
    engine.still_searching(WATCH);
    let (answer, _) = engine.end_with("ponderhit", &game);
    assert_eq!((answer.infos.len(), answer.depth()), (1, 0));
    assert_eq!(answer.notices, ["from the opening book"]);
    let notice = engine.notice("setoption name BookFile value /nowhere/x.book");
    assert!(notice.starts_with("error: option BookFile: /nowhere/x.book: "), "{notice}");
    assert!(notice.ends_with("; nothing is changed"), "{notice}");
    assert_eq!(engine.search(&game, "go depth 3").best, answer.best);
}

/// Waiting uses no CPU, in an `infinite` or `ponder` search that is complete, with many threads
/// too.
#[cfg(target_os = "linux")]
#[test]
fn waiting_never_spins() {
    /// The kernel counts in hundredths of a second.
    const TICKS_ALLOWED: u64 = 5;
    const SPAN: Duration = Duration::from_millis(500);

    let mut engine = Engine::shared();
    let stat = format!("/proc/{}/stat", engine.pid());
    let ticks = move || -> u64 {
        let stat = std::fs::read_to_string(&stat).expect("the process lives");
        let (_, rest) = stat.rsplit_once(") ").expect("the name is in brackets");
        let fields: Vec<&str> = rest.split(' ').collect();
        // User and system time, fields 14 and 15 of the line.
        [11, 12].iter().map(|index| fields[*index].parse::<u64>().expect("a number")).sum()
    };
    engine.sync();
    for state in [
        "setoption name Threads value 8\nposition startpos\ngo ponder depth 1",
        "setoption name Threads value 1\nposition startpos\ngo ponder nodes 50",
        "position fen 9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60\ngo infinite",
        "position fen 4k4/9/9/9/9/9/9/9/4K4 w - - 0 1\ngo ponder wtime 1000 btime 1000",
    ] {
        engine.say(state);
        // A search may take time to finish; then it must use no CPU.
        let is_calm = (0..12).any(|_| {
            let before = ticks();
            engine.listen(SPAN);
            ticks() - before <= TICKS_ALLOWED
        });
        assert!(is_calm, "{state:?} keeps the processor busy");
        engine.say("stop");
        engine.expect_bestmove();
    }
}

#[test]
fn nothing_is_done_after_quit() {
    let mut engine = Engine::shared();
    engine.inject(b"isready\nposition startpos moves e2e4\nd\nquit\nd\nuci\ngo depth 1\nbench\n");
    let (said, _) = engine.wait_for_clean_exit();
    assert_eq!(said[0], "readyok");
    let count = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
    let fen = format!("Fen: {}", Game::start().moves("e2e4").fen());
    assert_eq!((count(&fen), count("Fen: ")), (1, 1), "{said:?}");
    assert_eq!((count("uciok"), count("bestmove"), count("info")), (0, 0, 0), "{said:?}");
}

#[test]
fn many_commands_at_random_moments_are_answered() {
    let room = Room::shared();
    for seed in 6..effort([7, 9, 9]) {
        let mut random = Random::seeded(seed);
        let mut engine = room.engine();
        let mut readies = 0;
        for _ in 0..150 {
            let line = match random.below(16) {
                0..3 => "go infinite",
                3 => "go depth 3",
                4 => "go movetime 5",
                5 => "go ponder wtime 1000 btime 1000",
                6 => "go ponder",
                7 => "go wtime 30 btime 30",
                8 | 9 => "ponderhit",
                10..13 => "stop",
                13 => "position startpos moves e2e4",
                14 => {
                    random.pick(&["ucinewgame", "setoption name Hash value 2", "go nodes 100", "d"])
                }
                _ => "isready",
            };
            readies += usize::from(line == "isready");
            engine.say(line);
            if random.chance(40) {
                let heard = engine.listen(random.below(15) as u32 * MS);
                readies -= heard.iter().filter(|line| line.text == "readyok").count();
            }
        }
        engine.say("stop");
        engine.say("position startpos");
        engine.say("uci");
        let lines = engine.until("uciok", |line| line == "uciok");
        readies -= lines.iter().filter(|line| line.text == "readyok").count();
        assert_eq!(readies, 0, "every isready is answered once");
        engine.search(&Game::start(), "go depth 2");
    }
}
