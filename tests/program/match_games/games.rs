use serde_json::Value;

use crate::run::Folder;

pub fn tags(pgn: &str, name: &str) -> Vec<String> {
    let start = format!("[{name} \"");
    pgn.lines()
        .filter_map(|line| line.strip_prefix(&start)?.strip_suffix("\"]"))
        .map(str::to_owned)
        .collect()
}

pub fn report(folder: &Folder) -> Value {
    serde_json::from_str(&folder.read("report.json")).expect("a report")
}

pub fn expect_no_fault(folder: &Folder) {
    let ends = tags(&folder.read("games.pgn"), "Termination");
    assert!(ends.iter().all(|end| end == "normal" || end == "adjudication"), "{ends:?}");
}

pub fn expect_each_once(folder: &Folder, name: &str, count: usize) {
    folder.play(&format!("pgn check {name}"));
    let mut numbers: Vec<usize> = tags(&folder.read(name), "GameNumber")
        .iter()
        .map(|number| number.parse().expect("a number"))
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=count).collect::<Vec<_>>());
}
