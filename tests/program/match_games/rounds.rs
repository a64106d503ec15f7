//! Tournaments whose rounds depend on results, and gauntlets of sequential tests.

use super::games::{report, tags};
use crate::run::Folder;

/// Four engines, whose games White wins at once, by the tables.
const FOUR: &str = "-engine name=A -engine name=B -engine name=C -engine name=D \
                    -each cmd=QIRKAT option.Hash=1 depth=1 -openings file=won.epd -tb <embedded> \
                    -concurrency 2 -ratinginterval 0 -scoreinterval 0";

fn folder() -> Folder {
    Folder::with([("won.epd", "4k4/9/9/9/9/9/9/9/R3K4 w - -")])
}

fn lines<'a>(out: &'a str, words: &[&str]) -> Vec<&'a str> {
    out.lines().filter(|line| words.iter().any(|word| line.starts_with(word))).collect()
}

#[test]
fn rounds_depend_on_results_and_are_resumed() {
    for (kind, words, first) in [
        ("knockout", ["Round ", "Winner "], "Winner of the knockout: B"),
        ("swiss", ["Place ", "Place "], "Place 1: A, 2.0 points"),
    ] {
        let folder = folder();
        let line = format!(
            "match {FOUR} -tournament {kind} -games 1 -pgnout games.pgn -report report.json -outcomeinterval 100"
        );
        let out = folder.play(&line);
        let found = lines(&out, &words);
        assert!(found.iter().any(|line| line.starts_with(first)), "{out}");
        folder.play("pgn check games.pgn");
        let pgn = folder.read("games.pgn");
        let rounds = tags(&pgn, "Round");
        assert!(rounds.iter().any(|round| round.starts_with("2.")), "{rounds:?}");
        assert_eq!(report(&folder)["schedule"]["kind"], kind);
        assert!(out.contains("Player: A\n   \"") && out.contains("\"Win: White wins by "), "{out}");
        // Its merged report says the same, and that nothing is missing.
        let merged = folder.play("match --merge report.json");
        assert!(out.ends_with(&merged), "{merged}");
        // Nothing is left to play; after a cut the last games are played again.
        let again = folder.play(&format!("{line} --resume"));
        assert_eq!(lines(&again, &words), found);
        assert_eq!(again.matches("Finished").count(), 0, "{again}");
        let games: Vec<&str> = pgn.split("[Event ").skip(1).collect();
        let kept = games[..games.len() - 1]
            .iter()
            .map(|game| format!("[Event {game}"))
            .collect::<String>();
        folder.write("games.pgn", kept);
        let warning = folder.play("match --merge report.json");
        assert!(!warning.contains("Warning"), "{warning}");
        let again = folder.play(&format!("{line} --resume"));
        assert!(again.contains(first), "{again}");
        folder.play("pgn check games.pgn");
    }
}

#[test]
fn each_pair_of_a_gauntlet_has_its_own_test() {
    let folder = folder();
    let line = format!(
        "match {} -tournament gauntlet -sprt elo0=0 elo1=400 alpha=0.2 beta=0.2 -rounds 200 \
         -pgnout games.pgn -report report.json",
        FOUR.replace("-engine name=D", "-noswap")
    );
    let out = folder.play(&line);
    let decided = out.matches("SPRT: H").count();
    let games = tags(&folder.read("games.pgn"), "GameNumber").len();
    assert!(decided == 2 && games < 300, "{out}");
    let report = report(&folder);
    assert!(report["results"].as_array().expect("results").iter().all(|it| it["llr"].is_number()));
    let again = folder.play(&format!("{line} --resume"));
    assert!(out.ends_with(&again), "{out}\n{again}");
    assert!(!folder.play("match --merge report.json").contains("Warning"));
}
