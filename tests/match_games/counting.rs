//! What a match adds up to.

use crate::arbiter::{Folder, binary};
use crate::games::{expect_each_once, tags};

/// Engines of Qirkat, one for each limit.
fn engines(limits: &[&str]) -> String {
    let engine = |(number, limit): (usize, &&str)| {
        format!("-engine name=E{number} cmd=QIRKAT option.Hash=1 {limit} ")
    };
    (1..).zip(limits).map(engine).collect()
}

#[test]
fn the_stronger_engine_is_found_out() {
    let folder = Folder::new();
    let line = format!(
        "match {} -rounds 500 -sprt elo0=0 elo1=200 -concurrency 2 -pgnout games.pgn",
        engines(&["depth=4", "depth=1"])
    );
    let out = folder.play(&line);
    assert!(out.contains("SPRT: H1 was accepted"), "{out}");
    let games = tags(&folder.read("games.pgn"), "GameNumber").len();
    assert!(games < 200, "{games} games");
    folder.check_games("games.pgn");
    // A decided match stays so.
    let again = folder.play(&format!("{line} --resume"));
    assert!(out.ends_with(&again), "{out}\n{again}");
}

#[test]
fn shards_make_up_the_whole() {
    let folder = Folder::new();
    let line = format!(
        "match {} -games 2 -rounds 8 -maxmoves 40 -sprt elo0=-400 elo1=400 alpha=0.000001 \
         beta=0.000001 -concurrency 2",
        engines(&["nodes=300", "nodes=200"])
    );
    folder.play(&format!("{line} -report whole.json -pgnout whole.pgn"));
    for part in 1..=3 {
        folder.play(&format!("{line} --shard {part}/3 -report {part}.json -pgnout {part}.pgn"));
    }
    let merged = folder.play("match --merge 3.json 1.json 2.json");
    let alone = folder.play("match --merge whole.json");
    assert_eq!(merged, alone);
    assert!(merged.contains("Games: 16, "), "{merged}");
    folder.play("pgn merge 1.pgn 2.pgn 3.pgn -o parts.pgn");
    expect_each_once(&folder, "parts.pgn", 16);

    for (files, complaint) in [
        ("1.json 1.json", "game 1 is in two of the reports"),
        ("", "no report to merge"),
        ("1.json nothing.json", "nothing.json: No such file"),
        ("whole.pgn", "whole.pgn: expected value at line 1"),
    ] {
        let (_, err, code) = folder.finish(folder.start(&format!("match --merge {files}")));
        assert_eq!(code, Some(2));
        assert!(err.contains(complaint), "{err}");
    }
}

#[test]
fn three_engines_meet() {
    for (kind, games, meetings) in [
        ("round-robin", 12, ["E1 vs E2", "E1 vs E3", "E2 vs E3"].as_slice()),
        ("gauntlet", 8, &["E1 vs E2", "E1 vs E3"]),
    ] {
        let folder = Folder::new();
        let out = folder.play(&format!(
            "match {} -tournament {kind} -games 2 -rounds 2 -maxmoves 20 -ratinginterval 0 \
             -concurrency 2 -pgnout games.pgn",
            engines(&["depth=1", "depth=2", "nodes=100"])
        ));
        expect_each_once(&folder, "games.pgn", games);
        let found: Vec<&str> = out
            .lines()
            .filter_map(|line| line.strip_prefix("Results of ")?.split(" (").next())
            .collect();
        assert_eq!(found, meetings);
        let table: Vec<Vec<&str>> = out
            .lines()
            .skip_while(|line| !line.starts_with("Rank"))
            .take(4)
            .map(|line| line.split_ascii_whitespace().collect())
            .collect();
        assert_eq!(table[0], ["Rank", "Name", "Elo", "Games", "Points", "Draws"], "{out}");
        assert_eq!(table.len(), 4);
        // Everybody's games, and each is in the table twice.
        let count = |row: &Vec<&str>| row[row.len() - 3].parse::<usize>().expect("a count");
        assert_eq!(table[1..].iter().map(count).sum::<usize>(), 2 * games, "{out}");
    }
}

#[test]
fn openings_are_played_with_both_colours() {
    let folder = Folder::new();
    let fens = ["4k4/9/9/9/9/9/9/9/R3K4 w - -", "r3k4/9/9/9/9/9/9/9/4K4 b - -"];
    folder.write("book.epd", fens.join("\n"));
    folder.play(&format!(
        "match {} -openings file=book.epd -games 2 -rounds 2 -maxmoves 1 -pgnout games.pgn",
        engines(&["depth=1", "depth=1"])
    ));
    expect_each_once(&folder, "games.pgn", 4);
    let pgn = folder.read("games.pgn");
    let mut starts: Vec<(String, String)> =
        tags(&pgn, "FEN").into_iter().zip(tags(&pgn, "White")).collect();
    starts.sort();
    let expected: Vec<(String, String)> = fens
        .iter()
        .flat_map(|fen| ["E1", "E2"].map(|white| (format!("{fen} 0 1"), white.to_owned())))
        .collect();
    assert_eq!(starts, expected);
}

#[test]
fn a_toml_file_describes_a_match() {
    let folder = Folder::new();
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-config/match.toml");
    let text = std::fs::read_to_string(example).expect("the example");
    let text = text
        .replace("cmd = \"qirkat\"", &format!("cmd = {:?}", binary()))
        .replace("tc = \"10+0.1\"", "depth = 1");
    folder.write("match.toml", text);
    let out = folder.play("match --config match.toml -rounds 2 -concurrency 2");
    assert!(out.contains("Results of small table vs large table (1 plies)"), "{out}");
    assert!(out.contains("Games: 4, "), "{out}");
    expect_each_once(&folder, "match.pgn", 4);
}
