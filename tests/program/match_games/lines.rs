use serde_json::{Value, json};

use super::games::{expect_no_fault, report, tags};
use super::script::{Behaviour, GOOD, SCRIPT};
use crate::run::{Ended, Folder};

/// White mates in one by Rg7-g9, the only mate by that rook.
const MATE_IN_ONE: &str = "k8/7R1/6R2/9/9/9/9/9/4K4 w - - 0 1";

/// One game with White from a position, with this output before `bestmove`.
fn play(fen: &str, go: &'static str, more: &str) -> (Folder, Ended) {
    let folder = Behaviour { go, ..GOOD }.folder();
    folder.write("book.epd", fen);
    let line = format!(
        "match {SCRIPT} -engine name=Qirkat cmd=QIRKAT -each depth=1 -games 1 -maxmoves 1 \
         -openings file=book.epd -pgnout games.pgn -report report.json {more}"
    );
    let ended = folder.ends(0, &line);
    (folder, ended)
}

fn faults(folder: &Folder) -> Value {
    report(folder)["health"]["engines"][0]["line_faults"].take()
}

#[test]
fn each_kind_of_fault_is_counted_and_shown() {
    for (fen, go, fault, told) in [
        (
            MATE_IN_ONE,
            "echo info pv g7g8 e1e9; echo bestmove g7g8",
            "illegal-move",
            "illegal move: e1e9 is not legal at ply 2",
        ),
        (
            MATE_IN_ONE,
            "echo info score mate 3 pv g7g9; echo bestmove g7g9",
            "mate-length",
            "mate score of wrong length: mate 3 takes 5 plies, the line mates after 1",
        ),
    ] {
        let (folder, Ended { out, err, .. }) = play(fen, go, "-log file=log level=warn");
        assert_eq!(faults(&folder)[fault], 1, "{go}");
        let words = told.split(": ").next().expect("the kind of fault");
        let counted = format!("Faulty lines of Script: {words} 1\n");
        assert!(out.contains(&counted) || fault == "illegal-move", "{out}");
        let warning = format!("Warning: game 1: Script: line with {told}");
        assert!(err.contains(&warning) && err.contains(fen), "{go}\n{err}");
        assert!(folder.read("log").contains(&format!("Script: {told}")));
        expect_no_fault(&folder);
    }
}

#[test]
fn valid_lines_give_no_warnings() {
    for (fen, go) in [
        (MATE_IN_ONE, "echo info score mate 1 pv g7g9; echo bestmove g7g9"),
        (MATE_IN_ONE, "echo info string pv e1e9; echo info depth 3; echo bestmove g7g8"),
    ] {
        let (folder, Ended { out, err, .. }) = play(fen, go, "-pvcheck lose");
        assert!(!err.contains("Warning") && !out.contains("Faulty lines"), "{go}\n{out}\n{err}");
        assert_eq!(faults(&folder), json!({}));
    }
}

#[test]
fn invalid_lines_lose_or_pass_by_option() {
    let go = "echo info pv e1e9; echo bestmove g7g8";
    let (folder, Ended { out, .. }) = play(MATE_IN_ONE, go, "-pvcheck lose");
    let pgn = folder.read("games.pgn");
    assert_eq!(tags(&pgn, "Result"), ["0-1"]);
    assert_eq!(tags(&pgn, "Termination"), ["rules infraction"]);
    assert!(tags(&pgn, "Reason")[0].starts_with("White shows a line with"), "{pgn}");
    let lost = "Games lost by faults of Script: crashed 0, stalled 0, illegal moves 1";
    assert!(out.contains(lost), "{out}");

    let (folder, Ended { out, err, .. }) = play(MATE_IN_ONE, go, "-pvcheck off");
    assert!(!err.contains("Warning") && !out.contains("Faulty lines"), "{out}\n{err}");
    assert_eq!(faults(&folder), json!({}));
}

#[test]
fn the_first_few_are_shown_and_all_are_counted() {
    let folder = Behaviour { go: "echo info pv a1a1; honest", ..GOOD }.folder();
    let line = format!(
        "match {SCRIPT} -engine name=Qirkat cmd=QIRKAT -each depth=1 -games 6 -maxmoves 8 \
         -concurrency 1 -pvcheck warn"
    );
    let Ended { out, err, .. } = folder.ends(0, &line);
    let counted = "Faulty lines of Script: illegal move 24, best move not first 24\n";
    assert!(out.contains(counted), "{out}");
    assert_eq!(err.matches("line with illegal move").count(), 3, "{err}");
    assert_eq!(err.matches("(more are only counted)").count(), 2, "{err}");
}
