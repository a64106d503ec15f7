//! How the arbiter deals with engines: options, what they say, their log,
//! their cores, their time.

use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use super::arbiter::Folder;
use super::games::{expect_each_once, expect_no_fault, tags};
use super::script::{Behaviour, GOOD};
use qirkat_testing::effort;

/// An engine with an option of each kind.
const WITH_OPTIONS: Behaviour = Behaviour {
    uci: "echo 'id name Script 1.0'; echo option name Hash type spin default 1 min 1 max 64
          echo option name Ponder type check default false
          echo option name Style type combo default Solid var Solid var Very wild
          echo option name Book File type string default x; echo option name Clear type button
          echo info string hello from the script; echo uciok",
    ..GOOD
};

fn report(folder: &Folder) -> Value {
    serde_json::from_str(&folder.read("report.json")).expect("a report")
}

/// The script's options before Qirkat as its opponent, in one short game.
fn line(engine: &str, options: &str, more: &str) -> Vec<String> {
    let line = format!(
        "match {engine} {options} -engine name=Qirkat cmd=QIRKAT -each depth=1 -games 1 \
         -maxmoves 6 -pgnout games.pgn -report report.json {more}"
    );
    // A tilde stands for a space within a word.
    line.split_ascii_whitespace().map(|word| word.replace('~', " ")).collect()
}

#[test]
fn options_that_do_not_fit_end_the_match_before_the_first_game() {
    for (options, complaints) in [
        ("option.Hahs=4", ["option.Hahs=4: no such option; did you mean Hash?"].as_slice()),
        (
            "option.Threads=4",
            &["option.Threads=4: no such option; it has Hash, Ponder, Style, Book File, Clear"],
        ),
        ("option.Hash=0", &["option.Hash=0: not a whole number from 1 to 64"]),
        ("option.hash=65", &["option.hash=65: not a whole number from 1 to 64"]),
        ("option.Hash=4MB", &["option.Hash=4MB: not a whole number from 1 to 64"]),
        ("option.Hash=", &["option.Hash=: needs a value: a whole number from 1 to 64"]),
        ("option.Ponder=yes", &["option.Ponder=yes: not true or false"]),
        ("option.Style=Wild", &["option.Style=Wild: not one of Solid, Very wild"]),
        ("option.Clear=now", &["option.Clear=now: a button, which takes no value"]),
        (
            "option.Hahs=1 option.Style=x",
            &[
                "option.Hahs=1: no such option; did you mean Hash?",
                "option.Style=x: not one of Solid, Very wild",
            ],
        ),
    ] {
        let folder = Folder::new();
        let engine = WITH_OPTIONS.engine(&folder);
        let (out, err, code) =
            folder.finish(folder.start_words(line(&engine, options, "").into_iter()));
        assert_eq!((out.as_str(), code), ("", Some(2)), "{options}\n{err}");
        let lines: Vec<&str> =
            err.lines().filter_map(|line| line.strip_prefix("qirkat: engine Script: ")).collect();
        assert_eq!(lines.len(), complaints.len(), "{err}");
        for (line, complaint) in lines.iter().zip(complaints) {
            assert!(line.starts_with(complaint), "{line}");
        }
        assert!(err.ends_with("(nothing is played; -force plays anyway)\n"), "{err}");
        assert_eq!(folder.read("games.pgn"), "");

        let (out, err, code) =
            folder.finish(folder.start_words(line(&engine, options, "-force").into_iter()));
        assert_eq!(code, Some(0), "{options}\n{err}");
        for complaint in complaints {
            assert!(err.contains(&format!("{complaint} (played anyway)")), "{err}");
            assert!(out.contains(&format!("Forced on Script: {complaint}\n")), "{out}");
            let forced = &report(&folder)["health"]["engines"][0]["forced"];
            assert!(forced.to_string().contains(complaint), "{forced}");
        }
        expect_each_once(&folder, "games.pgn", 1);
    }
}

#[test]
fn options_that_fit_are_set_as_the_engine_spells_them() {
    let folder = Folder::new();
    let engine = WITH_OPTIONS.engine(&folder);
    let options = "option.hASH=64 option.STYLE=very~WILD option.book~file=a~b option.clear= ponder";
    let words = line(&engine, options, "-log file=log");
    let (out, err, code) = folder.finish(folder.start_words(words.into_iter()));
    assert_eq!(code, Some(0), "{out}\n{err}");
    assert_eq!(err, "qirkat: engine Script says: hello from the script\n");
    let engine = &report(&folder)["health"]["engines"][0];
    assert_eq!(engine["said"], serde_json::json!(["hello from the script"]));
    assert_eq!(engine["id"], "Script 1.0");
    let log = folder.read("log");
    for text in [
        "setoption name Hash value 64",
        "setoption name Style value Very wild",
        "setoption name Book File value a b",
        "setoption name Clear",
        "setoption name Ponder value true",
    ] {
        // Once when it is looked at, once when it plays.
        let ends = log.lines().filter(|line| line.ends_with(&format!("]: {text}"))).count();
        assert_eq!(ends, 2, "{text}\n{log}");
    }
}

#[test]
fn what_an_engine_refuses_ends_the_match() {
    for options in ["option.EvalFile=typo.net", "option.EvalFile=/"] {
        let folder = Folder::new();
        let line = |more: &str| {
            format!(
                "match -engine name=A cmd=QIRKAT {options} -engine name=B cmd=QIRKAT -each depth=1 \
                     -games 1 -maxmoves 6 {more}"
            )
        };
        let (out, err, code) = folder.finish(folder.start(&line("")));
        assert_eq!((out.as_str(), code, err.lines().count()), ("", Some(2), 1), "{err}");
        let start =
            format!("qirkat: engine A: {options}: the engine says: error: option EvalFile: ");
        assert!(err.starts_with(&start), "{err}");
        let out = folder.play(&line("-force"));
        assert!(out.contains(&format!("Forced on A: {options}: the engine says: ")), "{out}");
    }
    // Without a complaint in words, it is only shown.
    let folder = Folder::new();
    let line = "match -engine name=A cmd=QIRKAT ponder option.EvalFile=<none> -engine name=B \
                cmd=QIRKAT -each depth=1 -games 1 -maxmoves 6";
    let (_, err, code) = folder.finish(folder.start(line));
    assert_eq!((err.as_str(), code), ("", Some(0)));
}

#[test]
fn an_engine_that_cannot_ponder_is_named() {
    let folder = Folder::new();
    let engine = GOOD.engine(&folder);
    let complaint = "qirkat: engine Script: option.Ponder=true: no such option; it has none";
    folder.refuse(&line(&engine, "ponder", "").join(" "), complaint);
}

#[test]
fn engines_ponder() {
    let folder = Folder::new();
    folder.play(
        "match -engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT -each tc=0.4+0.02 \
         timemargin=5000 ponder option.Hash=1 -games 2 -maxmoves 19 -concurrency 2 -pgnout games.pgn -log file=log",
    );
    expect_each_once(&folder, "games.pgn", 2);
    expect_no_fault(&folder);
    let log = folder.read("log");
    assert!(log.contains("]: go ponder wtime") && log.contains("]: ponderhit\n"));
}

#[test]
fn the_log_holds_what_its_level_says() {
    let noisy = Behaviour { start: "echo 'a word of warning' >&2", ..GOOD };
    let parts = [
        (" ERROR ", "", 0),
        (" WARN  standard error of Script[", "]: a word of warning", 1),
        (" INFO  game 1 (Script vs Qirkat) begins", "", 2),
        (" INFO  game 1 (Script vs Qirkat) ends: 1/2-1/2 {Draw by adjudication", "", 2),
        (" DEBUG to Script[", "]: go depth 1", 3),
        (" DEBUG from Script[", "]: bestmove ", 3),
        (" DEBUG from Qirkat[", "]: uciok", 3),
        (" TRACE from Qirkat[", "]: info depth 1 ", 4),
    ];
    for (number, level) in ["err", "warn", "info", "debug", "trace"].into_iter().enumerate() {
        let folder = Folder::new();
        let engine = noisy.engine(&folder);
        folder.write("log", "kept\n");
        let words = line(&engine, "", &format!("-log file=log level={level}"));
        let (out, err, code) = folder.finish(folder.start_words(words.into_iter()));
        assert_eq!(code, Some(0), "{out}\n{err}");
        let log = folder.read("log");
        assert!(log.starts_with("kept\n"));
        for (start, end, from) in parts {
            let is_there = log.lines().any(|line| {
                line.find(start).is_some_and(|at| line[at..].contains(end) && at == 26)
            });
            assert_eq!(is_there, number >= from && from > 0, "{level}: {start}{end}\n{log}");
        }
        let words = line(&engine, "", "--overwrite -log file=log level=err append=false");
        let words = words
            .into_iter()
            .map(|word| word.replace("games.pgn", "more.pgn").replace("report.json", "more.json"));
        let (out, err, code) = folder.finish(folder.start_words(words));
        assert_eq!(code, Some(0), "{out}\n{err}");
        assert_eq!(folder.read("log"), "");
    }
}

#[test]
fn last_words_are_told() {
    let go =
        "honest; if [ $moves = 2 ]; then printf 'first\\nsecond \\033[2J\\n' >&2; kill -9 $$; fi";
    let folder = Folder::new();
    let engine = Behaviour { go, ..GOOD }.engine(&folder);
    let line = format!(
        "match {engine} -engine name=Qirkat cmd=QIRKAT -each depth=1 -games 1 -pgnout games.pgn"
    );
    let (out, err, code) = folder.finish(folder.start(&line));
    assert_eq!(code, Some(0), "{out}\n{err}");
    let said = r"first / second \u{1b}[2J";
    let reason = &tags(&folder.read("games.pgn"), "Reason")[0];
    assert_eq!(
        *reason,
        format!(
            "White disconnects (signal: 9 (SIGKILL)), last words: {}",
            said.replace('\\', r"\\")
        )
    );
    assert!(out.contains(said), "{out}");
    assert!(err.contains("qirkat: game 1: Script on standard error: first\n"), "{err}");
}

#[test]
fn a_flood_of_errors_blocks_nobody() {
    let go = "yes 'something is wrong' | head -c 300000 >&2; honest";
    let folder = Folder::new();
    let engine = Behaviour { go, ..GOOD }.engine(&folder);
    folder.play(&format!(
        "match {engine} st=5 -engine name=Qirkat cmd=QIRKAT depth=1 -games 2 -maxmoves 9 \
         -pgnout games.pgn -log file=log level=warn"
    ));
    expect_no_fault(&folder);
    assert!(folder.read("log").contains("something is wrong"));
}

#[cfg(target_os = "linux")]
#[test]
fn engines_are_bound_to_cores() {
    let folder = Folder::new();
    let start = r#"grep Cpus_allowed_list /proc/self/status >> "$0.cores""#;
    let engine = Behaviour { start, ..GOOD }.engine(&folder);
    let line = format!(
        "match {engine} -engine name=Qirkat cmd=QIRKAT -each depth=1 restart=on -rounds 2 -maxmoves 6 \
         -use-affinity 0 -concurrency 2"
    );
    let (out, err, code) = folder.finish(folder.start(&line));
    assert_eq!(code, Some(0), "{out}\n{err}");
    let warning = "-use-affinity: 2 games at a time with 1 threads thinking in each share 1 cores";
    assert!(err.contains(warning), "{err}");
    let cores = folder.read("engine.sh.cores");
    // When it is looked at, it may run anywhere.
    let bound: Vec<&str> = cores.lines().skip(1).collect();
    assert_eq!(bound, ["Cpus_allowed_list:\t0"; 4], "{cores}");
}

#[test]
fn time_is_measured_and_told() {
    let folder = Folder::new();
    let go = "if [ $moves = 2 ]; then sleep 0.5; fi; honest";
    let engine = Behaviour { go, ..GOOD }.engine(&folder);
    let out = folder.play(&format!(
        "match {engine} st=0.4 timemargin=5000 -engine name=Qirkat cmd=QIRKAT tc=3 -games 2 \
         -maxmoves 8 -report report.json"
    ));
    let health = &report(&folder)["health"];
    let number = |value: &Value| value.as_f64().expect("a number");
    let script = &health["engines"][0];
    assert!((100.0..4000.0).contains(&number(&script["worst_overshoot_ms"])), "{health}");
    assert!((1.2..12.0).contains(&number(&script["largest_share"])), "{health}");
    let qirkat = &health["engines"][1];
    assert_eq!(number(&qirkat["worst_overshoot_ms"]), 0.0);
    assert!(number(&qirkat["largest_share"]) > 0.0);
    // The question after each answer but the last of each game.
    assert_eq!(health["arbiter_moves"], 14);
    assert!(number(&health["arbiter_worst_ms"]) > 0.0);
    for told in ["Time of Script: ", "Time of the arbiter in 2 games: "] {
        assert!(out.contains(told), "{out}");
    }
}

#[test]
fn a_loss_on_time_tells_that_the_arbiter_was_late() {
    // Without an answer, a moment explains nothing, and all of the time everything. The engine
    // stops the arbiter itself, as soon as its clock runs.
    let moment = "kill -STOP $PPID; sleep 0.3; kill -CONT $PPID; sleep 1000";
    let too_long = "kill -STOP $PPID; sleep 1.5; kill -CONT $PPID; sleep 1000";
    for (seconds, stopped_ms, go, losses_while_busy) in
        [(2, 300, moment, 0), (1, 1500, too_long, 1)]
    {
        let folder = Folder::new();
        let engine = Behaviour { go, ..GOOD }.engine(&folder);
        let running = folder.start(&format!(
            "match {engine} st={seconds} -engine name=Qirkat cmd=QIRKAT depth=1 -games 1 \
             -report report.json -pgnout games.pgn"
        ));
        let (out, err, code) = folder.finish(running);
        assert_eq!(code, Some(0), "{out}\n{err}");
        let reason = &tags(&folder.read("games.pgn"), "Reason")[0];
        let (fault, late) = reason.split_once("; the arbiter itself was late by ").expect(reason);
        let expected = format!("White loses on time: no move within {seconds}.000 s");
        assert!(fault.starts_with(&expected), "{fault}");
        let late: u64 = late.strip_suffix(" ms").expect(late).parse().expect(late);
        assert!((stopped_ms - 100..stopped_ms + 1700).contains(&late), "{late}");
        let warning = "Warning: games lost on time because the machine was too busy: 1.";
        assert_eq!(out.contains(warning), losses_while_busy > 0, "{out}");
        let report = report(&folder);
        assert_eq!(report["health"]["time_losses_while_busy"], losses_while_busy);
        assert_eq!(report["faults"][0]["time_losses"], 1);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_loss_on_time_tells_that_the_engine_waited_for_a_core() {
    let folder = Folder::new();
    // Five busy loops, and nothing but one core for all of them.
    let go = "for i in 1 2 3 4; do (while :; do :; done) & done; \
              n=0; while [ $n -lt 200000 ]; do n=$((n + 1)); done; honest";
    let engine = Behaviour { go, ..GOOD }.engine(&folder);
    let out = folder.play(&format!(
        "match {engine} st=0.05 timemargin=1 -engine name=Qirkat cmd=QIRKAT depth=1 -games 1 \
         -use-affinity 0 -report report.json -pgnout games.pgn"
    ));
    let reason = &tags(&folder.read("games.pgn"), "Reason")[0];
    assert!(reason.starts_with("White loses on time: "), "{reason}");
    let (_, waited) = reason.split_once("; it waited ").expect(reason);
    let waited: f64 = waited.split(' ').next().and_then(|text| text.parse().ok()).expect(reason);
    assert!((1.0..1000.0).contains(&waited), "{reason}");
    let longest = &report(&folder)["health"]["engines"][0]["longest_wait_ms"];
    assert!(longest.as_f64().is_some_and(|longest| longest >= waited - 0.1), "{longest}");
    let told = "Games lost otherwise by Script: crashed 0, stalled 0, illegal moves 0, on time 1";
    assert!(out.contains(told), "{out}");
}

/// Open files and resident memory of the arbiter, in kilobytes.
#[cfg(target_os = "linux")]
fn burden(id: u32) -> (usize, u64) {
    let files = std::fs::read_dir(format!("/proc/{id}/fd")).map_or(0, Iterator::count);
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let words = line.unwrap_or_default().split_ascii_whitespace().next();
    (files, words.and_then(|word| word.parse().ok()).unwrap_or_default())
}

#[cfg(target_os = "linux")]
#[test]
fn many_games_leave_nothing_behind() {
    let all = effort([100, 200, 200]);
    let folder = Folder::new();
    // One engine is started for each game, the other ends after each.
    let engine =
        Behaviour { go: "echo noise >&2; honest; if [ $moves = 2 ]; then exit 1; fi", ..GOOD };
    let engine = engine.engine(&folder);
    let mut running = folder.start(&format!(
        "match {engine} -engine name=Qirkat cmd=QIRKAT restart=on option.Hash=1 -each depth=1 \
         -games {all} -maxmoves 6 -concurrency 2 -ratinginterval 0 -pgnout games.pgn -log file=log \
         level=trace"
    ));
    let games = || tags(&folder.read("games.pgn"), "GameNumber").len();
    let mut after = |count| {
        running.wait_until("games", || games() >= count);
        // The fewest of several looks: engines come and go.
        let looks = (0..20).map(|_| {
            sleep(Duration::from_millis(10));
            burden(running.id())
        });
        looks.min().expect("a look")
    };
    let early = after(all / 5);
    let late = after(4 * all / 5);
    let (out, err, code) = folder.finish(running);
    assert_eq!(code, Some(0), "{out}\n{err}");
    expect_each_once(&folder, "games.pgn", all);
    // Four engines with three pipes each, and a few of the arbiter's own. One
    // file left open in each game would be far more.
    assert!(late.0 < all / 5, "files: {early:?}, {late:?}");
    assert!(late.1 < early.1 + 10_000, "memory: {early:?}, {late:?}");
}

#[test]
fn the_answer_to_the_variant_asked_for_is_no_news() {
    let folder = Folder::new();
    let line = "match -variant masonic -engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT \
                -each depth=1 -games 2 -maxmoves 6";
    let (out, err, code) = folder.finish(folder.start(line));
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
}
