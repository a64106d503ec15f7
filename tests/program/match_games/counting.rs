use std::collections::BTreeSet;

use super::games::{expect_each_once, report, tags};
use crate::run::{Folder, QIRKAT};

fn engines(limits: &[&str]) -> String {
    let engine = |(number, limit): (usize, &&str)| {
        format!("-engine name=E{number} cmd=QIRKAT option.Hash=1 {limit} ")
    };
    (1..).zip(limits).map(engine).collect()
}

const EQUALS: [&str; 2] = ["depth=1", "depth=1"];
/// A rook up for White, and for Black.
const WON: &str = "4k4/9/9/9/9/9/9/9/R3K4 w - -";
const LOST: &str = "r3k4/9/9/9/9/9/9/9/4K4 b - -";

#[test]
fn the_sprt_finds_the_stronger_engine() {
    let folder = Folder::new();
    let line = format!(
        "match {} -rounds 500 -sprt elo0=0 elo1=200 alpha=0.1 beta=0.1 -concurrency 2 \
         -pgnout games.pgn",
        engines(&["depth=4", "depth=1"])
    );
    let out = folder.play(&line);
    assert!(out.contains("SPRT: H1 was accepted"), "{out}");
    let games = tags(&folder.read("games.pgn"), "GameNumber").len();
    assert!(games < 200, "{games} games");
    folder.play("pgn check games.pgn");
    // A decided match is not continued.
    let again = folder.play(&format!("{line} --resume"));
    assert!(out.ends_with(&again), "{out}\n{again}");
}

#[test]
fn shards_add_up_to_the_whole_match() {
    let folder = Folder::new();
    let line = format!(
        "match {} -games 2 -rounds 6 -maxmoves 10 -sprt elo0=-400 elo1=400 alpha=0.000001 \
         beta=0.000001 -concurrency 2",
        engines(&["nodes=60", "nodes=40"])
    );
    folder.play(&format!("{line} -report whole.json -pgnout whole.pgn"));
    for part in 1..=3 {
        folder.play(&format!("{line} --shard {part}/3 -report {part}.json -pgnout {part}.pgn"));
    }
    let merged = folder.play("match --merge 3.json 1.json 2.json");
    assert_eq!(merged, folder.play("match --merge whole.json"));
    assert!(merged.contains("Games: 12, "), "{merged}");
    folder.play("pgn merge 1.pgn 2.pgn 3.pgn -o parts.pgn");
    expect_each_once(&folder, "parts.pgn", 12);

    for (parts, told) in [
        ("1.json 3.json", "part 2/3 is missing, "),
        ("2.json", "parts 1/3, 3/3 are missing, "),
        ("whole.json", ""),
    ] {
        let merged = folder.play(&format!("match --merge {parts}"));
        assert_eq!(merged.starts_with(&format!("Warning: {told}")), !told.is_empty(), "{merged}");
        assert_eq!(merged.contains(" of 12 games are counted\n"), !told.is_empty(), "{merged}");
    }
    folder.play(&format!("{line} --shard 1/3 -report other.json -srand 5"));
    for (files, complaint) in [
        ("other.json 2.json", "not parts of the same match: srand is `5` here and `0` there"),
        ("-all 1.json", "--merge: unknown option -all"),
        ("1.json 1.json", "1.json: game 1 is in two of the reports"),
        ("", "no report to merge"),
        ("1.json nothing.json", "nothing.json: No such file"),
        ("whole.pgn", "whole.pgn: not JSON: expected value at line 1"),
    ] {
        let err = folder.ends(2, &format!("match --merge {files}")).err;
        assert!(err.contains(complaint), "{err}");
    }
}

fn table<'a>(out: &'a str, first: &str) -> Vec<Vec<&'a str>> {
    out.lines()
        .skip_while(|line| !line.trim_start().starts_with(first))
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_ascii_whitespace().collect())
        .collect()
}

#[test]
fn several_engines_meet() {
    for (kind, games, meetings) in [
        ("round-robin", 12, ["E1 vs E2", "E1 vs E3", "E2 vs E3"].as_slice()),
        ("gauntlet", 8, &["E1 vs E2", "E1 vs E3"]),
        ("gauntlet -seeds 2", 12, &["E1 vs E2", "E1 vs E3", "E2 vs E3"]),
    ] {
        let folder = Folder::new();
        let out = folder.play(&format!(
            "match {} -tournament {kind} -games 2 -rounds 2 -maxmoves 8 -ratinginterval 0 \
             -concurrency 2 -pgnout games.pgn -crosstable -report report.json",
            engines(&["depth=1", "depth=2", "nodes=100"])
        ));
        expect_each_once(&folder, "games.pgn", games);
        let found: Vec<&str> = out
            .lines()
            .filter_map(|line| line.strip_prefix("Results of ")?.split(" (").next())
            .collect();
        assert_eq!(found, meetings);
        assert_eq!(out.matches("\nLOS: ").count(), meetings.len(), "{out}");
        assert_eq!(out.matches("\nPtnml(0-2): ").count(), meetings.len(), "{out}");
        let list = table(&out, "Rank  Name  ");
        assert_eq!(list[0], ["Rank", "Name", "Elo", "Games", "Points", "Draws", "LOS"], "{out}");
        assert_eq!(list.len(), 4);
        // Each game is in the table twice, once for each player.
        let count = |row: &Vec<&str>| row[row.len() - 4].parse::<usize>().expect("a count");
        assert_eq!(list[1..].iter().map(count).sum::<usize>(), 2 * games, "{out}");
        let behind = out.split_once("LOS\n").expect("a list").1;
        let cross = table(behind, "Rank  Name  ");
        assert_eq!(cross[0], ["Rank", "Name", "All", "1", "2", "3"], "{out}");
        // Each pair shares the points of four games.
        let points = |cell: &str| -> Option<f64> { cell.strip_suffix("/4")?.parse().ok() };
        let cells: Vec<&str> = cross[1..].iter().flat_map(|row| row[3..].to_vec()).collect();
        let shared: f64 = cells.iter().filter_map(|cell| points(cell)).sum();
        assert_eq!(shared, games as f64, "{out}");
        // Their file gives the same ratings, but may have players of equal rank in another order.
        let rated = folder.play("pgn ratings games.pgn");
        let unranked = |list: Vec<Vec<&str>>| -> BTreeSet<String> {
            list.iter().map(|row| row[1..row.len() - 1].join(" ")).collect()
        };
        assert_eq!(unranked(table(&rated, "Rank  Name  ")), unranked(list.clone()), "{out}");
        // Merged reports give the same tables.
        let merged = folder.play("match --merge -crosstable report.json");
        assert!(out.ends_with(&merged), "{out}\n{merged}");
        let report = report(&folder);
        let ratings = report["ratings"].as_array().expect("ratings");
        let ranked: Vec<&str> = ratings.iter().filter_map(|row| row["name"].as_str()).collect();
        assert_eq!(ranked, list[1..].iter().map(|row| row[1]).collect::<Vec<_>>(), "{report}");
        assert!(report["results"][0]["estimate"]["los"].is_number(), "{report}");
    }
}

/// As in cutechess, moves of a PGN opening count as moves of the game.
#[test]
fn moves_of_the_opening_count() {
    let folder = Folder::with([
        ("book.pgn", "1. e4 e6 2. d3 d7 3. h4 *\n"),
        ("book.epd", "4k4/9/9/4p4/9/9/4P4/9/R3K4 w - - 0 40\n"),
    ]);
    let cases = [
        ("-openings file=book.pgn -maxmoves 4", 8),
        ("-openings file=book.pgn -maxmoves 2", 6),
        ("-openings file=book.epd -maxmoves 4", 8),
        ("-openings plies=6 -maxmoves 5", 10),
        ("-openings file=book.pgn -draw movenumber=5 movecount=1 score=30000", 10),
        ("-openings file=book.pgn -draw movenumber=1 movecount=2 score=30000", 9),
        ("-openings plies=4 -draw movenumber=4 movecount=2 score=30000", 8),
    ];
    for (number, (more, plies)) in cases.iter().enumerate() {
        let engines = engines(&EQUALS);
        folder.play(&format!("match {engines} -games 1 {more} -pgnout {number}.pgn"));
        let pgn = folder.read(&format!("{number}.pgn"));
        assert_eq!(tags(&pgn, "PlyCount"), [plies.to_string()], "{more}\n{pgn}");
    }
}

#[test]
fn a_match_of_equals_reports_no_difference() {
    let folder = Folder::new();
    let nothing = "Nothing differed: every";
    for (limits, more, told) in [
        (EQUALS, "", true),
        (EQUALS, "-noswap -maxmoves 1", true),
        (["depth=4", "nodes=2"], "", false),
    ] {
        let report = "-report penta=true -concurrency 2";
        let out = folder.play(&format!("match {} -rounds 3 {more} {report}", engines(&limits)));
        assert_eq!(out.contains(nothing), told, "{out}");
        assert_eq!(out.contains("Elo: 0.00 +/- 0.00"), told, "{out}");
    }
    assert!(!folder.has("penta=true"));
}

#[test]
fn games_are_written_as_asked() {
    let folder = Folder::new();
    let engines = engines(&["nodes=100", "nodes=100"]);
    let line = |pgnout: &str| {
        format!("match {engines} -maxmoves 4 -openings plies=0 -concurrency 1 -pgnout {pgnout}")
    };
    folder.play(&line("plain.pgn"));
    let all = "notation=lan nodes=true seldepth=true nps=true hashfull=true pv=true";
    folder.play(&line(&format!("file=full.pgn {all}")));
    folder.write("match.toml", "pgnout = { file = \"toml.pgn\", notation = \"lan\", pv = true }\n");
    folder.play(&line("nodes=true").replace("match ", "match --config match.toml "));
    for name in ["plain.pgn", "full.pgn", "toml.pgn"] {
        expect_each_once(&folder, name, 2);
    }
    let plain = folder.read("plain.pgn");
    assert!(!plain.contains("n=") && !plain.contains("pv="), "{plain}");
    let full = folder.read("full.pgn").replace('\n', " ");
    for part in [", n=", ", sd=", ", nps=", ", hashfull=", ", pv=\""] {
        assert_eq!(full.matches(part).count(), 16, "{part} {full}");
    }
    let toml = folder.read("toml.pgn").replace('\n', " ");
    assert_eq!((toml.matches(", n=").count(), toml.matches(", pv=\"").count()), (16, 16), "{toml}");
    // Both coordinates of the first move.
    let first = full.split(" 1. ").nth(1).expect("a move");
    let points: Vec<bool> = first.bytes().take(4).map(|byte| byte.is_ascii_digit()).collect();
    assert_eq!(points, [false, true, false, true], "{first}");
}

#[test]
fn the_score_is_printed_at_the_rating_interval() {
    let folder = Folder::with([("book.epd", [WON, LOST].join("\n"))]);
    let all = [
        "Score of E1 vs E2: 1 - 0 - 0  [1.000] 1",
        "Score of E1 vs E2: 1 - 1 - 0  [0.500] 2",
        "Score of E1 vs E2: 2 - 1 - 0  [0.667] 3",
        "Score of E1 vs E2: 2 - 2 - 0  [0.500] 4",
    ];
    let some = [all[1], all[3]];
    for (more, expected) in [("", &all[..]), ("-scoreinterval 2", &some), ("-scoreinterval 0", &[])]
    {
        let out = folder.play(&format!(
            "match {} -openings file=book.epd -rounds 2 -concurrency 1 -tb <embedded> {more}",
            engines(&EQUALS)
        ));
        let told: Vec<&str> = out.lines().filter(|line| line.starts_with("Score of ")).collect();
        assert_eq!(told, expected, "{more}");
    }
}

#[test]
fn a_pause_is_made_between_games() {
    let folder = Folder::new();
    let begin = std::time::Instant::now();
    let line = format!("match {} -rounds 2 -maxmoves 1 -concurrency 1", engines(&EQUALS));
    folder.play(&format!("{line} -wait 400"));
    assert!(begin.elapsed().as_millis() >= 1200, "{:?}", begin.elapsed());
}

#[test]
fn a_toml_file_describes_a_match() {
    let folder = Folder::new();
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-config/match.toml");
    let text = std::fs::read_to_string(example).expect("the example");
    let text = text
        .replace("cmd = \"qirkat\"", &format!("cmd = {:?}", QIRKAT))
        .replace("tc = \"10+0.1\"", "depth = 1");
    folder.write("match.toml", text);
    let out = folder.play("match --config match.toml -rounds 2 -concurrency 2");
    assert!(out.contains("Results of small table vs large table (1 plies)"), "{out}");
    assert!(out.contains("Games: 4, "), "{out}");
    expect_each_once(&folder, "match.pgn", 4);
}
