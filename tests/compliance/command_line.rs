use std::process::{Child, Command};
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::compliance_run::ComplianceRun;
use crate::faults;
use qirkat_testing::effort;
use qirkat_testing::pipes::HUNG;

pub fn tests() -> impl Iterator<Item = Trial> {
    let tests: [(&str, fn()); 8] = [
        ("our_engine_passes", our_engine_passes),
        ("bad_words_are_named", bad_words_are_named),
        ("checks_are_chosen_and_listed", checks_are_chosen_and_listed),
        ("a_finding_tells_what_to_mend", a_finding_tells_what_to_mend),
        ("the_talk_is_written_down", the_talk_is_written_down),
        ("a_check_without_what_it_needs_is_skipped", skipped),
        ("ctrl_c_ends_it_and_the_engine", ctrl_c_ends_it_and_the_engine),
        ("each_check_finds_a_fault", each_check_finds_a_fault),
    ];
    tests.into_iter().map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok::<(), Failed>(())
        })
    })
}

/// Runs all checks in one process, or in quick tests every other one, in several parallel ones.
fn our_engine_passes() {
    let all = faults::checks();
    assert!(all.len() > 50, "{all:?}");
    let checks: Vec<&str> = all.iter().step_by(effort([2, 1, 1])).map(String::as_str).collect();
    let only = match effort([3, 1, 1]) {
        1 => vec![String::new()],
        parts => {
            let parts = checks.chunks(checks.len().div_ceil(parts));
            parts.map(|part| format!("--only {}", part.join(","))).collect()
        }
    };
    let start = |only: &String| ComplianceRun::start(&format!("--json --patience 3 {only} QIRKAT"));
    let running: Vec<Child> = only.iter().map(start).collect();
    let runs: Vec<ComplianceRun> = running.into_iter().map(ComplianceRun::of).collect();
    let mut passed = 0;
    for run in runs {
        assert_eq!(run.status, Some(0), "{}{}", run.out, run.err);
        let count = run.reports().len();
        assert_eq!(run.names("passed").len(), count, "{}", run.out);
        passed += count;
    }
    assert_eq!(passed, checks.len());
}

fn bad_words_are_named() {
    for (words, complaint) in [
        ("./no-such-engine", "qirkat: ./no-such-engine: No such file"),
        ("/", "Permission denied"),
        ("", "<ENGINE>"),
        ("--only quit,nonsense MOCK none", "no such check; --list shows them all"),
        ("--only quit --skip quit MOCK none", "qirkat: --only and --skip leave no check to run"),
        ("--patience 0 MOCK none", "not a number above 0 and up to 1000"),
        ("--patience NaN MOCK none", "not a number above 0 and up to 1000"),
        ("--patience x MOCK none", "not a number above 0 and up to 1000"),
        ("--log / MOCK none", "qirkat: /: Is a directory"),
        ("--bogus MOCK none", "unexpected argument '--bogus'"),
    ] {
        let run = ComplianceRun::run(words);
        assert_eq!(run.status, Some(2), "{words}\n{}", run.err);
        assert!(run.err.contains(complaint), "{words}\n{}", run.err);
        assert_eq!(run.out, "", "{words}");
    }
}

fn each_check_finds_a_fault() {
    for name in faults::checks() {
        assert!(faults::finds_any(name), "{name}");
    }
}

fn ctrl_c_ends_it_and_the_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let sign = folder.path().join("started");
    let words = format!("--only uci,ready MOCK no-uciok {}", sign.display());
    let mut running = ComplianceRun::start(&words);
    let id = running.id().to_string();
    let wait_until = |what: &str, is_so: &mut dyn FnMut() -> bool| {
        let until = Instant::now() + HUNG;
        while !is_so() {
            assert!(Instant::now() < until, "{what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    // It is now waiting for `uciok`.
    wait_until("the engine starts", &mut || sign.exists());
    let sent = Command::new("kill").args(["-s", "INT", &id]).status();
    assert!(sent.expect("kill starts").success());
    wait_until("it ends", &mut || running.try_wait().expect("a child").is_some());
    let output = running.wait_with_output().expect("its output");
    assert_eq!(output.status.code(), Some(130));
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(err, "qirkat: after 0 of 2 checks: interrupted\n");
}

fn checks_are_chosen_and_listed() {
    let all = ComplianceRun::run("--list");
    assert_eq!(all.status, Some(0));
    let names: Vec<&str> =
        all.out.lines().filter_map(|line| line.split_ascii_whitespace().next()).collect();
    assert!(names.len() > 50 && names.contains(&"ponder-race"), "{names:?}");
    let chosen = ComplianceRun::run("--list --only quit,uci,debug --skip debug");
    let count = |out: &str| out.lines().count();
    assert_eq!(count(&chosen.out), 2, "{}", chosen.out);
    let made = ComplianceRun::run("--only quit,uci,debug --skip debug MOCK none");
    assert_eq!(made.status, Some(0));
    assert_eq!(
        made.out,
        "pass    uci             answers `uci` with `uciok`\n\
         pass    quit            ends at `quit`\n\
         \n\
         Mock: 2 of 2 checks passed\n"
    );
    let json = ComplianceRun::run("--json --only quit,uci MOCK none");
    let last = json.out.lines().last().expect("a count");
    let last: Value = serde_json::from_str(last).expect(last);
    assert_eq!(last["engine"], "Mock");
    assert_eq!(last["passed"], 2);
}

fn a_finding_tells_what_to_mend() {
    for (words, lines) in [
        (
            "--only garbage --patience 4 MOCK dies-at-garbage",
            "FAIL    garbage         survives empty lines and unknown commands\n        \
             sent `joho` `isready`; expected `readyok` within 8s; got the end of the engine \
             (exit status: 70), with `mock: unknown command joho` on standard error\n\n\
             Mock: 0 of 1 checks passed, 1 failed\n",
        ),
        (
            "--only startpos --patience 4 MOCK plays-illegal-moves",
            "FAIL    startpos        moves in `position startpos`\n        \
             sent `position startpos` `go depth 2 movetime 50`; expected a legal move for White; \
             got `bestmove e1e9 ponder a8a7`: a king on a diagonal point moves one step in any \
             direction, or castles\n\n",
        ),
        (
            "--only silence MOCK welcomes",
            "warning silence         says nothing before `uci`\n        \
             sent `uci`; expected silence until `uci`; got `Mock 1.0 by nobody`\n\n\
             Mock: 0 of 1 checks passed, 1 with a warning\n",
        ),
    ] {
        let run = ComplianceRun::run(words);
        assert!(run.out.starts_with(lines), "{words}\n{}", run.out);
    }
}

fn the_talk_is_written_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("talk.log");
    let log = path.display();
    ComplianceRun::run(&format!("--only garbage --patience 4 --log {log} MOCK dies-at-garbage"));
    let text = std::fs::read_to_string(path).expect("a log");
    for part in ["garbage            > joho", "garbage            < uciok", "! mock: unknown"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

fn skipped() {
    let run = ComplianceRun::run("--only ready,startpos,quit --patience 0.2 MOCK no-readyok");
    assert_eq!(run.status, Some(1));
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("FAIL    ready"), "{lines:?}");
    assert_eq!(lines[2], "skipped startpos        moves in `position startpos`: needs `ready`");
    assert!(lines[3].starts_with("pass    quit"), "{lines:?}");
}
