use serde_json::Value;

use crate::run::Folder;

/// A game that loses a rook, a game without moves, and an Alquerque game.
const GAMES: &str = r#"[Event "Test"]
[White "Anna"]
[Black "Bert"]
[Result "0-1"]
[FEN "4k4/9/9/r8/9/9/9/9/R3K4 w - - 0 1"]

{Rooks} 1. Ra5 $1 {[%clk 0:01:02] mine} Rxa5 2. Ke2 Ke8 0-1

[Event "Test"]
[White "Cleo"]
[Result "*"]

*

[Event "Test"]
[White "Dora"]
[Variant "Alquerque"]

1. d3c3 b3d3 *
"#;

fn with_games() -> Folder {
    Folder::with([("games.pgn", GAMES)])
}

fn annotated(folder: &Folder, line: &str) -> String {
    folder.good(&format!("annotate --hash 1 {line}"))
}

#[test]
fn the_report_lists_the_turning_points() {
    let folder = with_games();
    let out = annotated(&folder, "games.pgn --depth 5 --svg graph.svg");
    for words in [
        "Game 1: Anna - Bert, 0-1, Chesquerque, 4 plies",
        "1. Ra5??",
        "Black's Rxa5 then ",
        "Then:   Rxa5 ",
        "Better: Rxa6",
        "Game 2: Cleo - ?, *, Chesquerque, 0 plies",
        "There are no moves.",
        "Game 3: Dora - ?, *, Alquerque, 2 plies",
        "Then:   b3d3 ",
        "Given away",
    ] {
        assert!(out.contains(words), "no {words:?} in {out}");
    }
    assert!(out.is_ascii() && out.contains('#'), "{out}");
    assert!(out.lines().all(|line| line.len() <= 80), "{out}");
    for name in ["graph.svg", "graph-2.svg", "graph-3.svg"] {
        assert!(folder.read(name).starts_with("<svg"), "{name}");
    }
    let listed = annotated(&folder, "games.pgn --depth 5 --game 1 --moves");
    assert!(listed.contains("Best line") && listed.contains("1...Rxa5"), "{listed}");
    assert!(!listed.contains("Game 2"), "{listed}");
}

#[test]
fn annotated_games_are_valid_pgn() {
    let folder = with_games();
    let pgn = annotated(&folder, "games.pgn --depth 5 --pgn");
    let flat = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    let blunder = "1. Ra5 $1 $4 {[%eval ";
    for words in [blunder, "] Blunder (", " [%wdl ", "] [%clk 0:01:02] mine} (1. Rxa6 {[%eval "] {
        assert!(flat.contains(words), "no {words:?} in {pgn}");
    }
    assert_eq!(pgn, annotated(&folder, "games.pgn --depth 5 --pgn"), "the same every time");
    folder.write("annotated.pgn", &pgn);
    assert_eq!(folder.good("pgn check annotated.pgn"), "3 games, 0 faults\n");
    let lan = annotated(&folder, "games.pgn --depth 2 --pgn --notation lan --drop-comments");
    assert!(lan.contains("1. a1a5") && !lan.contains("mine") && lan.contains("[%clk"), "{lan}");
}

#[test]
fn faulty_games_are_kept_beside_the_output() {
    let faulty = "[Event \"x\"]\n\n1. e4 Ke5 {no} *";
    let folder = Folder::with([("games.pgn", format!("{faulty}\n\n{GAMES}"))]);
    for more in ["", " --resume"] {
        let line = format!("annotate --hash 1 games.pgn --depth 1 --output out.pgn{more}");
        let err = folder.ends(1, &line).err;
        assert!(err.contains(", saved in ") && err.ends_with("/out.pgn.rejected.pgn\n"), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert_eq!(folder.read("out.pgn.rejected.pgn"), format!("{faulty}\n\n"));
    }
    // Without an output file, the game is left out and the others are still reviewed.
    let ended = folder.ends(1, "annotate --hash 1 games.pgn --depth 1 --json");
    assert_eq!(ended.out.lines().count(), 3);
    assert!(ended.err.contains("game 1, line 3: move 1... Ke5"), "{}", ended.err);
}

/// A second review replaces the first, and keeps the user's own comments and variations.
#[test]
fn annotating_again_is_annotating_once() {
    let games = GAMES.replace("mine} Rxa5", "mine} (1. Kd1 {theirs} Rb6) (1. Rxa6) Rxa5");
    let games = games.replacen("[Event", "[Annotator \"Cleo\"]\n[Event", 1);
    let folder = Folder::with([("games.pgn", games)]);
    let once = annotated(&folder, "games.pgn --depth 5 --pgn");
    for words in ["[Annotator \"Cleo, Qirkat ", "mine}", "(1. Kd1 {theirs} 1... Rb6)", "(1. Rxa6)"]
    {
        assert!(once.contains(words), "no {words:?} in {once}");
    }
    folder.write("once.pgn", &once);
    assert_eq!(annotated(&folder, "once.pgn --depth 5 --pgn"), once);
    let shallow = |file: &str| annotated(&folder, &format!("{file} --depth 2 --variation 3 --pgn"));
    assert_eq!(shallow("once.pgn"), shallow("games.pgn"));
    folder.write("shallow.pgn", shallow("once.pgn"));
    assert_eq!(annotated(&folder, "shallow.pgn --depth 5 --pgn"), once);
}

#[test]
fn json_has_an_object_for_each_game() {
    let out = annotated(&with_games(), "games.pgn --depth 5 --json");
    let games: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(games.len(), 3);
    let first = &games[0]["moves"][0];
    assert_eq!((&first["san"], &first["mark"]), (&"Ra5".into(), &"blunder".into()), "{first}");
    assert_eq!(first["best"]["pv"][0], "a1a6");
    assert!(first["loss"].as_f64() > Some(0.4) && first["reason"].is_string(), "{first}");
    assert_eq!(games[0]["accuracy"]["white"]["game"]["blunders"], 1);
    let wdl = first["wdl"].as_array().expect("three numbers");
    assert_eq!(wdl.iter().filter_map(Value::as_u64).sum::<u64>(), 1000);
    assert_eq!(games[2]["variant"], "alquerque");
}

#[test]
fn an_interrupted_review_is_resumed() {
    let folder = Folder::with([("games.pgn", GAMES.repeat(6))]);
    let line = "annotate --hash 1 games.pgn --nodes 1000 --output";
    folder.good(&format!("{line} whole.pgn"));

    let mut running = folder.start(&format!("{line} part.pgn"));
    running.wait_for("Game 4");
    let ended = running.interrupt();
    assert_eq!(ended.code, Some(130), "{}", ended.err);
    assert!(ended.err.contains("stopped in game ") && ended.err.contains("--resume"));
    folder.refuse_all(
        "annotate --hash 1 games.pgn --output part.pgn",
        &[
            ("--nodes 1000", "already exists: continue with --resume"),
            ("--nodes 1001 --resume", "--nodes was `1000`, is now `1001`"),
            ("--nodes 1000 --resume --game 2", "--game was not set, is now `2`"),
        ],
    );
    folder.write("part.pgn", folder.read("part.pgn") + "[Event \"Test\"]\n\n1. e4 {[%eva");
    folder.good(&format!("{line} part.pgn --resume"));
    assert_eq!(folder.read("whole.pgn"), folder.read("part.pgn"));
    // When run again, there is nothing left to do.
    let out = folder.good(&format!("{line} part.pgn --resume"));
    assert!(out.ends_with(": 18 games annotated\n") && out.lines().count() == 1, "{out}");
}
