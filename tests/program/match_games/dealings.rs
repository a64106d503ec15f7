use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use super::games::{expect_each_once, expect_no_fault, report, tags};
use super::script::{Behaviour, GOOD, SCRIPT};
use crate::run::{Ended, Folder};
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

/// The script with these options against Qirkat, in one short game.
fn line(options: &str, more: &str) -> String {
    format!(
        "match {SCRIPT} {options} -engine name=Qirkat cmd=QIRKAT -each depth=1 -games 1 \
         -maxmoves 6 -pgnout games.pgn -report report.json {more}"
    )
}

#[test]
fn invalid_options_end_the_match_before_the_first_game() {
    for (options, complaints) in [
        ("option.Hahs=4", &["no such option; did you mean Hash?"][..]),
        (
            "option.Hash=0 option.Style=x",
            &["not a whole number from 1 to 64", "not one of Solid, Very wild"],
        ),
    ] {
        let complaints = options.split(' ').zip(complaints);
        let complaints: Vec<String> = complaints.map(|(it, why)| format!("{it}: {why}")).collect();
        let folder = WITH_OPTIONS.folder();
        let Ended { out, err, .. } = folder.ends(2, &line(options, ""));
        let lines: Vec<&str> =
            err.lines().filter_map(|line| line.strip_prefix("qirkat: engine Script: ")).collect();
        assert_eq!((out.as_str(), lines.len()), ("", complaints.len()), "{err}");
        for (line, complaint) in lines.iter().zip(&complaints) {
            assert!(line.starts_with(complaint.as_str()), "{line}");
        }
        assert!(err.ends_with("(nothing is played; -force plays anyway)\n"), "{err}");
        assert_eq!(folder.read("games.pgn"), "");

        let Ended { out, err, .. } = folder.ends(0, &line(options, "-force"));
        let forced = report(&folder)["health"]["engines"][0]["forced"].to_string();
        for complaint in &complaints {
            assert!(err.contains(&format!("{complaint} (played anyway)")), "{err}");
            assert!(out.contains(&format!("Forced on Script: {complaint}\n")), "{out}");
            assert!(forced.contains(complaint.as_str()), "{forced}");
        }
        assert_eq!(tags(&folder.read("games.pgn"), "GameNumber"), ["1"]);
    }
}

#[test]
fn valid_options_are_set_in_the_engine_s_spelling() {
    let folder = WITH_OPTIONS.folder();
    let options = "option.hASH=64 'option.STYLE=very wILD' 'option.book file=a b' option.clear \
                   ponder";
    let err = folder.ends(0, &line(options, "-log file=log")).err;
    assert_eq!(err, "qirkat: engine Script says: hello from the script\n");
    let engine = &report(&folder)["health"]["engines"][0];
    assert_eq!(engine["said"], json!(["hello from the script"]));
    assert_eq!(engine["id"], "Script 1.0");
    let log = folder.read("log");
    for text in [
        "setoption name Hash value 64",
        "setoption name Style value Very wild",
        "setoption name Book File value a b",
        "setoption name Clear",
        "setoption name Ponder value true",
    ] {
        // Once for the check before the match, once for the game.
        let ends = log.lines().filter(|line| line.ends_with(&format!("]: {text}"))).count();
        assert_eq!(ends, 2, "{text}\n{log}");
    }
}

#[test]
fn an_option_the_engine_refuses_ends_the_match() {
    let folder = Folder::new();
    let line = |options: &str, more: &str| {
        format!(
            "match -engine name=A cmd=QIRKAT {options} -engine name=B cmd=QIRKAT -each depth=1 \
             -games 1 -maxmoves 6 {more}"
        )
    };
    for options in ["option.EvalFile=typo.net", "option.EvalFile=/"] {
        let says = format!("{options}: the engine says: ");
        let complaint = format!("qirkat: engine A: {says}error: option EvalFile: ");
        folder.refuse(&line(options, ""), &complaint);
        let out = folder.play(&line(options, "-force"));
        assert!(out.contains(&format!("Forced on A: {says}")), "{out}");
    }
    // An `info string` that is not an error is only shown.
    folder.good(&line("ponder option.EvalFile=<none>", ""));
    // The reply to the requested `UCI_Variant` is not shown.
    folder.good(&line("", "-variant masonic"));
}

#[test]
fn an_engine_that_cannot_ponder_is_named() {
    let complaint = "qirkat: engine Script: option.Ponder=true: no such option; it has none";
    GOOD.folder().refuse(&line("ponder", ""), complaint);
}

#[test]
fn engines_ponder() {
    let folder = Folder::new();
    folder.play(
        "match -engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT -each tc=0.2+0.02 \
         timemargin=60000 ponder option.Hash=1 -games 2 -maxmoves 15 -concurrency 2 \
         -pgnout games.pgn -log file=log",
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
        let folder = noisy.folder();
        folder.write("log", "kept\n");
        folder.play(&line("", &format!("-log file=log level={level}")));
        let log = folder.read("log");
        assert!(log.starts_with("kept\n"));
        for (start, end, from) in parts {
            let is_there = log.lines().any(|line| {
                line.find(start).is_some_and(|at| line[at..].contains(end) && at == 26)
            });
            assert_eq!(is_there, number >= from && from > 0, "{level}: {start}{end}\n{log}");
        }
        let again = line("", "--overwrite -log file=log level=err append=false");
        folder.play(&again.replace("games.pgn", "more.pgn"));
        assert_eq!(folder.read("log"), "");
    }
}

#[test]
fn the_last_stderr_lines_are_reported() {
    let go =
        "honest; if [ $moves = 2 ]; then printf 'first\\nsecond \\033[2J\\n' >&2; kill -9 $$; fi";
    let folder = Behaviour { go, ..GOOD }.folder();
    let Ended { out, err, .. } = folder.ends(0, &line("", "").replace("-maxmoves 6", ""));
    let said = r"first / second \u{1b}[2J";
    let words = said.replace('\\', r"\\");
    let reason = format!("White disconnects (signal: 9 (SIGKILL)), last output: {words}");
    assert_eq!(tags(&folder.read("games.pgn"), "Reason"), [reason]);
    assert!(out.contains(said), "{out}");
    assert!(err.contains("qirkat: game 1: Script on standard error: first\n"), "{err}");
}

#[test]
fn much_stderr_output_does_not_block() {
    let go = "yes 'something is wrong' | head -c 300000 >&2; honest";
    let folder = Behaviour { go, ..GOOD }.folder();
    folder.play(&line("", "-log file=log level=warn"));
    expect_no_fault(&folder);
    assert!(folder.read("log").contains("something is wrong"));
}

#[cfg(target_os = "linux")]
#[test]
fn engines_are_bound_to_cores() {
    let start = r#"grep Cpus_allowed_list /proc/self/status >> "$0.cores""#;
    let folder = Behaviour { start, ..GOOD }.folder();
    let line = line("", "-rounds 2 -use-affinity 0 -concurrency 2").replace("-games 1", "");
    let err = folder.ends(0, &line.replace("depth=1", "depth=1 restart=on")).err;
    let warning = "-use-affinity: 2 games at a time with 1 threads thinking in each share 1 cores";
    assert!(err.contains(warning), "{err}");
    let cores = folder.read("engine.sh.cores");
    // During the check before the match it may use any core.
    let bound: Vec<&str> = cores.lines().skip(1).collect();
    assert_eq!(bound, ["Cpus_allowed_list:\t0"; 4], "{cores}");
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn time_is_measured_and_reported() {
    let folder = Behaviour { go: "if [ $moves = 2 ]; then sleep 0.5; fi; honest", ..GOOD }.folder();
    let out = folder.play(&format!(
        "match {SCRIPT} st=0.4 timemargin=60000 -engine name=Qirkat cmd=QIRKAT tc=60 depth=1 \
         -games 2 -maxmoves 8 -report report.json"
    ));
    let health = &report(&folder)["health"];
    let [script, qirkat] = [&health["engines"][0], &health["engines"][1]];
    assert!(number(&script["worst_overshoot_ms"]) >= 100.0, "{health}");
    assert!(number(&script["largest_share"]) >= 1.2, "{health}");
    assert_eq!(number(&qirkat["worst_overshoot_ms"]), 0.0);
    assert!(number(&qirkat["largest_share"]) > 0.0);
    // One interval after each `bestmove` but the last of each game.
    assert_eq!(health["arbiter_moves"], 14);
    assert!(number(&health["arbiter_worst_ms"]) > 0.0);
    for told in ["Time of Script: ", "Time of the arbiter in 2 games: "] {
        assert!(out.contains(told), "{out}");
    }
}

fn lost_on_time(go: &'static str, limits: &str) -> (String, String, Value) {
    let folder = Behaviour { go, ..GOOD }.folder();
    let out = folder.play(&format!(
        "match {SCRIPT} {limits} -engine name=Qirkat cmd=QIRKAT depth=1 -games 1 \
         -use-affinity 0 -report report.json -pgnout games.pgn"
    ));
    let told = "Games lost by faults of Script: crashed 0, stalled 0, illegal moves 0, on time 1";
    assert!(out.contains(told), "{out}");
    let reason = tags(&folder.read("games.pgn"), "Reason").concat();
    assert!(reason.starts_with("White loses on time: "), "{reason}");
    (reason, out, report(&folder))
}

/// Which delays excuse a time loss is tested in the unit tests.
#[test]
fn a_time_loss_reports_a_late_arbiter() {
    // The engine stops the arbiter as soon as its clock runs.
    let go = "kill -STOP $PPID; sleep 2.5; kill -CONT $PPID; sleep 1000";
    let (reason, out, report) = lost_on_time(go, "st=2");
    assert!(reason.starts_with("White loses on time: no move within 2.000 s"), "{reason}");
    let (_, late) = reason.split_once("; the arbiter itself was late by ").expect(&reason);
    let late: u64 = late.split(' ').next().and_then(|it| it.parse().ok()).expect(late);
    assert!(late >= 2400, "{late}");
    assert!(out.contains("Warning: games lost on time because the machine was too busy: 1."));
    assert_eq!(report["health"]["time_losses_while_busy"], 1);
    assert_eq!(report["faults"][0]["time_losses"], 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_time_loss_reports_waiting_for_a_core() {
    // Five busy loops share one core.
    let go = "for i in 1 2 3 4; do (while :; do :; done) & done; \
              n=0; while [ $n -lt 200000 ]; do n=$((n + 1)); done; honest";
    let (reason, _, report) = lost_on_time(go, "st=0.05 timemargin=1");
    let (_, waited) = reason.split_once("; it waited ").expect(&reason);
    let waited: f64 = waited.split(' ').next().and_then(|it| it.parse().ok()).expect(&reason);
    let longest = number(&report["health"]["engines"][0]["longest_wait_ms"]);
    assert!(waited >= 1.0 && longest >= waited - 0.1, "{reason}: {longest}");
}

/// One engine is restarted for each game, the other exits after each.
#[cfg(target_os = "linux")]
#[test]
fn many_games_leak_nothing() {
    let all = effort([40, 200, 200]);
    let go = "echo noise >&2; honest; if [ $moves = 2 ]; then exit 1; fi";
    let folder = Behaviour { go, ..GOOD }.folder();
    let mut running = folder.start(&format!(
        "match {SCRIPT} -engine name=Qirkat cmd=QIRKAT restart=on option.Hash=1 -each depth=1 \
         -games {all} -maxmoves 6 -concurrency 2 -ratinginterval 0 -pgnout games.pgn -log file=log \
         level=trace"
    ));
    let mut after = |count| {
        running
            .wait_until("games", || tags(&folder.read("games.pgn"), "GameNumber").len() >= count);
        // The minimum of several samples, since engines start and exit.
        let looks = (0..20).map(|_| {
            sleep(Duration::from_millis(10));
            let files = std::fs::read_dir(format!("/proc/{}/fd", running.id()));
            (files.map_or(0, Iterator::count), running.megabytes())
        });
        looks.min().expect("a look")
    };
    let (early, late) = (after(all / 5), after(4 * all / 5));
    let ended = running.finish();
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.out, ended.err);
    expect_each_once(&folder, "games.pgn", all);
    // One leaked file per game would be more; four engines have three pipes each.
    assert!(late.0 < early.0 + all / 2, "files: {early:?}, {late:?}");
    assert!(late.1 < early.1 + 10, "memory: {early:?}, {late:?}");
}
