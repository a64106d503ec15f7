use std::sync::OnceLock;

use libtest_mimic::{Failed, Trial};

use crate::compliance_run::ComplianceRun;
use qirkat_testing::effort;

/// All checks that need a running engine, or one that moves.
const ALL: &str = "*";

/// A fault, the checks that must fail, and the verdict of the others that do not pass.
struct Fault {
    name: &'static str,
    patience: f64,
    failed: &'static str,
    warned: &'static str,
    skipped: &'static str,
}

const fn fault(name: &'static str, failed: &'static str) -> Fault {
    Fault { name, patience: PATIENCE, failed, warned: "", skipped: "" }
}

const fn warned(name: &'static str, warned: &'static str) -> Fault {
    Fault { warned, ..fault(name, "") }
}

/// A fault after which no other check can be judged.
const fn grave(name: &'static str, failed: &'static str) -> Fault {
    Fault { patience: PATIENCE_WITH_GRAVE, skipped: ALL, ..fault(name, failed) }
}

/// A fault that times out repeatedly.
const fn slow(name: &'static str, failed: &'static str) -> Fault {
    Fault { patience: PATIENCE_WITH_SLOW, ..fault(name, failed) }
}

const QUITS: &str = "quit quit-searching quit-pondering";

const FAULTS: &[Fault] = &[
    fault("none", ""),
    // From the start to the first `readyok`.
    grave("exits-at-start", "uci"),
    grave("no-uciok", "uci"),
    grave("no-readyok", "ready"),
    grave("reads-nothing", "ready quit end-of-input"),
    grave("floods", "ready quit end-of-input"),
    grave("endless-line", "ready quit end-of-input"),
    fault("ready-before-uci", "silence"),
    warned("welcomes", "silence"),
    fault("no-author", "identity"),
    fault("empty-author", "identity"),
    fault("two-names", "identity"),
    fault("default-out-of-bounds", "options"),
    fault("spin-without-max", "options"),
    fault("hash-as-string", "options"),
    fault("option-twice", "options"),
    fault("bad-combo", "options"),
    fault("other-variant", "variant"),
    warned("no-variant", "variant"),
    grave("readyok-twice", "ready"),
    // Options.
    fault("dies-at-max", "option-values"),
    fault("dies-at-unknown-option", "option-errors bytes"),
    fault("dies-at-bad-value", "option-errors"),
    // Lines of all kinds.
    fault("dies-at-empty-line", "garbage"),
    fault("dies-at-garbage", "garbage long-line bytes"),
    fault("answers-idle-ponderhit", "garbage"),
    fault("dies-at-long-line", "long-line"),
    fault("dies-at-bytes", "bytes"),
    fault("dies-at-debug", "debug"),
    slow("cr-blind", "blanks"),
    // Positions.
    grave("plays-illegal-moves", "startpos"),
    fault("reads-forty-moves", "moves long-game"),
    fault("dies-at-second-game", "new-game memory"),
    fault("only-white", "fen points castling en-passant promotion pv ponder-move mated stalemated"),
    fault("wants-clocks", "fen"),
    fault("dies-in-a-crowd", "fen"),
    fault("blind-to-file-i", "points"),
    fault("no-castling", "castling"),
    fault("no-en-passant", "en-passant"),
    fault("no-archbishop", "promotion long-game"),
    fault("upper-case-promotions", "promotion"),
    fault("dies-at-bad-fen", "bad-fen"),
    fault("dies-at-illegal-move", "bytes bad-moves"),
    fault("dies-in-long-games", "long-game"),
    fault("none-when-drawn", "draws infinite"),
    // Limits.
    slow("ignores-depth", "depth"),
    slow("ignores-nodes", "nodes"),
    slow("overshoots-movetime", "movetime"),
    slow("overstays-clock", "clock"),
    slow("reads-other-clock", "clock"),
    fault("dies-at-negative-clock", "odd-limits"),
    fault("dies-at-mate", "mate"),
    Fault { patience: PATIENCE_WITH_SLOW, ..warned("ignores-mate", "mate") },
    fault("ignores-searchmoves", "searchmoves"),
    // `stop` and other commands during a search.
    fault("impatient", "infinite ready-searching"),
    fault("impatient-when-forced", "infinite"),
    fault("answers-twice", "one-answer early-stop late-stop double-go new-position ponder-race"),
    fault("answers-idle-stop", "idle-stop late-stop ponder-race"),
    fault("answers-late-stop", "idle-stop late-stop ponder-race"),
    slow("loses-early-stop", "early-stop ponder-race"),
    slow("deaf-while-searching", "ready-searching new-position"),
    fault("dies-at-second-go", "double-go"),
    fault("dies-at-position-while-searching", "new-position"),
    fault("forgets-search-at-position", "new-position"),
    fault("answers-in-new-position", "new-position"),
    fault("does-not-ponder", "ponder"),
    fault("ponders-no-longer-than-depth", "ponder"),
    slow("deaf-to-ponderhit", "ponder ponder-race"),
    Fault { skipped: "ponder ponder-race quit-pondering", ..fault("no-ponder", "") },
    // Search output.
    Fault { skipped: "multipv", ..fault("hashfull-in-percent-and-more", "info") },
    Fault { skipped: "multipv", ..fault("score-in-pawns", "info") },
    Fault { skipped: "multipv", ..fault("score-without-unit", "info") },
    Fault { skipped: "multipv", ..fault("pv-in-san", "info") },
    warned("unknown-word", "info"),
    Fault { warned: "info", ..fault("tells-nothing", "multipv") },
    fault("depth-falls", "info-order"),
    fault("nodes-fall", "info-order"),
    fault("illegal-pv", "pv"),
    warned("pv-of-another-move", "pv"),
    fault("illegal-ponder-move", "ponder-move"),
    fault("comments-on-bestmove", "ponder-move"),
    fault("one-line-only", "multipv"),
    fault("same-line-again", "multipv"),
    fault("a-line-too-many", "multipv"),
    Fault { skipped: "multipv", ..fault("no-multipv", "") },
    slow("silent-when-mated", "mated stalemated"),
    fault("moves-when-mated", "mated stalemated"),
    fault("calm-when-mated", "mated stalemated"),
    fault("stalemate-as-mate", "stalemated"),
    // Resources and exit.
    fault("makes-noise", "idle"),
    fault("works-when-idle", "idle"),
    fault("leaks", "memory"),
    Fault { patience: PATIENCE_WITH_SLOWEST, ..fault("deaf-to-quit", QUITS) },
    slow("deaf-to-quit-searching", "quit-searching"),
    slow("deaf-to-quit-pondering", "quit-pondering"),
    fault("exit-status", QUITS),
    fault("says-goodbye", QUITS),
    slow("leaves-a-child", "quit quit-searching quit-pondering end-of-input end-searching"),
    slow("deaf-to-end", "end-of-input end-searching"),
    slow("deaf-to-end-searching", "end-searching"),
];

/// Many times the default timeout, since many runs wait at the same time.
const PATIENCE: f64 = 2.0;
/// The default timeout, where a test would take too long otherwise.
const PATIENCE_WITH_SLOW: f64 = 1.0;
/// For an engine with a timeout at the end of all checks.
const PATIENCE_WITH_SLOWEST: f64 = 0.7;
/// For an engine that times out in the longest wait.
const PATIENCE_WITH_GRAVE: f64 = 0.4;

/// The slowest come first.
pub fn tests() -> impl Iterator<Item = Trial> {
    let mut faults: Vec<&Fault> = FAULTS.iter().collect();
    faults.sort_by(|one, other| one.patience.total_cmp(&other.patience));
    let test = |fault: &'static Fault| {
        Trial::test(format!("fault::{}", fault.name), move || is_found(fault))
    };
    faults.into_iter().map(test)
}

pub fn finds_any(check: &str) -> bool {
    FAULTS.iter().any(|fault| fault.failed.split(' ').any(|name| name == check))
}

pub fn checks() -> &'static [String] {
    static CHECKS: OnceLock<Vec<String>> = OnceLock::new();
    CHECKS.get_or_init(|| {
        let list = ComplianceRun::run("--list").out;
        list.lines().filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect()
    })
}

/// The checks to run: in quick tests those that must find the fault, otherwise all, since no other
/// may find it.
fn tried(fault: &Fault) -> String {
    let named = [fault.failed, fault.warned, fault.skipped].join(" ");
    let named: Vec<&str> = named.split_whitespace().filter(|name| *name != ALL).collect();
    if effort([true, false, false]) && !named.is_empty() {
        return named.join(",");
    }
    checks().iter().step_by(effort([4, 1, 1])).map(String::as_str).collect::<Vec<_>>().join(",")
}

fn is_found(fault: &Fault) -> Result<(), Failed> {
    // Long tests have time, and more runs wait in parallel.
    let patience = fault.patience * effort([1.0, 1.5, 1.5]);
    let words = format!("--json --patience {patience} --only {} MOCK {}", tried(fault), fault.name);
    let run = ComplianceRun::run(&words);
    for (verdict, expected) in
        [("failed", fault.failed), ("warned", fault.warned), ("skipped", fault.skipped)]
    {
        let got = run.names(verdict).join(" ");
        if got != expected && expected != ALL {
            let ComplianceRun { out, err, .. } = run;
            return Err(format!("{verdict}: {got}\n{out}{err}").into());
        }
    }
    if run.status != Some(i32::from(!fault.failed.is_empty())) {
        return Err(format!("exit status {:?}\n{}", run.status, run.err).into());
    }
    for report in run.reports() {
        if report["verdict"] == "failed" || report["verdict"] == "warned" {
            let is_told = |key: &str| report[key].as_str().is_some_and(|text| !text.is_empty());
            if !is_told("expected") || !is_told("got") {
                return Err(format!("not told: {report}").into());
            }
        }
    }
    Ok(())
}
