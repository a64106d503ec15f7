use serde_json::{Value, json};

use crate::run::Folder;

/// An illegal game, then one with a free rook before its end.
const GAMES: &str = "[Event \"a\"]\n\n1. e4 Ke5 *\n\n[Event \"b\"]\n\
                     [FEN \"4k4/9/9/r8/9/9/9/9/R3K4 w - - 0 1\"]\n\n1. Ra5 Rxa5 2. Ke2 *\n";
const LADDER: &str = "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1";

fn values(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn any_position_of_a_game_in_a_file_is_analysed() {
    let folder = Folder::with([("games.pgn", GAMES)]);
    let line = "analyse --hash 1 --pgn games.pgn --game 2 --depth 4";
    let at = |more: &str| folder.good(&format!("{line} {more}"));
    assert!(at("").contains("4k4/9/9/9/r8/9/9/4K4/9 b - - 1 2"));
    assert!(at("--ply 1").contains("Best move: Rxa5"));
    let start = at("--ply 0");
    assert!(start.contains("Best move: Rxa6") && start.contains("for White, who is to move"));
    // The given moves are played from there.
    assert!(at("--ply 0 --moves Rxa6").contains("4k4/9/9/R8/9/9/9/9/4K4 b"));
    // The American spelling.
    folder.play("analyze --depth 1");
}

#[test]
fn lines_fit_the_width_and_mates_are_found_or_excluded() {
    let folder = Folder::new();
    let good = |more: &str| folder.good(&format!("analyse --hash 1 --fen '{LADDER}' {more}"));
    let out = good("--depth 8 --multipv 3");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    let first = out.split_once("\n   1 ").expect("a first line").1.split("\n   2 ").next();
    let first = first.expect("it has an end");
    assert!(first.lines().next().is_some_and(|line| line.contains('#')), "{out}");
    assert!(first.trim_end().ends_with('#'), "the line goes on to the mate: {out}");
    let start = folder.good("analyse --hash 1 --depth 7");
    assert!(start.lines().all(|line| line.chars().count() <= 80), "{start}");

    assert!(good("--mate 2").contains("#2"));
    assert!(good("--mate 1").contains("There is no mate in 1."));
    let only = good("--searchmoves Ke2 e1d1 --depth 3");
    assert!(only.contains("Best move: Ke2") || only.contains("Best move: Kd1"), "{only}");
}

#[test]
fn threats_belong_to_the_opponent() {
    let folder = Folder::new();
    let threat = |more: &str| folder.good(&format!("analyse --hash 1 --threat {more}"));
    let hanging = "--fen '4k4/9/9/r8/9/9/9/9/R3K4 b - - 0 1' --depth 5";
    let out = threat(hanging);
    assert!(out.contains("Threat of White, ") && out.contains("Rxa6"), "{out}");
    assert_eq!(values(&threat(&format!("{hanging} --json")))[0]["threat"]["san"][0], "Rxa6");
    for (line, words) in [
        (
            "--fen '4k4/9/9/9/4r4/9/9/9/4K4 w - - 0 1' --depth 2",
            "No threat can be shown: the side to move is in check.",
        ),
        ("--game alquerque --depth 2", "Threat of Black, "),
    ] {
        assert!(threat(line).contains(words), "{words}");
    }
}

#[test]
fn positions_are_output_with_the_results() {
    let mated = "9/9/8Q/9/9/9/9/8k/7K1 b - - c0 \"over; lost\";";
    let positions = format!(
        "# two rooks\n4k4/9/9/9/9/9/R8/1R7/4K4 w - - id \"ladder\"; bm Ra8; ce 5;\n\nnonsense\n\
         {}\n9/9/9/k8/9/9/9/r8/4K4 b - -\n",
        mated.replace("- -", "- - 0 60")
    );
    let folder = Folder::with([("positions.epd", positions)]);
    let ended = folder.ends(1, "analyse --hash 1 --epd positions.epd --depth 6");
    let (out, err) = (ended.out, ended.err);
    let [ladder, lost, other] = out.lines().collect::<Vec<_>>()[..] else { panic!("{out}") };
    let begin = "4k4/9/9/9/9/9/R8/1R7/4K4 w - - id \"ladder\"; bm Ra8; acd 6; acn ";
    assert!(ladder.starts_with(begin), "{out}");
    assert!(ladder.contains("; ce 32764; pm ") && ladder.contains("; pv "), "{out}");
    assert_eq!(lost, format!("{mated} ce -32767;"));
    assert!(other.contains("; bm ") && other.contains(" b - - acd 1;"), "tables: {out}");
    assert!(err.contains("positions.epd, line 4: ") && err.lines().count() == 1, "{err}");

    // The output is valid input; `-` is standard input.
    let found = values(&folder.fed("analyse --epd - --json --depth 2", &out).out);
    assert_eq!(found.len(), 3);
    assert_eq!((&found[0]["id"], &found[0]["depth"]), (&"ladder".into(), &2.into()));
    assert!(found[1]["outcome"].is_string() && found[2]["pv"].is_array(), "{found:?}");
}

#[test]
fn an_infinite_analysis_ends_with_its_table() {
    let folder = Folder::new();
    let mut running = folder.start("analyse --infinite --multipv 2");
    running.wait_for("White to move");
    let ended = running.interrupt();
    assert_eq!((ended.err.as_str(), ended.code), ("", Some(130)), "{}", ended.out);
    let is_whole = ended.out.contains("Line    Score") && ended.out.contains("Best move: ");
    assert!(is_whole, "{}", ended.out);
}

/// King and pawn against king: tables know every line, so the chances are certain.
#[test]
fn chances_are_certain_where_tables_know_the_result() {
    let folder = Folder::new();
    let chances = |line: &str| -> Vec<Value> {
        let lines = values(&folder.play(&format!("analyse --hash 1 --json {line}")));
        lines.into_iter().map(|mut line| line["wdl"].take()).filter(Value::is_array).collect()
    };
    let drawn = "--fen '9/9/9/4k4/9/4P4/9/9/4K4 b - - 0 1'";
    for (line, expected) in [
        ("--fen '9/9/9/4k4/9/9/9/4P4/4K4 w - - 0 1'", &[[1000, 0, 0], [0, 1000, 0]][..]),
        (drawn, &[[0, 1000, 0], [0, 0, 1000]]),
        ("--game masonic --fen '8/8/3k4/8/8/8/4P3/4K3 w - - 0 1'", &[]),
    ] {
        let all = chances(&format!("{line} --depth 5 --multipv 9"));
        let certain = [[1000, 0, 0], [0, 1000, 0], [0, 0, 1000]].map(|wdl| json!(wdl));
        assert!(!all.is_empty() && all.iter().all(|wdl| certain.contains(wdl)), "{line}: {all:?}");
        assert!(expected.iter().all(|wdl| all.contains(&json!(wdl))), "{line}: {all:?}");
    }
    // Without tables the chances are estimated.
    let guess = chances(&format!("{drawn} --depth 3 --table-path <none>"));
    assert!(!guess.contains(&json!([0, 1000, 0])), "{guess:?}");
}
