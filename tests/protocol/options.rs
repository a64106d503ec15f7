use crate::engine::Engine;
use qirkat_testing::games::Game;

#[test]
fn options_are_set_or_refused_once() {
    let mut engine = Engine::shared();
    for line in [
        "setoption name hash value 2",
        "setoption name MOVE OVERHEAD value 0",
        "\tsetoption\tname\tMove Overhead\tvalue\t15\t\r",
        "setoption name Clear Hash",
        "setoption name Ponder value true",
    ] {
        engine.silently(line);
        engine.search(&Game::start(), "go depth 1");
    }
    for line in [
        "setoption name Hash value 0",
        "setoption name Move Overhead value 1 2",
        "setoption name Ponder value maybe",
        "setoption name UCI_Variant value chess",
        "setoption name Nope value 3",
        "setoption name",
        "setoption foo bar",
        "setoption name H\u{e4}sh value 3",
    ] {
        engine.notice(line);
        engine.search(&Game::start(), "go depth 1");
    }
}

#[test]
fn lines_are_logged() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("a log.txt");
    std::fs::write(&path, ">> before\n").expect("room on the disk");
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "before\n").expect("room on the disk");
    let mut engine = Engine::shared();
    let set =
        |path: &std::path::Path| format!("setoption name Debug Log File value {}", path.display());
    engine.silently(&set(&path));
    engine.search(&Game::start(), "go depth 1");
    engine.silently("setoption name debug log file value <empty>");
    engine.sync();
    let text = std::fs::read_to_string(&path).expect("a log");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..4], [">> before", ">> isready", "<< readyok", ">> position startpos"]);
    assert_eq!(lines[4], ">> go depth 1", "{text}");
    assert!(lines[5].starts_with("<< info depth 1 "), "{text}");
    assert!(lines[lines.len() - 2].starts_with("<< bestmove "), "{text}");
    assert_eq!(lines[lines.len() - 1], ">> setoption name debug log file value <empty>");
    let held = std::fs::File::open(&path).expect("the log");
    held.lock().expect("a lock");
    let others = ["/nowhere/log", "/dev/full"].map(std::path::Path::new);
    for path in [folder.path(), &notes, &path].into_iter().chain(others) {
        let notice = engine.notice(&set(path));
        assert!(notice.starts_with("error: option Debug Log File: "), "{notice}");
    }
    assert_eq!(std::fs::read_to_string(&notes).expect("the notes"), "before\n");
}

/// Memory, measured from outside.
#[cfg(target_os = "linux")]
mod memory {
    use std::fs;
    use std::process::Command;

    use crate::engine::{Engine, Room, binary};
    use qirkat_testing::games::Game;

    const MIB: u64 = 1 << 20;
    /// The memory of everything but the table, threads and their stacks included.
    const OTHERS: u64 = 64 * MIB;
    /// The table this test works with, in MiB.
    const TABLE: u64 = 320;

    fn size(engine: &Engine) -> u64 {
        let path = format!("/proc/{}/status", engine.pid());
        let status = fs::read_to_string(path).expect("the process lives");
        let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
        let kib = line.and_then(|rest| rest.split_whitespace().next());
        let kib: u64 = kib.and_then(|kib| kib.parse().ok()).expect("a size in KiB");
        kib * 1024
    }

    /// An engine with limited address space. One malloc arena, since glibc reserves one per thread
    /// when threads allocate at the same time.
    fn limited(room: &Room, bytes: u64) -> Engine {
        let mut shell = Command::new("sh");
        shell.env_remove("RUST_LOG").env("MALLOC_ARENA_MAX", "1");
        let kilobytes = (bytes / 1024).to_string();
        shell.args(["-c", "ulimit -v \"$1\" && exec \"$0\"", binary(), &kilobytes]);
        room.engine_from(shell)
    }

    /// Two tables never exist at once; a failed allocation is reported once and keeps the old size;
    /// memory is freed; absurd sizes do not end the engine.
    #[test]
    fn a_failed_hash_allocation_never_aborts() {
        let room = Room::shared();
        let mut plain = limited(&room, 1 << 40);
        plain.silently("setoption name Hash value 1");
        plain.search(&Game::start(), "go depth 2");
        let base = size(&plain);
        drop(plain);

        // Room for one and a half tables.
        let mut engine = limited(&room, base + TABLE * MIB * 3 / 2 + OTHERS);
        engine.silently(&format!("setoption name Hash value {TABLE}"));
        engine.search(&Game::start(), "go depth 2");
        assert!(size(&engine) >= TABLE * MIB, "the table is there");
        engine.silently(&format!("setoption name Hash value {}", TABLE + 20));
        engine.search(&Game::start(), "go depth 2");
        assert!(size(&engine) >= (TABLE + 20) * MIB, "the greater table is there");

        engine.notice("setoption name Hash value 900");
        engine.search(&Game::start(), "go depth 2");
        assert!(size(&engine) >= (TABLE + 20) * MIB, "the size it had");

        for absurd in ["100000", "1000000000", "18446744073709551615", "99999999999999999999"] {
            engine.say(&format!("setoption name Hash value {absurd}"));
            let said = engine.sync();
            assert!((1..=2).contains(&said.len()), "Hash {absurd}: {said:?}");
            assert!(said.iter().all(|line| line.starts_with("info string ")), "{said:?}");
            engine.search(&Game::start(), "go depth 2");
        }

        engine.silently("setoption name Hash value 1");
        engine.search(&Game::start(), "go depth 2");
        let left = size(&engine);
        assert!(left <= base + OTHERS, "{left} bytes after {base} with the same table");
    }
}
