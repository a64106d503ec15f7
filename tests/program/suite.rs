use serde_json::Value;

use crate::run::Folder;

/// A mate in one, a mate in two, and a mate in one with a wrong solution.
const SUITE: &str = "# three positions\n\n\
    9/9/7Q1/9/9/9/9/8k/7K1 w - - 0 60 bm h7i7 Qh2; dm 1; id \"mate-1-01\";\n\
    4k4/9/9/9/9/9/R8/1R7/4K4 w - - bm Ra8 b2b8; id \"ladder-01\"; c0 \"two rooks; one king\";\n\
    9/9/7Q1/9/9/9/9/8k/7K1 w - - bm Qa7; id \"mate-1-02\"\n";

#[test]
fn the_report_has_rows_and_a_table() {
    let folder = Folder::with([("three.epd", SUITE)]);
    let out = folder.good("suite three.epd --nodes 2000 --hash 1");
    let lines: Vec<Vec<&str>> = out.lines().map(|it| it.split_whitespace().collect()).collect();
    let [head, first, second, third, _, table, mate, ladder, all] = &lines[..] else {
        panic!("{out}")
    };
    assert_eq!(*head, ["Position", "Solved", "Depth", "Nodes", "Time", "Move", "Best"]);
    let [id, solved, _, nodes, _, played, best, other] = first[..] else { panic!("{out}") };
    assert_eq!([id, solved, best, other], ["mate-1-01", "yes", "Qi7#", "Qh2#"]);
    assert!([best, other].contains(&played), "{out}");
    assert!(nodes.parse::<u64>().is_ok_and(|nodes| nodes <= 2000), "{out}");
    let [id, "yes", .., best, other] = second[..] else { panic!("{out}") };
    assert_eq!([id, best, other], ["ladder-01", "Ra8", "Rb8"]);
    let [id, solved, .., best] = third[..] else { panic!("{out}") };
    assert_eq!([id, solved, best], ["mate-1-02", "no", "Qa7"]);
    let budgets = "Solved within 100 nodes 200 nodes 500 nodes 1000 nodes 2000 nodes of";
    assert_eq!(table.join(" "), budgets);
    for (row, name, counts) in [(mate, "mate-1", ["1", "2"]), (all, "all", ["2", "3"])] {
        assert_eq!((row[0], &row[row.len() - 2..]), (name, &counts[..]), "{out}");
    }
    assert_eq!(ladder[0], "ladder");

    let out = folder.good("suite three.epd --depth 2 --threads 2 --hash 1");
    assert!(out.contains("Solved within   depth 1   depth 2 "), "{out}");
    let out = folder.good("suite three.epd --movetime 20 --hash 1");
    assert!(out.contains(" 1 ms      2 ms      5 ms     10 ms     20 ms"), "{out}");
}

/// The rook is lost on a8, and gives mate on a9.
#[test]
fn moves_to_avoid_are_not_solutions() {
    let board = "k8/9/K8/9/9/9/9/8R/9 w - - ";
    let lines = ["am Ri9#; id \"a\";", "am Ra2; id \"b\";", "bm Ri9; am Ra2; id \"c\";"];
    let folder = Folder::with([("am.epd", lines.map(|line| format!("{board}{line}\n")).concat())]);
    let out = folder.good("suite am.epd --nodes 500 --hash 1");
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    let ends: Vec<_> =
        rows[1..4].iter().map(|row| format!("{} {}", row[1], row[6..].join(" "))).collect();
    assert_eq!(ends, ["no not Ri9#", "yes not Ra2", "yes Ri9# not Ra2"]);
    let json = folder.good("suite am.epd --nodes 500 --hash 1 --json");
    let first: Value = serde_json::from_str(json.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["am"], serde_json::json!(["i2i9"]));
    folder.refuse("puzzles am.epd", "the puzzle `a` has no `bm` with the best moves");
}

#[test]
fn results_with_a_node_limit_are_reproducible() {
    let folder = Folder::new();
    let found = || -> Vec<Value> {
        let out = folder.good("suite --nodes 100 --hash 1 --json");
        let mut lines: Vec<Value> =
            out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for line in &mut lines {
            line.as_object_mut().expect("an object").remove("time_ms");
        }
        lines
    };
    let lines = found();
    assert!(lines == found(), "another run found something else");
    let (tally, attempts) = lines.split_last().expect("lines");
    let solved = attempts.iter().filter(|attempt| attempt["solved"] == true).count();
    assert!(attempts.len() >= 100, "a small suite");
    assert_eq!(tally["all"]["problems"], attempts.len());
    assert_eq!(tally["all"]["solved"][4], solved);
    assert_eq!(tally["budgets"][4], "100 nodes");
    for attempt in attempts {
        for key in ["id", "class", "bm", "move", "depth", "nodes"] {
            assert!(!attempt[key].is_null(), "no {key} in {attempt}");
        }
        assert!(attempt["cp"].is_null() != attempt["mate"].is_null(), "{attempt}");
    }
}
