//! Missing engines, and engines that never get ready. These have the longest timeouts, so they come
//! first: tests run in the order of their names.

use super::games::tags;
use super::script::{Behaviour, GOOD, SCRIPT};
use crate::run::Folder;

#[test]
fn a_missing_engine_is_reported() {
    let line = "match -engine cmd=./nobody -engine cmd=QIRKAT -each depth=1";
    Folder::new().refuse(line, "qirkat: engine nobody: does not start: ./nobody:");
}

#[test]
fn an_engine_without_readyok_is_reported_before_the_first_game() {
    let silent = "echo 'id name Script'";
    // They wait at the same time.
    let matches = [
        (Behaviour { start: "exit 7", ..GOOD }, "disconnects (exit status: 7)", "uci"),
        (Behaviour { uci: silent, ..GOOD }, "does not answer uci within 10 s", "uci"),
        (Behaviour { isready: ":", ..GOOD }, "does not answer isready within 10 s", "ucinewgame"),
    ]
    .map(|(behaviour, complaint, last)| {
        let folder = behaviour.folder();
        let line = format!("match {SCRIPT} -engine cmd=QIRKAT -each depth=1 -pgnout games.pgn");
        let running = folder.start(&line);
        (running, folder, format!("{complaint} (last command: {last})"))
    });
    for (running, folder, complaint) in matches {
        let ended = running.finish();
        assert_eq!((ended.out.as_str(), ended.code), ("", Some(2)), "{}", ended.err);
        assert_eq!(ended.err, format!("qirkat: engine Script: {complaint}\n"));
        assert_eq!(folder.read("games.pgn"), "");
    }
}

#[test]
fn an_engine_that_no_longer_starts_ends_the_match() {
    // It starts once, for the check before the match, and never again.
    let start = r#"if [ -e "$0.once" ]; then echo 'no more' >&2; exit 3; fi; : > "$0.once""#;
    let folder = Behaviour { start, ..GOOD }.folder();
    let line = format!(
        "match {SCRIPT} -engine name=Qirkat cmd=QIRKAT -each depth=1 -rounds 50 -maxmoves 7 \
         -concurrency 1 -pgnout games.pgn -report report.json"
    );
    let ended = folder.ends(2, &line);
    let end = "engine Script lost 3 games in a row without a move, so the match ends: \
               Black disconnects (exit status: 3), last output: no more";
    assert!(ended.err.contains(end), "{}", ended.err);
    let lost = "Games lost by faults of Script: crashed 3, stalled 0,";
    assert!(ended.out.contains(lost), "{}", ended.out);
    assert_eq!(tags(&folder.read("games.pgn"), "Reason").len(), 3);
    assert!(folder.read("report.json").contains(r#""crashes": 3"#));
}
