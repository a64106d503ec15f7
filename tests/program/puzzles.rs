use crate::run::{Ended, Folder};

/// A mate in one, a mate in two, winning a rook, and a mate that is missing from `bm`.
const PUZZLES: &str = "9/9/7Q1/9/9/9/9/8k/7K1 w - - 0 60 bm h7i7 Qh2; dm 1; id \"mate-1-01\";\n\
    4k4/9/9/9/9/9/R8/1R7/4K4 w - - bm Ra8 b2b8; dm 2; id \"mate-2-01\";\n\
    4k4/9/9/r8/9/9/9/9/R3K4 w - - bm Rxa6; id \"win-01\"; c0 \"wins a rook.\";\n\
    9/9/7Q1/9/9/9/9/8k/7K1 w - - 0 60 bm Qi7; id \"any-01\"\n";

fn solved(folder: &Folder, more: &str, answers: &str) -> String {
    let Ended { out, err, code } = folder.fed(&format!("puzzles --hash 1 {more}"), answers);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{more}");
    out
}

#[test]
fn answers_are_judged_and_explained() {
    let folder = Folder::with([("puzzles.epd", PUZZLES)]);
    let clean = "Solved 1 of 1, at the first try and without a hint.\n";
    let later = "Solved 1 of 1, 0 of them at the first try and without a hint.\n";
    let none = "Solved 0 of 1.\n";
    for (id, answers, told) in [
        ("mate-1-01", "Qh2\n", &["White to move mates in 1.", "Right: Qh2# is mate.", clean][..]),
        ("mate-1-01", "  h7i7  \r\n", &["Right: Qi7# is mate.", clean]),
        ("any-01", "Qh2", &["Find the best move.", "Right too: Qh2# mates in 1.", clean]),
        ("mate-2-01", "a3a7\n", &["Wrong. It mates only in 3.", "After Ra7: ", none]),
        (
            "win-01",
            "Ra5\nRxa6\n",
            &[
                "Wrong. Black's Rxa5 then wins a rook.",
                "After Ra5: Rxa5",
                "Right: Rxa6 wins",
                later,
            ],
        ),
        (
            "win-01",
            "hint\nhint\nHINT\nhint\nsolution\nquit\n",
            &[
                "The solution wins a rook.",
                "The rook on a1 moves.",
                "It goes to a6.",
                "That was all",
                "\nRxa6 wins a rook.",
                "Best play: Rxa6 ",
                none,
            ],
        ),
        ("win-01", "hint\nRxa6\n", &[later]),
        (
            "win-01",
            "Rc4\ne3e4\n\nx\u{1b}[2J\nskip\n",
            &[
                "`Rc4` is not a legal move: a rook on a diagonal point moves orthogonally any\ndistance, ",
                "`e3e4` is not a legal move: no piece stands on e3.",
                "`x\\u{1b}",
                none,
            ],
        ),
        ("win-01", "board\nhelp\nquit\n", &["Type a move", "Solved 0 of 0.\n"]),
        ("win-01", "", &["Puzzle 1 of 1: win-01", "Solved 0 of 0.\n"]),
    ] {
        let out = solved(&folder, &format!("puzzles.epd --id {id} --nodes 5000"), answers);
        for words in told {
            assert!(out.contains(words), "{id}, {answers:?}: no {words:?} in {out}");
        }
        assert!(out.lines().all(|line| line.len() <= 80) && !out.contains('\u{1b}'), "{out}");
    }
}

#[test]
fn the_score_is_shown_at_the_end() {
    let folder = Folder::new();
    for answers in ["hint\nquit\n", "hint\n"] {
        let out = solved(&folder, "--nodes 100", answers);
        assert!(!out.contains("Puzzle 2"), "{answers:?}: {out}");
        assert!(out.ends_with("\nSolved 0 of 1.\n"), "{answers:?}: {out}");
    }
    let mut running = folder.start("puzzles --hash 1 --id mate-2-01");
    running.wait_for("to move mates in 2");
    let ended = running.interrupt();
    assert_eq!(ended.code, Some(130), "{}", ended.out);
    assert!(ended.out.ends_with("\nSolved 0 of 0.\n"), "{}", ended.out);
}

#[test]
fn all_puzzles_of_the_suite_can_be_solved() {
    let suite = include_str!("../../src/analysis/suite/tactics.epd");
    let folder = Folder::with([("suite.epd", suite)]);
    let best = suite.lines().filter_map(|line| Some(line.split_once(" bm ")?.1));
    let answers: Vec<&str> = best.filter_map(|rest| rest.split([' ', ';']).next()).collect();
    let all = answers.len();
    assert!(all > 100, "a small suite");
    let out = solved(&folder, "--nodes 100 suite.epd", &answers.join("\n"));
    assert!(out.contains(&format!("Puzzle {all} of {all}: ")), "{out}");
    let score = format!("\nSolved {all} of {all}, at the first try and without a hint.\n");
    assert!(out.ends_with(&score), "{out}");
}

#[test]
fn puzzles_are_mined() {
    let folder = Folder::new();
    let mine = |more: &str| format!("puzzles mine --game masonic {more}");
    let out = folder.good(&mine("--output first.epd --count 2 --threads 1"));
    assert!(out.starts_with("first.epd: 2 puzzles of "), "{out}");
    folder.good(&mine("--output second.epd --count 1 --threads 2"));
    // A line that was cut off, as by a power cut, is mined again.
    folder.write("second.epd", folder.read("second.epd") + "8/8/1r1");
    let resumed = folder.ends(0, &mine("--output second.epd --count 2 --resume"));
    assert_eq!(resumed.err, "qirkat: second.epd: cut off 7 bytes of an unfinished line\n");
    assert_eq!(folder.read("first.epd"), folder.read("second.epd"));
    let posed = solved(&folder, "--game masonic --theme win first.epd", "skip\n");
    assert!(posed.contains("Puzzle 1 of "), "{posed}");
    folder.refuse_all(
        &mine("--output first.epd"),
        &[
            ("--count 4", "first.epd already exists; continue it with --resume"),
            ("--resume --eval-file <none>", "with other settings: network of --eval-file was"),
        ],
    );
}

#[test]
fn puzzles_are_chosen() {
    let folder = Folder::new();
    let order = |more: &str| -> Vec<String> {
        let out = solved(&folder, more, &"skip\n".repeat(200));
        let heads = out.lines().filter(|line| line.starts_with("Puzzle "));
        heads.filter_map(|line| Some(line.split_once(": ")?.1.to_owned())).collect()
    };
    assert_eq!(order("--theme mate-3 --level 4-5 --count 2").len(), 2);
    assert_eq!(order("--id win-07 --id mate-2-03"), ["win-07", "mate-2-03"]);
    let easy = order("--game masonic --level 4");
    assert!(easy.len() > 20 && easy.iter().all(|id| id.starts_with('m')), "{easy:?}");
    let random = |seed: u32| order(&format!("--random --seed {seed} --count 20"));
    assert_eq!(random(7), random(7));
    assert_ne!(random(7), random(8));
    let out = solved(&folder, "--random --count 1", "");
    assert!(out.contains("In random order; --seed "), "{out}");
}
