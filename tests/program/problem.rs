use serde_json::Value;

use crate::run::Folder;

const LADDER: &str = "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1";

fn json(text: &str) -> Value {
    serde_json::from_str(text.trim()).expect("a JSON object")
}

#[test]
fn a_position_is_solved() {
    let folder = Folder::new();
    let line = format!("problem --fen '{LADDER}' --stipulation");
    let out = folder.good(&format!("{line} #2 --set-play --tries"));
    assert!(out.starts_with(&format!("#2, White to move\n{LADDER}\n")), "{out}");
    assert!(out.contains("\nSet play:") && out.contains("\n1.Ra8!"), "{out}");
    assert!(out.contains("\nCooked: 2 keys, Rb8, Ra8.\n"), "{out}");

    let out = folder.good(&format!("{line} dm2 --json"));
    let found = json(&out);
    for (key, value) in [("verdict", "cooked"), ("stipulation", "#2")] {
        assert_eq!(found[key], value);
    }
    assert_eq!((&found["proved"], out.lines().count()), (&true.into(), 1));
    assert_eq!(found["keys"][0]["uci"], "b2b8");
    assert_eq!(found["keys"][1]["san"], "Ra8");
    let variations = found["tree"][0]["play"]["variations"].as_array().expect("variations");
    assert!(variations.iter().all(|it| it["continuations"][0]["moves"] == 1), "{out}");
}

#[test]
fn files_are_solved_line_by_line() {
    let lines = "# three\n\nk8/9/K8/9/9/9/9/8R/9 w - - dm 1; bm Ri9; id \"one\";\n\
                 4k4/9/9/9/9/9/R8/1R7/4K4 w - - dm 2; bm b2b8;\n\
                 k8/9/K8/9/9/9/9/8R/9 w - - hm 0.5; id \"help\";\n";
    let folder = Folder::with([("problems.epd", lines)]);
    let out = folder.good("problem problems.epd --epd");
    let [one, cooked, help] = out.lines().collect::<Vec<_>>()[..] else { panic!("{out}") };
    assert!(one.starts_with("k8/9/K8/9/9/9/9/8R/9 w - - dm 1; bm Ri9; id \"one\"; acn "), "{one}");
    assert!(one.ends_with(" c9 \"Sound: one key, Ri9#.\";"), "{one}");
    assert!(cooked.ends_with(" c9 \"Cooked: Ra8 also solves.\";"), "{cooked}");
    assert!(help.contains(" hm 0.5;") && help.contains("Sound: one solution."), "{help}");
    // The option overrides the file.
    let out = folder.good("problem problems.epd --epd --stipulation #1");
    assert!(out.lines().nth(2).is_some_and(|line| line.contains("c9 \"Sound")), "{out}");
}

#[test]
fn twins_are_solved_one_after_the_other() {
    let line = "k8/9/K8/9/9/9/9/8R/9 w - - dm 1; id \"pair\"; \
                twin \"b) move i2 b1\" \"+c) move b1 b2, stip h#0.5\" \"d) remove i2\";\n";
    let folder = Folder::with([("twins.epd", line)]);
    let out = folder.good("problem twins.epd");
    let heads =
        ["pair a): #1, White", "pair b): #1, White", "pair +c): h#0.5, White", "pair d): #1,"];
    let offsets = heads.map(|head| out.find(head));
    assert!(offsets.is_sorted() && offsets[0] == Some(0), "{out}");
    let out = folder.good("problem twins.epd --json");
    let twins: Vec<Value> = out.lines().map(json).collect();
    assert_eq!((&twins[2]["twin"], twins.len()), (&"+c)".into(), 4));
    assert_eq!(twins[2]["fen"], "k8/9/K8/9/9/9/9/1R7/9 w - - 0 1");
    let out = folder.good("problem twins.epd --epd");
    let verdicts = "c9 \"a) Sound: one key, Ri9#. b) Sound: one key, Rb8#. +c) Sound: one solution. d) No solution.\"";
    assert!(out.starts_with("k8/9/K8/9/9/9/9/8R/9 w - - dm 1; id \"pair\"; twin "), "{out}");
    assert!(out.contains(verdicts) && out.lines().count() == 1, "{out}");
}

#[test]
fn invalid_problems_are_reported_and_skipped() {
    let cases = [
        ("nonsense dm 2;", "board: 1 rank instead of 9"),
        ("BOARD id \"x\";", "no `dm`, `hm` or `sm` with the number of moves, and no `stip`"),
        ("BOARD stip;", "stip: no stipulation"),
        ("BOARD stip 2;", "stip: `2` is no stipulation such as"),
        ("BOARD dm 2; stip r#2;", "both `dm` and `stip`"),
        ("BOARD dm many;", "dm: `many` is no stipulation"),
        ("BOARD dm;", "dm: no number of moves"),
        ("BOARD dm 2; sm 2;", "both `dm` and `sm`"),
        ("BOARD dm 2.5;", "dm: `2.5`: only help problems have half a move"),
        ("BOARD dm 1; bm Qd4;", "bm Qd4: "),
        ("BOARD dm 1; id \"x;", "no closing quotation mark"),
        ("BOARD dm 1; twin \"move a1 a2\";", "twin move a1 a2: no `b)`"),
        ("BOARD dm 1; twin \"b) move a2 a1\";", "twin b: `move a2 a1`: no piece there"),
        ("BOARD dm 0;", "dm: `0`: a stipulation has 1 to 64 moves"),
    ];
    let input = cases.map(|(line, _)| line).join("\n") + "\nk8/9/K8/9/9/9/9/8R/9 w - - dm 1;\n";
    let input = input.replace("BOARD", "4k4/9/9/9/9/9/9/9/R3K4 w Q -");
    let ended = Folder::new().fed("problem - --json", &input);
    assert_eq!((ended.code, &json(&ended.out)["verdict"]), (Some(1), &"sound".into()));
    assert_eq!(ended.err.lines().count(), cases.len(), "{}", ended.err);
    for (number, (told, (_, complaint))) in (1..).zip(ended.err.lines().zip(cases)) {
        assert!(told.starts_with(&format!("qirkat: -, line {number}: {complaint}")), "{told}");
        assert!(told.ends_with(", left out"), "{told}");
    }
}

#[test]
fn a_timeout_ends_an_unfinished_proof() {
    let start = "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1";
    let line = format!("problem --fen '{start}' --stipulation #12 --time 0.2 --json");
    let found = json(&Folder::new().good(&line));
    assert_eq!((&found["verdict"], &found["proved"]), (&"not proved".into(), &false.into()));
    assert!(!found["open"].as_array().expect("moves").is_empty());
}

#[test]
fn neighbours_with_one_solution_are_found() {
    let folder = Folder::new();
    let line = "problem compose --fen 'k8/9/K8/9/9/9/9/8R/9 w - - 0 1' --stipulation #1";
    let out = folder.good(&format!("{line} --json"));
    let found: Vec<Value> = out.lines().map(json).collect();
    assert!(found.len() > 10, "{out}");
    let is_one = |it: &Value| it["solution"].as_array().is_some_and(|moves| moves.len() == 1);
    assert!(found.iter().all(is_one), "{out}");
    assert!(found.iter().any(|it| it["change"] == "Ri2-h2"), "{out}");
    // Each of them is a sound problem.
    let fen = found[0]["fen"].as_str().expect("a FEN");
    let solved = folder.good(&format!("problem --fen '{fen}' --stipulation #1 --json"));
    assert_eq!(json(&solved)["verdict"], "sound");
    let out = folder.good(line);
    assert!(out.lines().last().is_some_and(|line| line.contains(" neighbours")), "{out}");
}
