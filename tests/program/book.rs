use std::fs;

use serde_json::Value;

use crate::run::Folder;

const BUILD: &str = "book build --game masonic --nodes 30";

#[test]
fn books_are_built() {
    let folder = Folder::new();
    let whole = format!("{BUILD} --output whole --positions 1000 --threads 1");
    let out = folder.good(&whole);
    let built = out.strip_prefix("whole: ").and_then(|it| it.strip_suffix(" positions, 0 games\n"));
    assert!(built.expect(&out).parse::<u32>().expect(&out) >= 1000, "{out}");
    // As a run is left that was ended in its second round, within a line.
    let searches = folder.read("whole.results");
    let cut = searches.find("\n\n").expect("a first round") + 3000;
    fs::copy(folder.path("whole.build.toml"), folder.path("cut.build.toml")).expect("settings");
    folder.write("cut.results", &searches[..cut]);
    let resumed =
        folder.ends(0, &format!("{BUILD} --output cut --positions 1000 --threads 3 --resume"));
    assert!(resumed.err.starts_with("qirkat: cut.results: cut off "), "{}", resumed.err);
    assert_eq!(folder.bytes("cut"), folder.bytes("whole"));
    assert_eq!(folder.read("cut.results"), searches);
    // One file that is wanted larger.
    folder.good(&format!("{BUILD} --output part --positions 1"));
    folder.good(&format!("{BUILD} --output part --positions 1000 --resume"));
    assert_eq!(folder.bytes("part"), folder.bytes("whole"));
    folder.refuse_all(
        "book build --game masonic --output whole",
        &[
            ("--nodes 30", "whole.results already exists; continue it with --resume"),
            ("--nodes 40 --resume", "other settings: --nodes was `30`, is now `40`"),
            ("--nodes 30 --resume --eval-file <none>", "network of --eval-file was"),
            ("--nodes 30 --resume --games missing", "missing: No such file"),
        ],
    );
    let lines: Vec<&str> = searches.lines().collect();
    for (text, complaint) in [
        (searches.replacen("; ", "; a1a9 cp 1; ", 1), "line 1: not a position with a score"),
        (format!("{}\n\n", lines[2]), "line 1: not a position at the end of a line so far"),
        (format!("{}\n\n{}\n", lines[0], lines[3]), "not what is searched next"),
    ] {
        folder.write("cut.results", text);
        folder.refuse(&format!("{BUILD} --output cut --resume"), complaint);
        assert_eq!(folder.bytes("cut"), folder.bytes("whole"));
    }
    let endless = "book build --game masonic --output held --positions 99999999";
    let running = folder.start(endless);
    crate::run::wait_until("a first line", || {
        folder.has("held.results") && folder.read("held.results").contains('\n')
    });
    folder.refuse(&format!("{endless} --resume"), "it is being written already");
    let ended = running.interrupt();
    assert_eq!(ended.code, Some(130), "{}", ended.err);
    assert!(ended.err.contains("stopped before there were 99999999; continue with --resume"));
    // What there was is a book.
    folder.good("book stats --game masonic --book held");
}

const GAMES: &str = "\
[Variant \"Masonic chess\"]\n\n1. ab4 bc5 1-0\n
[Variant \"Masonic chess\"]\n\n1. ab4 1/2-1/2\n
[Variant \"Masonic chess\"]\n\n1. ab4 bc5 *\n
[Variant \"Chesquerque\"]\n\n1. e4 0-1\n";

#[test]
fn books_are_probed_and_exported() {
    let folder = Folder::with([("games.pgn", GAMES)]);
    let built = folder.good(&format!("{BUILD} --output own --positions 1000 --games games.pgn"));
    assert!(built.ends_with(" positions, 2 games\n"), "{built}");
    let own = |line: &str| folder.good(&format!("book {line} --game masonic --book own"));
    let json = |more: &str| -> Value {
        serde_json::from_str(&own(&format!("probe --json {more}"))).expect("JSON")
    };
    let start = json("");
    let moves = start["moves"].as_array().expect("moves");
    assert!(moves.len() > 20 && moves[0]["cp"] == start["cp"], "{start}");
    assert!(moves.windows(2).all(|pair| pair[0]["cp"].as_i64() >= pair[1]["cp"].as_i64()));
    let played = moves.iter().find(|it| it["san"] == "ab4").expect("a move");
    assert_eq!(played["games"], serde_json::json!({"white": 1, "draws": 1, "black": 0}));
    let text = own("probe --moves ab4");
    assert!(text.contains(", Black scored 25.0 % of 2 games\n"), "{text}");
    let line = moves[0]["pv"].as_array().expect("a line");
    let line: Vec<&str> = line.iter().filter_map(Value::as_str).collect();
    let end = own(&format!("probe --moves {}", line.join(" ")));
    assert!(end.ends_with("A line of the book ends here.\n"), "{end}");
    let stats = own("stats");
    assert!(stats.contains(", White scored 75.0 % of 2 games\n"), "{stats}");
    assert_eq!(stats.lines().count(), 4 + moves.len(), "{stats}");

    let all = own("export --epd --plies 0..99");
    let some = own("export --epd --plies 2 --expected 45..60");
    assert!(all.lines().count() >= 1000, "{all}");
    assert!((1..all.lines().count()).contains(&some.lines().count()), "{some}");
    assert!(some.lines().all(|line| all.contains(line) && line.contains(" w ")), "{some}");
    folder.write("some.epd", &some);
    folder.play(
        "match -variant masonic -engine cmd=QIRKAT name=a -engine cmd=QIRKAT name=b \
         -each nodes=20 -openings file=some.epd order=random -maxmoves 9",
    );
    own("export --pgn --plies 4 --loss 30 -o book.pgn");
    let pgn = folder.read("book.pgn");
    assert!(pgn.contains(" (1. ") && pgn.contains("{[%eval "), "{pgn}");
    folder.good("pgn check book.pgn");

    let uci = |options: &str| {
        let lines = format!("setoption name OwnBook value true\n{options}\ngo depth 1\nquit\n");
        folder.fed("", &lines.replace("BOOK", "setoption name BookFile value")).out
    };
    // Any of the best moves.
    let best = moves.iter().filter(|it| it["cp"] == start["cp"]);
    let lines = best.filter_map(|it| Some((it["pv"][0].as_str()?, it["pv"][1].as_str()?)));
    let mut ends = lines.map(|(first, second)| format!("bestmove {first} ponder {second}\n"));
    let said = uci("setoption name UCI_Variant value masonic\nBOOK own\nBOOK games.pgn");
    assert!(said.contains("not an opening book of Qirkat; nothing is changed"), "{said}");
    let score = format!(" score cp {} ", start["cp"]);
    assert!(said.contains(&score) && ends.any(|end| said.ends_with(&end)), "{said}");
    let said = uci("BOOK own");
    assert!(said.contains("error: option BookFile: own: a book of Masonic chess"), "{said}");

    folder.write("damaged", &folder.bytes("own")[..900]);
    folder.refuse("book probe --book own", "own: a book of Masonic chess, not of Chesquerque");
    folder.refuse("book probe --book damaged", "damaged: its checksum does not match");
    let none = "no position fits --plies and --expected; the book ends";
    folder.refuse("book export --epd --plies 99", none);
    folder.refuse("book build --nodes 1 --output -", "-: this needs the name of a file");
    assert!(!folder.path("-.results").exists());
}

/// The start of Alquerque is won in 47 moves.
#[test]
fn a_mate_is_exported_as_epd_counts_it() {
    let line = Folder::new().good("book export --game alquerque --epd --plies 0");
    assert!(line.ends_with(" ce 32674;\n"), "{line}");
}

#[test]
fn analyses_and_reviews_ask_the_book() {
    let folder = Folder::new();
    let json = |line: &str| -> Value {
        let said = folder.good(line);
        serde_json::from_str(said.lines().last().expect(line)).expect(line)
    };
    let known = json("book probe --json");
    let best = &known["moves"][0];
    let san = |mv: &Value| mv["san"].as_str().expect("a move").to_owned();
    let replies = json(&format!("book probe --json --moves {}", san(best)));
    let replies = replies["moves"].as_array().expect("moves");
    let [reply, worst] = [&replies[0], &replies[replies.len() - 1]];

    let found = json("analyse --depth 1 --json");
    assert_eq!(found["book"]["cp"], known["cp"]);
    assert_eq!(found["book"]["san"][0], best["san"]);
    let text = folder.good("analyse --depth 1");
    assert!(text.contains("\nIn the opening book: "), "{text}");
    let unknown = "--depth 1 --fen '4k4/9/9/9/9/9/9/R8/4K4 w - - 0 1'";
    assert_eq!(json(&format!("analyse --json {unknown}"))["book"], Value::Null);
    assert!(!folder.good(&format!("analyse {unknown}")).contains("opening book"));

    folder.write("game.pgn", format!("1. {} {} *\n", san(best), san(worst)));
    let annotate = |how: &str| folder.good(&format!("annotate --hash 1 --depth 1 game.pgn {how}"));
    let review: Value = serde_json::from_str(&annotate("--json")).expect("JSON");
    assert_eq!(review["left_book"]["ply"].as_u64(), Some(2), "{review}");
    let told = format!("Leaves the book, which plays {}.", san(reply));
    assert!(annotate("").contains(&told) && annotate("--pgn").replace('\n', " ").contains(&told));
}
