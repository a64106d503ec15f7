use super::games::{expect_each_once, expect_no_fault, tags};
use super::script::{Behaviour, GOOD, SCRIPT};
use crate::run::{Ended, Folder};

#[test]
fn both_protocols_play_each_other() {
    let folder = Folder::with([("one.epd", "4k4/9/9/9/9/9/9/9/R3K4 b - -\n")]);
    let line = "match -engine name=X cmd=QIRKAT proto=xboard option.Hash=2 option.Resign=true \
                -engine name=U cmd=QIRKAT option.Hash=1 -each tc=30/60+0.2 timemargin=60000 depth=3 \
                ponder -maxmoves 12 -pgnout games.pgn -debug";
    for (name, resigns, more, end) in [
        ("games.pgn", "true", "", "1/2-1/2 {Draw by adjudication"),
        ("ends.pgn", "1", "-force -openings file=one.epd", "1-0 {Black resigns}"),
    ] {
        let line = line.replace("games.pgn", name).replace("true", resigns);
        let Ended { out, err, .. } = folder.ends(0, &format!("{line} {more}"));
        assert!(!out.contains("Faulty lines"), "{out}");
        expect_each_once(&folder, name, 2);
        for text in
            ["memory 2", "option Resign=1", "variant chesquerque", "hard", "level 30 1 0.2", "sd 3"]
        {
            assert!(err.contains(&format!("]: {text}\n")), "{text}\n{err}");
        }
        assert!(err.contains(&format!("]: result {end}")), "{err}");
        assert_eq!(err.contains("]: setboard "), !more.is_empty(), "{err}");
    }
    expect_no_fault(&folder);
    // Both engines have scores in the comments of most moves.
    let scores = folder.read("games.pgn").matches("/3 ").count();
    assert!(scores > 15, "{scores} scores");
}

#[test]
fn what_an_engine_of_xboard_lacks_is_named() {
    let bare = "echo 'feature ping=1 done=1'";
    let timid = "echo 'feature ping=1 usermove=1 variants=\"normal,fairy\" option=\"Style -combo A /// *B\" done=1'";
    for (protover, more, complaint) in [
        (timid, "", "engine Script: does not play chesquerque; it plays normal, fairy"),
        ("exit 3", "", "engine Script: disconnects (exit status: 3) (last command: protover 2)"),
        (bare, "option.Style=C", "engine Script: option.Style=C: no such option; it has none"),
        (bare, "option.Threads=2", "engine Script: option.Threads=2: no such option"),
    ] {
        let folder = Behaviour { protover, ..GOOD }.folder();
        let line = format!("match {SCRIPT} proto=xboard {more} -engine cmd=QIRKAT -each depth=1");
        folder.refuse(&line, complaint);
    }
    let folder = Behaviour { protover: timid, ..GOOD }.folder();
    let line =
        format!("match {SCRIPT} proto=xboard option.style=C -engine cmd=QIRKAT -each depth=1");
    let err = folder.ends(2, &line).err;
    assert!(err.contains("option.style=C: not one of A, B (nothing is played"), "{err}");
    let folder = Folder::with([("one.epd", "4k4/9/9/9/9/9/9/9/R3K4 w - -\n")]);
    folder.write(
        "engine.sh",
        std::fs::read(Behaviour { protover: bare, ..GOOD }.folder().path("engine.sh"))
            .expect("a script"),
    );
    let line = "proto=xboard -engine cmd=QIRKAT -each depth=1 -games 1 -openings file=one.epd";
    folder.refuse(&format!("match {SCRIPT} {line}"), "it cannot be given a position");
    let line = format!("match {SCRIPT} proto=xboard -engine cmd=QIRKAT -each nodes=5");
    folder.refuse(&line, "engine Script: the XBoard protocol has no nodes=");
}

#[test]
fn a_draw_can_be_agreed_on() {
    let folder = Behaviour { go: "echo offer draw; honest", ..GOOD }.folder();
    let other = SCRIPT.replace("Script", "Other");
    for (proto, reason) in [("xboard", "Draw by agreement"), ("uci", "Draw by adjudication")] {
        let file = format!("{proto}.pgn");
        folder.play(&format!(
            "match {SCRIPT} proto=xboard {other} proto={proto} -each depth=1 -maxmoves 8 -games 1 \
             -pgnout {file}"
        ));
        let reasons = tags(&folder.read(&file), "Reason");
        assert!(reasons.concat().starts_with(reason), "{reasons:?}");
    }
}
