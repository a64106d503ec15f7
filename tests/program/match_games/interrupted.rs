use std::fs;

use rustix::process::Signal;

use super::games::{expect_each_once, report, tags};
use super::script::{Behaviour, GOOD, SCRIPT};
use crate::run::{Ended, Folder};
use qirkat_testing::effort;

fn games() -> usize {
    effort([12, 120, 120])
}

fn line(more: &str) -> String {
    format!(
        "match -engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT nodes=50 \
         -each nodes=100 option.Hash=1 -rounds {} -concurrency 2 -pgnout games.pgn \
         -report report.json -epdout ends.epd {more}",
        games() / 2
    )
}

fn finished(folder: &Folder) -> usize {
    tags(&folder.read("games.pgn"), "GameNumber").len()
}

fn break_off(folder: &Folder, signal: Signal, after: usize) -> Ended {
    let more = if finished(folder) > 0 { "--resume" } else { "" };
    let mut running = folder.start(&line(more));
    running.wait_until("enough games", || finished(folder) >= after);
    running.signal(signal);
    running.finish()
}

#[test]
fn a_killed_match_is_resumed() {
    let folder = Folder::new();
    let (games, part) = (games(), games() / 6);
    break_off(&folder, Signal::KILL, part);
    let killed = finished(&folder);
    assert!(killed < games, "nothing was left to do");
    break_off(&folder, Signal::KILL, killed + part);
    let out = folder.play(&line("--resume"));
    expect_each_once(&folder, "games.pgn", games);
    assert!(out.contains(&format!("Games: {games}, ")), "{out}");
    // Once more: nothing is left to do, and the report is the same.
    let report = results(&folder);
    let again = folder.play(&line("--resume"));
    assert!(out.ends_with(&again), "{out}\n{again}");
    assert_eq!(report, results(&folder));
    assert_eq!(folder.read("ends.epd"), ends(&folder));
    // It is also the same as for an uninterrupted match.
    for name in ["games.pgn", "ends.epd"] {
        fs::remove_file(folder.path(name)).expect("it is there");
    }
    folder.play(&line("--overwrite"));
    assert_eq!(report, results(&folder));
}

fn ends(folder: &Folder) -> String {
    let pgn = folder.read("games.pgn");
    qirkat::PgnReader::new(pgn.as_bytes())
        .map(|read| read.expect("a good game").game.final_game().position().fen() + "\n")
        .collect()
}

#[test]
fn final_positions_are_resumed_with_their_games() {
    let folder = Folder::new();
    folder.play(&short("-rounds 2 -epdout ends.epd"));
    let whole = ends(&folder);
    assert_eq!((folder.read("ends.epd").as_str(), whole.lines().count()), (whole.as_str(), 4));
    for left in [0, 1, whole.len() / 2, whole.len() - 1, whole.len()] {
        folder.write("ends.epd", &whole[..left]);
        folder.play(&short("-rounds 3 -epdout file=ends.epd --resume"));
        assert_eq!(folder.read("ends.epd"), ends(&folder), "{left} bytes left");
    }
    for (more, complaint) in [
        ("-rounds 3 --resume", "other.epd has other positions than the last of these games"),
        ("-pgnout new.pgn", "other.epd is not empty: continue with --resume, or name"),
        ("-report other.epd", "-epdout and -report name the same file"),
    ] {
        let mut line = short(&format!("-epdout other.epd {more}"));
        if more.contains("new.pgn") {
            line = line.replacen("-pgnout games.pgn ", "", 1);
        }
        folder.write("other.epd", "a book\n");
        folder.refuse(&line, complaint);
        assert_eq!(folder.read("other.epd"), "a book\n");
    }
}

fn results(folder: &Folder) -> serde_json::Value {
    let mut report = report(folder);
    assert!(report.as_object_mut().expect("an object").remove("health").is_some());
    report
}

fn short(more: &str) -> String {
    format!(
        "match -engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT -each depth=1 \
         option.Hash=1 -maxmoves 7 -concurrency 1 -pgnout games.pgn {more}"
    )
}

#[test]
fn a_truncated_game_is_played_again() {
    let folder = Folder::new();
    folder.play(&short(""));
    let whole = folder.read("games.pgn");
    let second = whole.rfind("[Event ").expect("a second game");
    let length = whole.len() - second;
    let garbage: [&[u8]; 4] = [b"", b"\0\0\0\0", b"\xFF\xFE{[\n1-0 ", b"\n\nnote to self\n"];
    // Trying every byte takes too long, and is done in the unit tests; here every kind of cut is
    // tried.
    let cuts = (0..length).step_by(effort([199, 29, 29])).chain([1]).chain(length - 3..=length);
    for (cut, garbage) in cuts.zip(garbage.into_iter().cycle()) {
        folder.write("games.pgn.torn", "");
        let torn = [&whole.as_bytes()[..second + cut], garbage].concat();
        folder.write("games.pgn", &torn);
        let out = folder.play(&short("--resume"));
        expect_each_once(&folder, "games.pgn", 2);
        assert!(out.contains("Games: 2, "), "{cut} bytes left\n{out}");
        // The removed text is kept.
        let (aside, there) = (folder.bytes("games.pgn.torn"), folder.bytes("games.pgn"));
        assert!(torn.ends_with(&aside), "{cut} bytes left");
        assert!(!aside.is_empty() || there.starts_with(&torn), "{cut} bytes left");
    }
}

#[test]
fn only_a_match_with_the_same_settings_is_resumed() {
    let folder = Folder::new();
    let line = |more: &str| {
        format!(
            "match -engine name=A cmd=QIRKAT option.Hash=1 env.X=1 arg=--help \
             -engine name=B cmd=QIRKAT -each depth=1 timemargin=5 -rounds 2 -maxmoves 1 \
             -concurrency 1 -pgnout games.pgn {more}"
        )
    };
    let usual = line("-draw movenumber=1 movecount=1 score=1");
    folder.play(&usual.replace("arg=--help ", ""));
    let begun = usual.replace("arg=--help ", "--resume ");
    let games = folder.read("games.pgn");
    for (from, to, complaint) in [
        ("depth=1", "depth=2", "engine 1 limit was `1 plies`, is now `2 plies`; engine 2 limit"),
        ("depth=1", "depth=1 nodes=5", "engine 1 limit was `1 plies`, is now `5 nodes, 1 plies`"),
        ("depth=1", "depth=1 ponder", "engine 1 ponder was `false`, is now `true`"),
        ("depth=1", "depth=1 restart=on", "engine 2 restart was `false`, is now `true`"),
        ("timemargin=5", "timemargin=6", "engine 1 timemargin was `5`, is now `6`"),
        ("Hash=1", "Hash=2", "engine 1 option.hash was `1`, is now `2`"),
        ("option.Hash=1", "", "engine 1 option.hash was `1`, is now not set"),
        ("env.X=1", "env.X=2", "engine 1 env.X was `1`, is now `2`"),
        ("env.X=1", "env.X=1 dir=/", "engine 1 dir was not set, is now `/`"),
        ("env.X=1", "env.X=1 arg=a", "engine 1 arg 1 was not set, is now `a`"),
        ("name=B", "name=C", "engine 2 name was `B`, is now `C`"),
        ("cmd=QIRKAT -each", "cmd=/bin/sh -each", "engine 2 cmd was"),
        ("cmd=QIRKAT -each", "cmd=/bin/sh -each", "engine 2 cmd checksum was"),
        ("-each", "-engine name=C cmd=QIRKAT -each", "engine 3 cmd was not set"),
        ("-rounds 2", "-rounds 2 -games 4", "games was `2`, is now `4`"),
        ("-rounds 2", "-rounds 1", "is not of this match"),
        ("-rounds 2", "-rounds 2 -tournament gauntlet", "tournament was `round-robin`"),
        ("-rounds 2", "-rounds 2 -noswap", "noswap was `false`, is now `true`"),
        ("-rounds 2", "-rounds 2 -reverse", "reverse was `false`, is now `true`"),
        ("-rounds 2", "-rounds 2 -shard 1/2", "shard was `1/1`, is now `1/2`"),
        ("-rounds 2", "-rounds 2 -srand 7", "srand was `0`, is now `7`"),
        ("-rounds 2", "-rounds 2 -openings plies=2", "openings plies was `8`, is now `2`"),
        ("-rounds 2", "-rounds 2 -openings start=2", "openings start was `1`, is now `2`"),
        ("-rounds 2", "-rounds 2 -sprt elo0=0 elo1=9", "sprt elo1 was not set, is now `9`"),
        ("-maxmoves 1", "-maxmoves 2", "maxmoves was `1`, is now `2`"),
        ("score=1", "score=2", "draw score was `1`, is now `2`"),
        ("score=1", "score=1 -resign movecount=3 score=900", "resign movecount was not set"),
    ] {
        assert!(begun.contains(from), "{from}");
        folder.refuse(&begun.replacen(from, to, 1), complaint);
        assert_eq!(folder.read("games.pgn"), games, "{to}");
    }
    // Settings that do not change the result may differ.
    for more in [
        "-concurrency 2 -ratinginterval 1 -wait 1 -crosstable -event other -report report.json",
        "-openings plies=8 -srand 0 -tournament round-robin -games 2",
    ] {
        let same = begun.replace("-concurrency 1", "").replace("-rounds 2", "-rounds 2 ");
        folder.play(&format!("{same} {more}"));
        assert_eq!(folder.read("games.pgn"), games, "{more}");
    }
    let out = folder.play(&begun.replace("-rounds 2", "-rounds 3"));
    assert!(out.contains("Games: 6, "), "{out}");
    expect_each_once(&folder, "games.pgn", 6);
}

/// The content of a file may change under the same name: a network, tables, a script.
#[test]
fn a_match_with_changed_files_is_not_resumed() {
    let uci = "echo 'id name Script'; echo 'option name EvalFile type string default a'; \
               echo 'option name TablePath type string default b'; echo uciok";
    let folder = Behaviour { uci, ..GOOD }.folder();
    fs::create_dir(folder.path("tables")).expect("a folder");
    let files = ["net", "tables/KRvK.qtb", "engine.sh"];
    files[..2].iter().for_each(|name| drop(folder.write(name, "as it was")));
    let line = |more: &str| {
        format!(
            "match {SCRIPT} option.EvalFile=net option.TablePath=tables \
             -engine name=B cmd=QIRKAT -each depth=1 -rounds 1 -maxmoves 1 -concurrency 1 \
             -pgnout games.pgn {more}"
        )
    };
    folder.play(&line(""));
    let games = folder.read("games.pgn");
    let complaints =
        ["option.evalfile checksum", "option.tablepath tables checksum", "arg 1 checksum"];
    for (name, complaint) in files.into_iter().zip(complaints) {
        let before = folder.read(name);
        folder.write(name, format!("{before}\n"));
        folder.refuse(&line("--resume"), &format!("engine 1 {complaint} was `"));
        assert_eq!(folder.read("games.pgn"), games, "{name}");
        folder.write(name, before);
    }
    folder.play(&line("--resume"));
}

#[test]
fn two_matches_do_not_write_to_one_file() {
    let folder = Folder::new();
    let mut running = folder.start(&line(""));
    running.wait_until("a game", || finished(&folder) > 0);
    let err = folder.ends(2, &line("--resume")).err;
    assert!(err.contains("games.pgn: it is being written already"), "{err}");
    running.signal(Signal::TERM);
    running.finish();
}

#[test]
fn ctrl_c_ends_with_a_report() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let folder = Folder::new();
        let Ended { out, err, code } = break_off(&folder, signal, 3);
        assert_eq!(code, Some(130), "{out}\n{err}");
        let count = finished(&folder);
        assert!((3..games()).contains(&count), "{count} games");
        folder.play("pgn check games.pgn");
        assert!(out.contains(&format!("Games: {count}, ")), "{out}");
        assert_eq!(out.lines().filter(|line| line.starts_with("Finished game")).count(), count);
        assert_eq!(folder.read("report.json").matches("\"termination\"").count(), count);
        assert!(err.contains(&format!("interrupted after {count} of {} games", games())), "{err}");
    }
}

#[test]
fn ctrl_c_kills_engines_that_ignore_signals() {
    let deaf = Behaviour {
        start: "trap '' TERM INT HUP; sleep 1000 &",
        go: "echo thinking > \"$0.asked\"; sleep 1000",
        ..GOOD
    };
    let folder = deaf.folder();
    let line = format!("match {SCRIPT} -engine name=B cmd=QIRKAT -each tc=1000 -concurrency 2");
    let mut running = folder.start(&line);
    running.wait_until("question", || !folder.read("engine.sh.asked").is_empty());
    let ended = running.interrupt();
    assert_eq!(ended.code, Some(130), "{}\n{}", ended.out, ended.err);
    assert!(ended.out.contains("Games: 0, "), "{}", ended.out);
}

#[test]
fn other_files_are_not_changed() {
    let folder = Folder::new();
    folder.play(&short(""));
    let games = folder.read("games.pgn");
    for (name, text) in [
        ("unknown.pgn", games.clone()),
        ("twice.pgn", format!("{games}{games}")),
        ("twice.pgn.match.toml", folder.read("games.pgn.match.toml")),
        ("broken.pgn", games),
        ("broken.pgn.match.toml", "srand = \n".to_owned()),
        ("README.md", "# Notes\n1. e4 1-0\n".to_owned()),
    ] {
        folder.write(name, text);
    }
    for (file, more, complaint) in [
        ("games.pgn", "", "games.pgn already has games"),
        ("README.md", "", "README.md is not a file of games"),
        ("README.md", "--resume", "README.md has no games of a match"),
        ("unknown.pgn", "--resume", "unknown.pgn.match.toml is missing"),
        ("twice.pgn", "--resume", ": appears twice"),
        ("broken.pgn", "--resume", "broken.pgn.match.toml: "),
        (".", "", "-pgnout: .: is a folder, not a file to add to"),
        (".", "--resume", "-pgnout: .: is a folder, not a file to add to"),
        ("none/games.pgn", "", "-pgnout: none/games.pgn: No such file"),
        ("none/games.pgn", "--resume", "-pgnout: none/games.pgn: No such file"),
    ] {
        let before = folder.read(file);
        folder.refuse(&short(more).replace("games.pgn", file), complaint);
        assert_eq!(folder.read(file), before, "{file} {more}");
    }
    // An empty file counts as missing.
    for more in ["", "--resume"] {
        folder.write("empty.pgn", "");
        folder.play(&short(more).replace("games.pgn", "empty.pgn"));
        expect_each_once(&folder, "empty.pgn", 2);
    }
}
