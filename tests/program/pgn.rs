//! `qirkat pgn` from outside.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::files::{folder, write};
use crate::run::{good_output, qirkat, text, with_input};

/// A white win by mate, a draw by repetition, and a game broken off.
const SOUND: &str = r#"[Event "Test"]
[White "Anna"]
[Black "Bert"]
[Result "1-0"]
[Variant "Chesquerque"]
[FEN "9/9/7Q1/9/9/9/9/8k/7K1 w - - 0 60"]
[Termination "normal"]

60. Qi7# {#1/1 0.1s} 1-0

[Event "Test"]
[White "Bert"]
[Black "Anna"]
[Result "1/2-1/2"]
[FEN "4k4/9/9/9/9/9/9/Q8/4K4 w - - 0 1"]
[Termination "adjudication"]

1. Ke2 Ke8 2. Ke1 Ke9 3. Ke2 Ke8 4. Ke1 Ke9 1/2-1/2

[Event "Test"]
[White "Cleo"]
[Black "anna"]
[Result "*"]
[Termination "unterminated"]

1. b3 b7 2. Nc3 *

"#;

const FAULTY: &str = r#"[Event "illegal"]
1. e4 e6 2. Ke5 *

[Event "two results"]
[Result "1-0"]
1. e4 0-1

[Event "mate is no draw"]
[FEN "9/9/7Q1/9/9/9/9/8k/7K1 w - - 0 60"]
60. Qi7# 1/2-1/2

[Event "goes on"]
[FEN "4k4/9/9/9/9/9/9/4p4/4K4 w - - 0 1"]
1. Kxe2 Ke8
2. Ke1 1/2-1/2

[Event "foreign"]
[Variant "Shogi"]
1. P-7f *

[Event "no result"]
1. e4
"#;

fn command(arguments: &[&str]) -> Command {
    qirkat([&["pgn"], arguments].concat())
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the binary runs")
}

/// Runs what has to succeed, without a word on stderr.
fn good(arguments: &[&str]) -> String {
    good_output(&run(arguments), &arguments)
}

fn events(pgn: &str, tag: &str) -> Vec<String> {
    let start = format!("[{tag} \"");
    pgn.lines()
        .filter_map(|line| Some(line.strip_prefix(&start)?.trim_end_matches("\"]").to_owned()))
        .collect()
}

#[test]
fn sound_games_have_no_faults() {
    let folder = folder();
    let file = write(&folder, "sound.pgn", SOUND);
    assert_eq!(good(&["check", &file]), "3 games, 0 faults\n");
    assert_eq!(good(&["check", &file, &file]), "6 games, 0 faults\n");
    let empty = write(&folder, "empty.pgn", "");
    assert_eq!(good(&["check", &empty]), "0 games, 0 faults\n");
}

#[test]
fn every_fault_is_one_line() {
    let folder = folder();
    let file = write(&folder, "faulty.pgn", FAULTY);
    let output = run(&["check", &file]);
    let expected = [
        "game 1, line 2: move 2. Ke5: not a legal move here",
        "game 2, line 6: Result tag `1-0`, but 0-1 behind the moves",
        "game 3, line 10: result 1/2-1/2, but White mates",
        "game 4, line 14: move 1... Ke8: the game had ended, draw by insufficient material",
        "game 5, line 18: variant `Shogi` is not a game played here: chesquerque, masonic or alquerque",
        "game 6, line 22: no result behind the moves",
    ];
    let mut lines: Vec<String> = expected.iter().map(|line| format!("{file}: {line}")).collect();
    lines.push("6 games, 6 faults\n".to_owned());
    assert_eq!(text(&output.stdout), lines.join("\n"));
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(1));
}

/// A game as people write it loses nothing, and null moves are no moves of a game.
#[test]
fn what_people_write_is_kept() {
    let folder = folder();
    let games = "\
; at the club\n[White \"a\"]\n[Result \"1-0\"]\n\n\
1. e4! $300 e6 (1... -- 2. d4 +- 1-0) 2. d4 \u{b1} 1-0 {Black resigned}\n\n\
\u{feff}[White \"b\"]\n[Result \"1/2\"]\n\n1. e4 e6 2. -- d6 \u{bd}-\u{bd}\n\n{the end}\n";
    let file = write(&folder, "games.pgn", games);
    let written = good(&["convert", &file, "--notation", "san"]);
    let moves: Vec<&str> = written.lines().filter(|line| line.contains("1. e4")).collect();
    let expected = [
        "{at the club} 1. e4 $1 {$300} 1... e6 (1... -- 2. d4 $18 {1-0}) 2. d4 $16",
        "1. e4 e6 (1... e6 2. -- d6 {the end}) 1/2-1/2",
    ];
    assert_eq!(moves, expected);
    assert!(written.contains("\n{Black resigned} 1-0\n"), "{written}");
    let output = run(&["check", &file]);
    let told = format!(
        "{file}: game 2, line 10: move 2. --: a null move, so the rest is a variation\n2 games, 1 fault\n"
    );
    assert_eq!((text(&output.stdout), output.status.code()), (told, Some(1)));
}

/// What is no part of a game is told and kept, and spoils none.
#[test]
fn stray_text_is_told_and_kept() {
    let folder = folder();
    let games = "[White \" Ann\"]\n[White \"Cleo\"]\n[Black Ben]\n[Result \"0-1\"]\n\n\
1.\u{a0}e4 e6 ) 1-0 agreed by both\n";
    let file = write(&folder, "games.pgn", games);
    let output = run(&["convert", &file, "--notation", "san"]);
    let (written, told) = (text(&output.stdout), text(&output.stderr));
    let moves = written.split_once("]\n\n").map(|(_, moves)| moves.replace('\n', " "));
    let kept = "{[White \"Cleo\"] [Black Ben] [Result \"0-1\"]} 1. e4 e6 {) agreed by both} 1-0  ";
    assert_eq!(moves.as_deref(), Some(kept));
    let first = "game 1, line 2: tag White occurs twice";
    let line = format!("qirkat: {file}: {first} and 3 more, read as a comment\n");
    assert_eq!((told, output.status.code()), (line, Some(0)));
    let checked = run(&["check", &file]);
    let lines = [
        first,
        "game 1, line 3: tag is not of the form [Name \"value\"]",
        "game 1, line 6: `)` closes nothing",
        "game 1, line 6: text in place of a move",
        "game 1, line 6: Result tag `0-1`, but 1-0 behind the moves",
    ];
    let lines = lines.map(|line| format!("{file}: {line}\n")).concat();
    assert_eq!(text(&checked.stdout), format!("{lines}1 game, 5 faults\n"));
    assert_eq!(checked.status.code(), Some(1));
    let found = run(&["filter", &file, "--player", "ann "]);
    assert_eq!(events(&text(&found.stdout), "White"), [" Ann"]);
    assert_eq!(run(&["filter", &file, "--opening", "e4 hello"]).status.code(), Some(2));
}

#[test]
fn a_file_that_cannot_be_read_is_told() {
    for task in ["check", "convert", "filter", "merge", "stats"] {
        let output = run(&[task, "/nowhere/games.pgn"]);
        assert_eq!(output.status.code(), Some(2), "{task}");
        let errors = text(&output.stderr);
        assert!(errors.starts_with("qirkat: /nowhere/games.pgn: "), "{errors}");
        assert_eq!(run(&[task]).status.code(), Some(2), "{task} without files");
    }
}

#[test]
fn a_dash_is_standard_input() {
    let output = with_input(command(&["check", "-"]), &SOUND.replace('\n', "\r\n"));
    assert_eq!(text(&output.stdout), "3 games, 0 faults\n");
}

#[test]
fn filters_choose_games() {
    let folder = folder();
    let file = write(&folder, "sound.pgn", SOUND);
    let start = "4k4/9/9/9/9/9/9/Q8/4K4 w - -";
    // Whatever the rights to castle are.
    let after_b3 = "rnbqkabnr/ppppppppp/9/9/9/9/1P7/P1PPPPPPP/RNBQKABNR b - -".to_owned();
    for (options, whites) in [
        (vec![], vec!["Anna", "Bert", "Cleo"]),
        (vec!["--player", "ANNA"], vec!["Anna", "Bert", "Cleo"]),
        (vec!["--player", "Ann"], vec![]),
        (vec!["--white", "Anna"], vec!["Anna"]),
        (vec!["--black", "Anna", "--result", "*"], vec!["Cleo"]),
        (vec!["--result", "1-0", "--result", "1/2-1/2"], vec!["Anna", "Bert"]),
        (vec!["--min-plies", "3"], vec!["Bert", "Cleo"]),
        (vec!["--max-plies", "3", "--min-plies", "2"], vec!["Cleo"]),
        (vec!["--termination", "TERMINATED"], vec!["Cleo"]),
        (vec!["--from", start], vec!["Bert"]),
        (vec!["--position", "4k4/9/9/9/9/9/9/Q3K4/9 b - -"], vec!["Bert"]),
        (vec!["--position", "4k4/9/9/9/9/9/9/Q3K4/9 w - -"], vec![]),
        (vec!["--position", &after_b3], vec!["Cleo"]),
        (vec!["--position", &after_b3, "--position", start], vec!["Bert", "Cleo"]),
        (vec!["--material", "KvKQ"], vec!["Anna", "Bert"]),
        (vec!["--material", "KRvK"], vec![]),
        (vec!["--opening", "1. b3 b7"], vec!["Cleo"]),
        (vec!["--opening", "b2b3"], vec!["Cleo"]),
        (vec!["--opening", "b2b3 b7 e2e4"], vec![]),
        (vec!["--opening", "e4", "--opening", "b3"], vec!["Cleo"]),
        (vec!["--event", "tes"], vec!["Anna", "Bert", "Cleo"]),
        (vec!["--event", "Open"], vec![]),
        (vec!["--since", "2020"], vec![]),
        (vec!["--min-elo", "0"], vec![]),
    ] {
        let arguments: Vec<&str> = ["filter", &file].into_iter().chain(options).collect();
        let out = good(&arguments);
        assert_eq!(events(&out, "White"), whites, "{arguments:?}");
    }
    let out = good(&["filter", &file, "--white", "Anna"]);
    let expected = r#"[Event "Test"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Anna"]
[Black "Bert"]
[Result "1-0"]
[Variant "Chesquerque"]
[SetUp "1"]
[FEN "9/9/7Q1/9/9/9/9/8k/7K1 w - - 0 60"]
[Termination "normal"]

60. Qi7# {#1/1 0.1s} 1-0

"#;
    assert_eq!(out, expected);
    assert_eq!(run(&["filter", &file, "--result", "2-0"]).status.code(), Some(2));
    assert_eq!(run(&["filter", &file, "--from", "nonsense"]).status.code(), Some(2));
}

#[test]
fn filters_know_dates_and_ratings() {
    let folder = folder();
    let game = |white: &str, date: &str, elos: &str| {
        format!("[White \"{white}\"]\n[Date \"{date}\"]\n{elos}\n1. e4 *\n\n")
    };
    let elos = |white: u32, black: u32| format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n");
    let games = [
        game("Anna", "2025.12.31", &elos(2000, 1800)),
        game("Bert", "2026.05.??", &elos(1500, 1700)),
        game("Cleo", "????.??.??", "[WhiteElo \"2500\"]\n[BlackElo \"-\"]\n"),
    ];
    let file = write(&folder, "games.pgn", &games.concat());
    for (options, whites) in [
        (vec!["--since", "2026"], vec!["Bert"]),
        (vec!["--since", "2026.05.20"], vec!["Bert"]),
        (vec!["--until", "2025"], vec!["Anna"]),
        (vec!["--since", "2025-12-31", "--until", "2026-04"], vec!["Anna"]),
        (vec!["--min-elo", "1600"], vec!["Anna"]),
        (vec!["--max-elo", "1900"], vec!["Bert"]),
        (vec!["--min-elo", "1500", "--max-elo", "2000"], vec!["Anna", "Bert"]),
    ] {
        let arguments: Vec<&str> = ["filter", &file].into_iter().chain(options).collect();
        assert_eq!(events(&good(&arguments), "White"), whites, "{arguments:?}");
    }
    let output = folder.path().join("out.pgn");
    let output = output.to_str().expect("UTF-8");
    assert_eq!(good(&["filter", &file, "--since", "2026", "-o", output]), "1 game written\n");
    assert_eq!(events(&fs::read_to_string(output).expect("the output"), "White"), ["Bert"]);
    for (option, value, complaint) in [
        ("--since", "31.5.2026", "not a date such as 2026.05.31, 2026.05 or 2026"),
        ("--opening", "e4 e4", "move 1... e4: not a legal move here"),
        ("--opening", "*", "not moves such as `e4 e6`"),
        ("--position", "8/8", "board: "),
        ("--material", "KRP", "not material such as KRPvKR"),
        ("--min-elo", "strong", "invalid digit"),
        ("--event", "x", "--max-elo: no game fits"),
    ] {
        let limits = ["--min-elo=9", "--max-elo=8"];
        let limits = if option == "--event" { &limits[..] } else { &[] };
        let output = run(&[&["filter", &file, option, value], limits].concat());
        let errors = text(&output.stderr);
        assert!(errors.contains(complaint) && errors.lines().count() == 1, "{errors}");
        assert_eq!(output.status.code(), Some(2), "{option} {value}");
    }
}

#[test]
fn faulty_games_are_left_out_and_told() {
    let folder = folder();
    let (sound, faulty) = (write(&folder, "s.pgn", SOUND), write(&folder, "f.pgn", FAULTY));
    let output = run(&["filter", &faulty, &sound, "--white", "Cleo"]);
    assert_eq!(events(&text(&output.stdout), "White"), ["Cleo"]);
    let errors = text(&output.stderr);
    assert!(errors.contains("game 5, line 18: variant `Shogi`"), "{errors}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn merging_keeps_all_games_or_each_once() {
    let folder = folder();
    let (a, b) = (write(&folder, "a.pgn", SOUND), write(&folder, "b.pgn", SOUND));
    let all = good(&["merge", &a, &b]);
    assert_eq!(events(&all, "White"), ["Anna", "Bert", "Cleo", "Anna", "Bert", "Cleo"]);
    let once = good(&["merge", "--unique", &a, &b]);
    assert_eq!(events(&once, "White"), ["Anna", "Bert", "Cleo"]);

    let c = write(&folder, "c.pgn", "");
    let told = good(&["merge", &a, &b, "--unique", "--output", &c]);
    assert_eq!(told, "3 games written, 3 left out as repeated\n");
    assert_eq!(fs::read_to_string(&c).expect("the output"), once);

    // What cannot be finished changes nothing.
    let output = run(&["merge", &b, "/nowhere/games.pgn", "--output", &c, "--overwrite"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&c).expect("the output"), once);
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 3);
}

/// Castling both ways, en passant, a promotion, marks and comments, as one
/// program or another writes them.
const ANNOTATED: &str = r#"[Event "Test"]
[White "Anna"]
[Black "Bert"]
[Result "*"]
[Variant "chesquerque"]
[FEN "r3k3r/P5p2/9/9/7P1/9/9/9/R3K3R w KQkq - 0 1"]
[Annotator "Cleo"]

{Rooks first.} 1. h6! g6 (1... O-O) (1... Kxa1) 2. hxg7 $16 {en passant} O-O-O
3. O-O?! Rc8 4. a9=A *
"#;

const IN_COORDINATES: &str = r#"[Event "Test"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Anna"]
[Black "Bert"]
[Result "*"]
[Variant "Chesquerque"]
[SetUp "1"]
[FEN "r3k3r/P5p2/9/9/7P1/9/9/9/R3K3R w KQkq - 0 1"]
[Annotator "Cleo"]

{Rooks first.} 1. h5h6 $1 g8g6 {[unread: (1... Kxa1)]} (1... e9h9) 2. h6g7 $16
{en passant} 2... e9b9 3. e1h1 $6 c9c8 4. a8a9a *

"#;

#[test]
fn games_are_converted() {
    let folder = folder();
    let file = write(&folder, "annotated.pgn", ANNOTATED);
    let output = run(&["convert", &file]);
    assert_eq!(text(&output.stdout), IN_COORDINATES);
    let told = format!(
        "qirkat: {file}: game 1, line 9: variation: move 1... Kxa1: not a legal move here, \
         read as a comment\n"
    );
    assert_eq!(text(&output.stderr), told);
    // `check` tells it too.
    let output_of_check = run(&["check", &file]);
    let told = format!(
        "{file}: game 1, line 9: variation: move 1... Kxa1: not a legal move here\n\
         1 game, 1 fault\n"
    );
    assert_eq!(text(&output_of_check.stdout), told);
    assert_eq!(output_of_check.status.code(), Some(1));
    assert_eq!(output.status.code(), Some(0));

    // There and back again, into files.
    let there = folder.path().join("lan.pgn");
    let there = there.to_str().expect("a path in UTF-8");
    let sound = write(&folder, "sound.pgn", SOUND);
    assert_eq!(good(&["convert", &sound, "-o", there]), "3 games written\n");
    assert_eq!(good(&["check", there]), "3 games, 0 faults\n");
    assert_eq!(good(&["convert", there, "--notation", "san"]), good(&["merge", &sound]));

    // A faulty game is told and left out.
    let faulty = write(&folder, "faulty.pgn", FAULTY);
    let output = run(&["convert", &faulty, &sound]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(events(&text(&output.stdout), "Event").len(), 4 + 3);
    assert_eq!(run(&["convert", &sound, "--notation", "uci"]).status.code(), Some(2));
}

/// Two faulty games, sound ones around them.
fn with_faulty_games() -> (String, [&'static str; 2]) {
    let faulty = [
        "[Event \"illegal\"]\n\n1. e4  {well} e6 2. Ke5 (2. d3) *",
        "[Event \"cut off\"]\n1. e4 {nobody knows",
    ];
    (format!("{SOUND}{}\n\n{}\n{SOUND}", faulty[0], faulty[1]), faulty)
}

#[test]
fn faulty_games_are_kept_beside_the_output() {
    let folder = folder();
    let (games, faulty) = with_faulty_games();
    let file = write(&folder, "games.pgn", &games);
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let kept = format!("{}\n\n{}\n\n", faulty[0], faulty[1]);
    for task in ["convert", "merge", "filter"] {
        let output = path(&format!("{task}.pgn"));
        let beside = format!("{output}.rejected.pgn");
        let done = run(&[task, &file, "--output", &output]);
        assert_eq!(text(&done.stdout), "6 games written\n", "{task}");
        assert_eq!(done.status.code(), Some(1), "{task}");
        let errors = text(&done.stderr);
        assert_eq!(errors.matches(&format!(", kept in {beside}\n")).count(), 2, "{errors}");
        assert_eq!(errors.lines().count(), 2, "{errors}");
        assert_eq!(fs::read_to_string(&beside).expect("what was kept"), kept, "{task}");
        assert_eq!(good(&["check", &output]), "6 games, 0 faults\n");
    }
    // On standard output they are only told.
    let done = run(&["convert", &file]);
    assert_eq!(text(&done.stderr).matches(", left out\n").count(), 2);
    assert_eq!(done.status.code(), Some(1));
    // What is there already stays, and no game is kept twice.
    let (output, beside) = (path("new.pgn"), path("new.pgn.rejected.pgn"));
    let before = format!("; mine\n[Event \"other\"]\n\n1. e5 *\n\n{}\n\n", faulty[0]);
    fs::write(&beside, &before).expect("room on the disk");
    run(&["merge", &file, "--output", &output]);
    let after = fs::read_to_string(&beside).expect("what was kept");
    assert_eq!(after, format!("{before}{}\n\n", faulty[1]));
    // Nothing of the kind where all games are sound, or beside a device.
    let sound = write(&folder, "sound.pgn", SOUND);
    good(&["convert", &sound, "-o", &path("good.pgn")]);
    assert!(!folder.path().join("good.pgn.rejected.pgn").exists());
    let done = run(&["convert", &file, "-o", "/dev/null"]);
    assert_eq!(text(&done.stderr).matches(", left out\n").count(), 2);
}

#[test]
fn many_faulty_games_in_a_row_are_summed_up() {
    let folder = folder();
    let many = format!("{}\n", "1. Ke5 *\n".repeat(25));
    let file = write(&folder, "many.pgn", &format!("{SOUND}{many}{SOUND}{many}"));
    for (task, lines) in
        [("check", 23), ("convert", 22), ("merge", 22), ("filter", 22), ("stats", 22)]
    {
        let output = run(&[task, &file]);
        let told = if task == "check" { text(&output.stdout) } else { text(&output.stderr) };
        assert_eq!(told.lines().count(), lines, "{task}: {told}");
        assert_eq!(told.matches("15 faulty games more, up to line ").count(), 2, "{told}");
        assert_eq!(output.status.code(), Some(1));
    }
    let told = text(&run(&["check", &file]).stdout);
    assert!(told.ends_with("56 games, 50 faults\n"), "{told}");
    // A text that is no PGN gets one line.
    let foreign = write(&folder, "readme.md", &"# A title\n\nWords *and* others.\n".repeat(20));
    let output = run(&["convert", &foreign]);
    let told = text(&output.stderr);
    assert!(told.contains(" games, none of them can be read (game 1, line 1: "), "{told}");
    assert_eq!((told.lines().count(), output.status.code()), (1, Some(1)), "{told}");
}

#[test]
fn other_files_are_refused_in_a_line() {
    let folder = folder();
    let put = |name: &str, bytes: &[u8]| {
        fs::write(folder.path().join(name), bytes).expect("room on the disk");
        folder.path().join(name).to_str().expect("UTF-8").to_owned()
    };
    let wide: Vec<u8> = SOUND.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder_name = folder.path().to_str().expect("UTF-8").to_owned();
    for (file, complaint) in [
        (
            put("wide.pgn", &[b"\xFF\xFE", &wide[..]].concat()),
            ": the text is UTF-16; save it as UTF-8",
        ),
        (
            put("games.pgn.gz", b"\x1F\x8B\x08\x00garbage"),
            ": compressed with gzip; unpack it first",
        ),
        (
            put("program", &b"\x7FELF\x02\x01\x00\x00\n* * 1-0\n".repeat(1000)),
            ": not a text, and no PGN",
        ),
        (folder_name, " is a folder, not a file"),
    ] {
        for task in ["check", "convert", "filter", "merge", "stats"] {
            let output = run(&[task, &file]);
            let errors = text(&output.stderr);
            assert!(errors.contains(complaint) && errors.lines().count() == 1, "{task}: {errors}");
            assert_eq!(output.status.code(), Some(2), "{task} {file}");
        }
    }
    let empty = put("empty.pgn", b"");
    for task in ["convert", "filter", "merge"] {
        let output = run(&[task, &empty]);
        assert_eq!(text(&output.stderr), format!("qirkat: there is no game in {empty}\n"));
        assert_eq!(output.status.code(), Some(2), "{task}");
    }
    // Zero bytes behind a game, as a power cut leaves them, are none of its business.
    let torn = put("torn.pgn", format!("{SOUND}{}", "\0".repeat(4096)).as_bytes());
    assert_eq!(good(&["check", &torn]), "3 games, 0 faults\n");
}

/// Games of orthodox chess are the first that many people try.
#[test]
fn orthodox_games_are_told_as_such() {
    let folder = folder();
    for (moves, is_told) in [("1. e4 e5 2. Nf3 *", true), ("1. e4 e6 2. d3 d7 3. e9 *", false)] {
        let file = write(&folder, "games.pgn", moves);
        let said = text(&run(&["check", &file]).stdout);
        let hint = "not a legal move here (orthodox chess is not played here)";
        assert!(said.contains("1 fault") && said.contains(hint) == is_told, "{said}");
        let sound = write(&folder, "games.pgn", &format!("{SOUND}\n{moves}"));
        assert!(!text(&run(&["check", &sound]).stdout).contains("orthodox"), "{moves}");
    }
}

/// Clocks, values, arrows and marked points of lichess and others.
#[test]
fn commands_in_comments_survive() {
    let folder = folder();
    let commands =
        "[%clk 0:01:02] [%eval -0.35,18] [%cal Ge2e4,Rd1d4,Bd9d6] [%csl Gd4,Re5] [%emt 0:00:07] so";
    let pgn = format!("1. e4 {{{commands}}} (1. d4 {{{commands}}}) 1... e6 {{[%eval #-3]}} *\n");
    let file = write(&folder, "games.pgn", &pgn);
    for arguments in [
        vec!["convert", &file, "--notation", "san"],
        vec!["merge", &file, "--unique"],
        vec!["filter", &file, "--min-plies", "2"],
    ] {
        let out = good(&arguments);
        let (_, moves) = out.split_once("\n\n").expect("moves");
        let flat = moves.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(flat, pgn.trim_end(), "{arguments:?}");
        // No command goes over the end of a line.
        assert!(moves.lines().all(|line| line.matches('[').count() == line.matches(']').count()));
    }
}

#[test]
fn statistics_are_counted() {
    let folder = folder();
    let file = write(&folder, "sound.pgn", SOUND);
    let expected = "\
Games: 3
  White wins       1  33.3%
  Draws            1  33.3%
  Black wins       0   0.0%
  Unfinished       1  33.3%
Plies: 4.0 on average, 8 at most

Termination    Games
adjudication       1  33.3%
normal             1  33.3%
unterminated       1  33.3%

Player   Games    Wins   Draws  Losses   Score
Anna         3       1       1       0   75.0%
Bert         2       0       1       1   25.0%
Cleo         1       0       0       0       -

First move   Games    Wins   Draws  Losses   Score
Qi7#             1       1       0       0  100.0%
Ke2              1       0       1       0   50.0%
b3               1       0       0       0       -
";
    assert_eq!(good(&["stats", &file]), expected);

    let json = good(&["stats", "--json", &file]);
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["games"], 3);
    assert_eq!(value["results"]["white_wins"], 1);
    assert_eq!(value["plies"]["average"], 4.0);
    assert_eq!(value["players"][0]["name"], "Anna");
    assert_eq!(value["players"][0]["score"], 75.0);
    assert_eq!(value["players"][2]["score"], serde_json::Value::Null);
    assert_eq!(value["first_moves"][0]["name"], "Qi7#");
    assert_eq!(value["first_moves"][1]["score"], 50.0);

    let empty = write(&folder, "empty.pgn", "");
    assert_eq!(good(&["stats", &empty]), "Games: 0\n");
}

#[test]
fn a_reader_that_leaves_is_told_nothing() {
    let folder = folder();
    let file = write(&folder, "many.pgn", &SOUND.repeat(2_000));
    let mut child = command(&["filter", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(141));
}
