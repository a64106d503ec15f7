//! An engine that waits takes no time of the processor.

use std::time::Duration;

use crate::engine::Engine;

/// Waiting takes no time of the processor: idle, after a search, and in an
/// `infinite` or `ponder` whose search is done.
#[cfg(target_os = "linux")]
#[test]
fn waiting_never_spins() {
    use std::fs;

    /// The kernel counts in hundredths of a second.
    const TICKS_ALLOWED: u64 = 5;
    const SPAN: Duration = Duration::from_millis(500);

    let mut engine = Engine::shared();
    let stat = format!("/proc/{}/stat", engine.pid());
    let ticks = move || -> u64 {
        let stat = fs::read_to_string(&stat).expect("the process lives");
        let (_, rest) = stat.rsplit_once(") ").expect("the name is in brackets");
        let fields: Vec<&str> = rest.split(' ').collect();
        // User and system time, fields 14 and 15 of the whole line.
        [11, 12].iter().map(|index| fields[*index].parse::<u64>().expect("a number")).sum()
    };
    engine.sync();
    let mated = "position fen 9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60";
    let dead = "position fen 4k4/9/9/9/9/9/9/9/4K4 w - - 0 1";
    let states = [
        ("".to_owned(), false),
        ("setoption name Threads value 8\nposition startpos\ngo depth 2".to_owned(), false),
        ("position startpos\ngo ponder depth 1".to_owned(), true),
        ("position startpos\ngo ponder nodes 50".to_owned(), true),
        ("setoption name Threads value 1\nposition startpos\ngo ponder depth 1".to_owned(), true),
        (format!("{mated}\ngo infinite"), true),
        (format!("{mated}\ngo ponder wtime 1000 btime 1000"), true),
        (format!("{dead}\ngo infinite"), true),
    ];
    for (text, waiting) in &states {
        engine.say(text);
        // A search may take its time to finish; then it has to be quiet.
        let mut used = Vec::new();
        while used.last().is_none_or(|used| *used > TICKS_ALLOWED) && used.len() < 12 {
            let before = ticks();
            engine.listen(SPAN);
            used.push(ticks() - before);
        }
        assert!(used.last() <= Some(&TICKS_ALLOWED), "{text:?} keeps the processor busy: {used:?}");
        if *waiting {
            engine.say("stop");
            engine.expect_bestmove();
        }
    }
    // The measure itself: a search that goes on is seen, on a busy machine a little later.
    let before = ticks();
    engine.say("position startpos\ngo infinite");
    let is_seen = (0..12).any(|_| {
        engine.listen(SPAN);
        ticks() - before > TICKS_ALLOWED
    });
    assert!(is_seen, "a running search takes time");
    engine.say("stop");
    engine.expect_bestmove();
}
