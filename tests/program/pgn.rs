use crate::match_games::games::tags;
use crate::run::{Ended, Folder};

/// A white win by mate, a draw by repetition, and an unfinished game.
const SOUND: &str = include_str!("games/sound.pgn");
const FAULTY: &str = include_str!("games/faulty.pgn");

const TASKS: [&str; 9] = [
    "check",
    "convert",
    "epd",
    "filter",
    "merge",
    "ratings",
    "sort --by White",
    "split --by-player --output part.pgn",
    "stats",
];

fn with_games() -> Folder {
    Folder::with([("sound.pgn", SOUND), ("faulty.pgn", FAULTY), ("empty.pgn", "")])
}

fn pgn(folder: &Folder, line: &str) -> String {
    folder.good(&format!("pgn {line}"))
}

#[test]
fn every_fault_is_reported_in_one_line() {
    let folder = with_games();
    for (files, told) in [
        ("sound.pgn", "3 games, 0 faults\n"),
        ("sound.pgn sound.pgn", "6 games, 0 faults\n"),
        ("empty.pgn", "0 games, 0 faults\n"),
    ] {
        assert_eq!(pgn(&folder, &format!("check {files}")), told);
    }
    let with_returns = folder.fed("pgn check -", &SOUND.replace('\n', "\r\n"));
    assert_eq!(with_returns.out, "3 games, 0 faults\n");
    let lines = [
        "game 1, line 2: move 2. Ke5: not a legal move here",
        "game 2, line 6: Result tag `1-0`, but 0-1 after the moves",
        "game 3, line 10: result 1/2-1/2, but White mates",
        "game 4, line 14: move 1... Ke8: the game had ended, draw by insufficient material",
        "game 5, line 18: variant `Shogi` is not one of the games chesquerque, masonic and alquerque",
        "game 6, line 22: no result after the moves",
    ];
    let lines = lines.map(|line| format!("faulty.pgn: {line}\n")).concat();
    let Ended { out, err, .. } = folder.ends(1, "pgn check faulty.pgn");
    assert_eq!((out, err.as_str()), (lines + "6 games, 6 faults\n", ""));
}

#[test]
fn stray_text_is_reported_and_kept() {
    let games = "[White \" Ann\"]\n[White \"Cleo\"]\n[Black Ben]\n[Result \"0-1\"]\n\n\
1.\u{a0}e4 e6 ) 1-0 agreed by both\n";
    let folder = Folder::with([("games.pgn", games)]);
    let Ended { out, err, .. } = folder.ends(0, "pgn convert games.pgn --notation san");
    assert!(out.contains(" 1. e4 e6 {) agreed by both}"), "{out}");
    let first = "game 1, line 2: tag White occurs twice";
    assert_eq!(err, format!("qirkat: games.pgn: {first} and 3 more, read as a comment\n"));
    let checked = folder.ends(1, "pgn check games.pgn").out;
    assert!(checked.contains(first) && checked.ends_with("\n1 game, 5 faults\n"), "{checked}");
    let found = folder.run("pgn filter games.pgn --player 'ann '");
    assert_eq!(tags(&found.out, "White"), [" Ann"]);
}

#[test]
fn filters_select_games() {
    let folder = with_games();
    let start = "4k4/9/9/9/9/9/9/Q8/4K4 w - -";
    // Whatever the castling rights.
    let after_b3 = "rnbqkabnr/ppppppppp/9/9/9/9/1P7/P1PPPPPPP/RNBQKABNR b - -";
    for (options, whites) in [
        ("", "Anna Bert Cleo"),
        ("--player ANNA", "Anna Bert Cleo"),
        ("--player Ann", ""),
        ("--white Anna", "Anna"),
        ("--black Anna --result *", "Cleo"),
        ("--result 1-0 --result 1/2-1/2", "Anna Bert"),
        ("--min-plies 3", "Bert Cleo"),
        ("--max-plies 3 --min-plies 2", "Cleo"),
        ("--termination TERMINATED", "Cleo"),
        ("--from 'START'", "Bert"),
        ("--position '4k4/9/9/9/9/9/9/Q3K4/9 b - -'", "Bert"),
        ("--position '4k4/9/9/9/9/9/9/Q3K4/9 w - -'", ""),
        ("--position 'AFTER_B3'", "Cleo"),
        ("--position 'AFTER_B3' --position 'START'", "Bert Cleo"),
        ("--material KvKQ", "Anna Bert"),
        ("--material KRvK", ""),
        ("--opening '1. b3 b7'", "Cleo"),
        ("--opening b2b3", "Cleo"),
        ("--opening 'b2b3 b7 e2e4'", ""),
        ("--opening e4 --opening b3", "Cleo"),
        ("--event tes", "Anna Bert Cleo"),
        ("--event Open", ""),
        ("--since 2020", ""),
        ("--min-elo 0", ""),
    ] {
        let line = format!("filter sound.pgn {options}");
        let out = pgn(&folder, &line.replace("START", start).replace("AFTER_B3", after_b3));
        assert_eq!(tags(&out, "White").join(" "), whites, "{line}");
    }
    let out = pgn(&folder, "filter sound.pgn --white Anna");
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
}

#[test]
fn filters_compare_dates_and_ratings() {
    let game = |white: &str, date: &str, elos: &str| {
        format!("[White \"{white}\"]\n[Date \"{date}\"]\n{elos}\n1. e4 *\n\n")
    };
    let elos = |white: u32, black: u32| format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n");
    let games = [
        game("Anna", "2025.12.31", &elos(2000, 1800)),
        game("Bert", "2026.05.??", &elos(1500, 1700)),
        game("Cleo", "????.??.??", "[WhiteElo \"2500\"]\n[BlackElo \"-\"]\n"),
    ];
    let folder = Folder::with([("games.pgn", games.concat())]);
    for (options, whites) in [
        ("--since 2026", "Bert"),
        ("--since 2026.05.20", "Bert"),
        ("--until 2025", "Anna"),
        ("--since 2025-12-31 --until 2026-04", "Anna"),
        ("--min-elo 1600", "Anna"),
        ("--max-elo 1900", "Bert"),
        ("--min-elo 1500 --max-elo 2000", "Anna Bert"),
    ] {
        let out = pgn(&folder, &format!("filter games.pgn {options}"));
        assert_eq!(tags(&out, "White").join(" "), whites, "{options}");
    }
    assert_eq!(pgn(&folder, "filter games.pgn --since 2026 -o out.pgn"), "1 game written\n");
    assert_eq!(tags(&folder.read("out.pgn"), "White"), ["Bert"]);
}

#[test]
fn merging_keeps_all_games_or_each_once() {
    let folder = with_games();
    let all = pgn(&folder, "merge sound.pgn sound.pgn");
    assert_eq!(tags(&all, "White"), ["Anna", "Bert", "Cleo", "Anna", "Bert", "Cleo"]);
    let once = pgn(&folder, "merge --unique sound.pgn sound.pgn");
    assert_eq!(tags(&once, "White"), ["Anna", "Bert", "Cleo"]);
    let told = pgn(&folder, "merge sound.pgn sound.pgn --unique --output empty.pgn");
    assert_eq!(told, "3 games written, 3 left out as repeated\n");
    assert_eq!(folder.read("empty.pgn"), once);

    // A failed command changes nothing.
    folder.ends(2, "pgn merge sound.pgn /nowhere/games.pgn --output empty.pgn --overwrite");
    assert_eq!(folder.read("empty.pgn"), once);
    assert_eq!(folder.names().len(), 3);
}

#[test]
fn games_with_the_same_moves_are_left_out() {
    let folder = with_games();
    folder.write("renamed.pgn", SOUND.replace("Anna", "Zoe").replace("Termination", "Source"));
    let merge = "merge sound.pgn renamed.pgn renamed.pgn -o out.pgn --overwrite";
    for (unique, written, left_out) in [("unique", 5, 4), ("unique-moves", 3, 6)] {
        let told = pgn(&folder, &format!("{merge} --{unique}"));
        let expected = format!("{written} games written, {left_out} left out as repeated\n");
        assert_eq!(told, expected, "{unique}");
    }
}

#[test]
fn parts_of_games_are_dropped() {
    let movetext = "{A [%csl Re4] game} 1. e4 $1 {[%clk 1:02] bold [%eval 0.1]} \
                    (1. d4 $2 {[%emt 1]} 1... d7 {solid}) 1... e6 *";
    let folder = Folder::with([("games.pgn", movetext)]);
    for (drop, left) in [
        (
            "comments",
            "{[%csl Re4]} 1. e4 $1 {[%clk 1:02] [%eval 0.1]} (1. d4 $2 {[%emt 1]} 1... d7)",
        ),
        ("clocks", "{A [%csl Re4] game} 1. e4 $1 {[%eval 0.1] bold} (1. d4 $2 d7 {solid})"),
        ("variations", "{A [%csl Re4] game} 1. e4 $1 {[%clk 1:02] bold [%eval 0.1]}"),
        (
            "nags",
            "{A [%csl Re4] game} 1. e4 {[%clk 1:02] bold [%eval 0.1]} (1. d4 {[%emt 1]} 1... d7 {solid})",
        ),
        ("comments,clocks,variations --drop nags", "{[%csl Re4]} 1. e4 {[%eval 0.1]}"),
    ] {
        let out = pgn(&folder, &format!("merge games.pgn --drop {drop}"));
        let moves = out.split_once("]\n\n").map(|(_, moves)| moves.trim_end().replace('\n', " "));
        assert_eq!(moves, Some(format!("{left} 1... e6 *")), "{drop}");
    }
}

#[test]
fn games_are_sorted_by_tags() {
    let tags_of = [("b", "2", "2026.05.31"), ("A", "10", "2026.05.??"), ("c", "9", "????.??.??")];
    let game = |(event, round, date)| {
        format!("[Event \"{event}\"]\n[Round \"{round}\"]\n[Date \"{date}\"]\n\n1. e4 *\n\n")
    };
    let text: String = tags_of.map(game).concat() + "[Event \"a\"]\n[Round \"-\"]\n\n1. d4 1-0\n\n";
    let folder = Folder::with([("games.pgn", text)]);
    for (by, events) in [
        ("--by Event", "A a b c"),
        ("--by event --reverse", "c b A a"),
        ("--by Round", "b c A a"),
        ("--by Round --reverse", "A c b a"),
        ("--by Date", "b A c a"),
        ("--by Result", "b A c a"),
        ("--by Result --reverse", "a b A c"),
    ] {
        let out = pgn(&folder, &format!("sort games.pgn {by}"));
        assert_eq!(tags(&out, "Event").join(" "), events, "{by}");
    }
}

#[test]
fn games_are_split() {
    let folder = with_games();
    folder.write("odd.pgn", "[White \"../Eve/\u{e9}\"]\n[Black \"..|Eve/\u{e9}\"]\n1. e4 *\n");
    let before = folder.names().join(" ");
    let told = pgn(&folder, "split sound.pgn odd.pgn --by-player -o by.pgn");
    assert_eq!(told, "4 games written to 5 files\n");
    let expected = format!(
        "by-..%2feve%2f\u{e9}.pgn by-..%7ceve%2f\u{e9}.pgn by-anna.pgn by-bert.pgn by-cleo.pgn {before}"
    );
    assert_eq!(folder.names().join(" "), expected);
    assert_eq!(tags(&folder.read("by-anna.pgn"), "White"), ["Anna", "Bert", "Cleo"]);
    assert_eq!(tags(&folder.read("by-bert.pgn"), "White"), ["Anna", "Bert"]);
    let told = pgn(&folder, "split sound.pgn sound.pgn --games 4 -o n.pgn.gz");
    assert_eq!(told, "6 games written to 2 files\n");
    let parts = pgn(&folder, "merge n-1.pgn.gz n-2.pgn.gz");
    assert_eq!(parts, pgn(&folder, "merge sound.pgn sound.pgn"));
    assert!(pgn(&folder, "check n-2.pgn.gz").starts_with("2 games, "));

    // Nothing is replaced, and nothing is left of what fails.
    let before = folder.names();
    folder.refuse("pgn split sound.pgn --games 4 -o n.pgn.gz", "n-1.pgn.gz already exists: ");
    folder.refuse("pgn split sound.pgn /nowhere/x.pgn --by-player -o new.pgn", "/nowhere/x.pgn");
    folder
        .refuse("pgn split by-anna.pgn --by-player --overwrite -o by.pgn", "by-anna.pgn is read: ");
    folder.refuse("pgn split sound.pgn --games 1 -o .", ". is a folder: name files in it");
    folder.ends(2, "pgn split sound.pgn -o new.pgn");
    folder.refuse("pgn split sound.pgn /nowhere/x.pgn --games 1 -o new.pgn", "/nowhere/x.pgn");
    assert_eq!(folder.names(), before);
    // Two that would write the same files do not mix them.
    let held = std::fs::File::create(folder.path("new.pgn.part")).expect("room");
    held.lock().expect("a lock");
    folder
        .refuse("pgn split sound.pgn --games 1 -o new.pgn", "new.pgn: it is being written already");
    drop(held);
}

#[test]
fn positions_of_games_are_printed() {
    let folder = Folder::with([(
        "games.pgn",
        "{before} 1. e4 (1. d4 {not this}) e6 {a \"good\" reply; solid} 2. d3 *\n\n1. b3 *",
    )]);
    let lines = |options: &str| -> Vec<String> {
        pgn(&folder, &format!("epd games.pgn {options}")).lines().map(str::to_owned).collect()
    };
    let all = lines("");
    assert_eq!(all.len(), 4 + 2);
    assert_eq!(all[0], "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - c0 \"before\";");
    assert!(all[2].ends_with(" w KQkq - c0 \"a 'good' reply; solid\";"), "{}", all[2]);
    assert_eq!(lines("--last"), [all[3].clone(), all[5].clone()]);
    assert_eq!(lines("--commented"), [all[0].clone(), all[2].clone()]);
    assert_eq!(pgn(&folder, "epd games.pgn -o all.epd.zst"), "6 positions written\n");
    let analysed = folder.good("analyse --epd all.epd.zst --depth 1");
    assert_eq!(analysed.lines().count(), 6);
}

#[test]
fn compressed_games_are_read_and_written() {
    let folder = with_games();
    for name in ["out.pgn.gz", "out.pgn.zst"] {
        assert_eq!(pgn(&folder, &format!("merge sound.pgn -o {name}")), "3 games written\n");
        let bytes = folder.bytes(name);
        assert!(bytes.len() < SOUND.len(), "{name}");
        folder.write("plain-name.pgn", [&bytes[..], &bytes].concat());
        assert_eq!(pgn(&folder, "check plain-name.pgn"), "6 games, 0 faults\n");
        let mut command = folder.command("pgn check -");
        command.stdin(std::fs::File::open(folder.path(name)).expect("it is there"));
        let out = command.output().expect("it runs").stdout;
        assert_eq!(String::from_utf8_lossy(&out), "3 games, 0 faults\n", "{name}");
        let said = folder.good(&format!("analyse --pgn {name} --game 3 --depth 1"));
        assert!(said.contains("Best move: "));

        // What is cut off replaces nothing.
        folder.write("cut.pgn", &bytes[..bytes.len() - 3]);
        let refused = folder.ends(2, &format!("pgn merge cut.pgn -o {name} --overwrite"));
        assert!(refused.err.contains("cut.pgn: cannot be unpacked: "), "{}", refused.err);
        assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
        assert_eq!(folder.bytes(name), bytes);
    }
    let kept = "a file that grows with each result is not compressed";
    folder.refuse("annotate sound.pgn -o new.pgn.gz", kept);
    let plays = "match -engine cmd=QIRKAT name=a -engine cmd=QIRKAT name=b -each nodes=1 -pgnout file=new.pgn.gz";
    assert!(folder.ends(2, plays).err.contains(kept));
    assert!(!folder.has("new.pgn.gz"));
}

/// Castling both ways, en passant, a promotion, NAGs and comments, as various programs write them.
const ANNOTATED: &str = include_str!("games/annotated.pgn");
const IN_COORDINATES: &str = include_str!("games/in_coordinates.pgn");

#[test]
fn games_are_converted() {
    let folder = with_games();
    folder.write("annotated.pgn", ANNOTATED);
    let converted = folder.ends(0, "pgn convert annotated.pgn");
    assert_eq!(converted.out, IN_COORDINATES);
    let told = "annotated.pgn: game 1, line 9: variation: move 1... Kxa1: not a legal move here";
    assert_eq!(converted.err, format!("qirkat: {told}, read as a comment\n"));
    // `check` reports it too.
    let checked = folder.ends(1, "pgn check annotated.pgn");
    assert_eq!(checked.out, format!("{told}\n1 game, 1 fault\n"));

    // Both directions, into files.
    assert_eq!(pgn(&folder, "convert sound.pgn -o lan.pgn"), "3 games written\n");
    assert_eq!(pgn(&folder, "check lan.pgn"), "3 games, 0 faults\n");
    let back = pgn(&folder, "convert lan.pgn --notation san");
    assert_eq!(back, pgn(&folder, "merge sound.pgn"));

    // A faulty game is reported and left out.
    let converted = folder.ends(1, "pgn convert faulty.pgn sound.pgn");
    assert_eq!(tags(&converted.out, "Event").len(), 4 + 3);
    let filtered = folder.ends(1, "pgn filter faulty.pgn sound.pgn --white Cleo");
    assert_eq!(tags(&filtered.out, "White"), ["Cleo"]);
    assert!(filtered.err.contains("game 5, line 18: variant `Shogi`"), "{}", filtered.err);
}

#[test]
fn faulty_games_are_kept_beside_the_output() {
    let faulty = [
        "[Event \"illegal\"]\n\n1. e4  {well} e6 2. Ke5 (2. d3) *",
        "[Event \"cut off\"]\n1. e4 {nobody knows",
    ];
    let folder = with_games();
    folder.write("games.pgn", format!("{SOUND}{}\n\n{}\n{SOUND}", faulty[0], faulty[1]));
    for task in ["convert", "merge", "filter"] {
        let done = folder.ends(1, &format!("pgn {task} games.pgn --output {task}.pgn"));
        assert_eq!(done.out, "6 games written\n", "{task}");
        let beside = format!("{task}.pgn.rejected.pgn");
        assert_eq!(done.err.matches(&format!(", saved in {beside}\n")).count(), 2, "{}", done.err);
        assert_eq!(done.err.lines().count(), 2, "{}", done.err);
        assert_eq!(folder.read(&beside), format!("{}\n\n{}\n\n", faulty[0], faulty[1]), "{task}");
        assert_eq!(pgn(&folder, &format!("check {task}.pgn")), "6 games, 0 faults\n");
    }
    // On standard output or a device, they are only reported.
    for more in ["", "-o /dev/null"] {
        let done = folder.ends(1, &format!("pgn convert games.pgn {more}"));
        assert_eq!(done.err.matches(", left out\n").count(), 2);
    }
    // Existing content stays, and no game is saved twice.
    let before = format!("; mine\n[Event \"other\"]\n\n1. e5 *\n\n{}\n\n", faulty[0]);
    folder.write("new.pgn.rejected.pgn", &before);
    folder.ends(1, "pgn merge games.pgn --output new.pgn");
    assert_eq!(folder.read("new.pgn.rejected.pgn"), format!("{before}{}\n\n", faulty[1]));
    // No such file where all games are valid.
    pgn(&folder, "convert sound.pgn -o good.pgn");
    assert!(!folder.has("good.pgn.rejected.pgn"));
}

#[test]
fn many_faulty_games_in_a_row_are_summed_up() {
    let many = format!("{}\n", "1. Ke5 *\n".repeat(25));
    let folder = Folder::with([("many.pgn", format!("{SOUND}{many}{SOUND}{many}"))]);
    for task in TASKS {
        let Ended { out, err, .. } = folder.ends(1, &format!("pgn {task} many.pgn"));
        let told = if task == "check" { out } else { err };
        // The last counts the faults, or the games without a result.
        let lines = if ["check", "ratings"].contains(&task) { 23 } else { 22 };
        assert_eq!(told.lines().count(), lines, "{task}: {told}");
        assert_eq!(told.matches("15 faulty games more, up to line ").count(), 2, "{told}");
        assert!(task != "check" || told.ends_with("56 games, 50 faults\n"), "{told}");
    }
    // A text that is not PGN is reported in one line.
    folder.write("readme.md", "# A title\n\nWords *and* others.\n".repeat(20));
    let told = folder.ends(1, "pgn convert readme.md").err;
    assert!(told.contains(" games, none readable (game 1, line 1: "), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
}

#[test]
fn other_files_are_refused_in_a_line() {
    let folder = with_games();
    let wide: Vec<u8> = SOUND.encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("wide.pgn", [b"\xFF\xFE", &wide[..]].concat());
    folder.write("games.pgn.gz", b"\x1F\x8B\x08\x00garbage");
    folder.write("games.pgn.bz2", b"BZh91AY&SY");
    folder.write("program", b"\x7FELF\x02\x01\x00\x00\n* * 1-0\n".repeat(1000));
    for task in TASKS {
        folder.refuse_all(
            &format!("pgn {task}"),
            &[
                ("wide.pgn", ": the text is UTF-16; save it as UTF-8"),
                ("games.pgn.gz", "games.pgn.gz: cannot be unpacked: "),
                ("games.pgn.bz2", ": compressed with bzip2; unpack it first"),
                ("program", ": not a text file, so not PGN"),
                (".", " is a folder, not a file"),
                ("/nowhere/games.pgn", "qirkat: /nowhere/games.pgn: "),
                ("", ""),
            ],
        );
    }
    for task in ["convert", "epd", "filter", "merge", "sort --by White"] {
        folder.refuse(&format!("pgn {task} empty.pgn"), "qirkat: there is no game in empty.pgn\n");
    }
    // Zero bytes after a game, as a power cut leaves them, are ignored.
    folder.write("torn.pgn", SOUND.to_owned() + &"\0".repeat(4096));
    assert_eq!(pgn(&folder, "check torn.pgn"), "3 games, 0 faults\n");
}

#[test]
fn orthodox_games_are_recognised() {
    let folder = Folder::new();
    for (moves, is_told) in [("1. e4 e5 2. Nf3 *", true), ("1. e4 e6 2. d3 d7 3. e9 *", false)] {
        folder.write("games.pgn", moves);
        let said = folder.run("pgn check games.pgn").out;
        let hint = "not a legal move here (orthodox chess is not played here)";
        assert!(said.contains("1 fault") && said.contains(hint) == is_told, "{said}");
        folder.write("games.pgn", format!("{SOUND}\n{moves}"));
        assert!(!folder.run("pgn check games.pgn").out.contains("orthodox"), "{moves}");
    }
}

#[test]
fn statistics_are_counted() {
    let folder = with_games();
    let expected = "\
Games: 3
  White wins       1  33.3%
  Draws            1  33.3%
  Black wins       0   0.0%
  Unfinished       1  33.3%
Plies: 4.0 on average, 8 at most

Termination   Games
adjudication      1  33.3%
normal            1  33.3%
unterminated      1  33.3%

Player  Games  Wins  Draws  Losses  Score
Anna        3     1      1       0  75.0%
Bert        2     0      1       1  25.0%
Cleo        1     0      0       0      -

First move  Games  Wins  Draws  Losses   Score
Qi7#            1     1      0       0  100.0%
Ke2             1     0      1       0   50.0%
b3              1     0      0       0       -
";
    assert_eq!(pgn(&folder, "stats sound.pgn"), expected);
    assert_eq!(pgn(&folder, "stats empty.pgn"), "Games: 0\n");

    let json = pgn(&folder, "stats --json sound.pgn");
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    for (pointer, expected) in [
        ("/games", serde_json::json!(3)),
        ("/results/white_wins", 1.into()),
        ("/plies/average", 4.0.into()),
        ("/players/0/name", "Anna".into()),
        ("/players/0/score", 75.0.into()),
        ("/players/2/score", serde_json::Value::Null),
        ("/first_moves/0/name", "Qi7#".into()),
        ("/first_moves/1/score", 50.0.into()),
    ] {
        assert_eq!(value.pointer(pointer), Some(&expected), "{pointer}");
    }
}

#[test]
fn players_are_rated() {
    let game = |white: &str, black: &str, result: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 e6 {result}\n\n")
    };
    let games = [
        ("Ann", "Ben", "1-0"),
        ("ben ", "Ann", "0-1"),
        ("Ann", "Ben", "1-0"),
        ("Ben", "Ann", "1-0"),
        ("Ann", "Ben", "*"),
        ("?", "Ben", "1-0"),
        ("Ann", "ann", "1-0"),
    ];
    let text: String = games.map(|(white, black, result)| game(white, black, result)).concat();
    let other = "[Variant \"Alquerque\"]\n[White \"Ann\"]\n[Black \"Cleo\"]\n\n1. b2c3 1/2-1/2\n";
    let folder =
        Folder::with([("games.pgn", text.as_str()), ("other.pgn", other), ("empty.pgn", "")]);
    // Three points of four: 400 log10(3), and half of it from the average.
    let list = |line: &str| -> Vec<Vec<String>> {
        let out = folder.play(&format!("pgn {line}"));
        let rows = out.lines().skip_while(|line| !line.starts_with("Rank")).skip(1).take(2);
        rows.map(|row| row.split_whitespace().map(str::to_owned).collect()).collect()
    };
    for (line, ann, ben) in [
        ("ratings games.pgn", "95.4", "-95.4"),
        ("ratings games.pgn --anchor ben", "190.8", "0.0"),
        ("ratings games.pgn --anchor Ann=2000", "2000.0", "1809.2"),
        ("ratings games.pgn games.pgn --anchor Ann=2000.5", "2000.5", "1809.7"),
    ] {
        let rows = list(line);
        assert_eq!([&rows[0][1], &rows[0][2]], ["Ann", ann], "{line}");
        assert_eq!([&rows[1][1], &rows[1][2]], ["Ben", ben], "{line}");
        assert_eq!(rows[1].last().map(String::as_str), Some("-"), "{line}");
    }
    let json = folder.play("pgn ratings --json games.pgn other.pgn");
    let values: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((values.len(), &values[1]["game"]), (2, &"Alquerque".into()));
    assert_eq!(values[0]["players"][0]["wins"], 3);
    assert_eq!(values[0]["meetings"][0]["estimate"]["score"], 0.75);
    let Ended { out, err, .. } = folder.ends(0, "pgn ratings games.pgn other.pgn");
    assert_eq!(
        err,
        "qirkat: 1 game without the names of both players left out\n\
         qirkat: 1 game of a player against themselves left out\n\
         qirkat: 1 game without a result left out\n"
    );
    assert!(out.starts_with("Chesquerque\n") && out.contains("\nAlquerque\n"), "{out}");
    assert!(out.contains("\nResults of Ann vs Cleo:\nElo: 0.00"), "{out}");
    for (line, told) in [
        ("other.pgn --anchor Dora=3", "--anchor: no player is called \"Dora\""),
        ("other.pgn --anchor Ann=strong", "--anchor: \"strong\" is no rating"),
    ] {
        folder.refuse(&format!("pgn ratings {line}"), told);
    }
    // One game has the anchor, the other not.
    let Ended { out, err, .. } = folder.ends(0, "pgn ratings games.pgn other.pgn --anchor cleo=9");
    assert!(err.ends_with(" nobody is called that in the games of Chesquerque\n"), "{err}");
    assert!(out.contains("  Cleo  9.0 +/- 0.0 "), "{out}");
}

/// Number and opening tell which games are a pair, in any order, and in a match played twice.
#[test]
fn games_are_rated_in_pairs_whatever_their_order() {
    let pair = |opening: &str, results: [&str; 2]| {
        [("Ann", "Ben", results[0]), ("Ben", "Ann", results[1])].map(|(white, black, result)| {
            format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[GamePair \"1\"]\n\n\
                 1. {opening} {{book}} e6 {{+0.10/3}} {result}\n\n"
            )
        })
    };
    let [[one, two], [three, four]] = [pair("e4", ["1-0", "0-1"]), pair("d4", ["1/2-1/2", "1-0"])];
    let folder = Folder::with([
        ("one.pgn", [one.as_str(), &two].concat()),
        ("other.pgn", [three.as_str(), &four].concat()),
        ("joined.pgn", [four.as_str(), &one, &three, &two].concat()),
        ("again.pgn", pair("e4", ["0-1", "1-0"]).concat()),
    ]);
    let counts = |files| folder.play(&format!("pgn ratings {files}"));
    for files in ["one.pgn other.pgn", "other.pgn one.pgn", "joined.pgn"] {
        assert!(counts(files).contains("\nPtnml(0-2): [0, 1, 0, 0, 1]\n"), "{files}");
    }
    assert!(counts("one.pgn again.pgn").contains("\nPtnml(0-2): [1, 0, 0, 0, 1]\n"));
}

#[test]
fn a_closed_output_is_not_reported() {
    let folder = Folder::with([("many.pgn", SOUND.repeat(1_000))]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = folder.command("pgn filter many.pgn").stdout(writer).output().expect("it ends");
    assert_eq!((output.stderr, output.status.code()), (Vec::new(), Some(141)));
}
