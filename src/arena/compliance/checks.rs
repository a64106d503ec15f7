//! The list of all checks, and how they run. Each check restarts the engine, so that one fault does
//! not affect another check, and ignores what other checks test.

use std::time::{Duration, Instant};

use derive_more::Debug;

use self::Needs::{Greets, Lives, Moves, Nothing, Starts, Tells};
use super::engine_under_test::EngineUnderTest;
use super::examiner::{CheckError, Examiner, Outcome, SET_UP, Verdict};
use super::positions::{
    CASTLINGS, DRAWS, EN_PASSANTS, FENS, Setup, after, bad_moves, bad_positions, games, lone_kings,
    long_games, promotions,
};
use super::search_checks::{
    clock, double_go, early_stop, idle_stop, infinite, info, info_order, late_stop, mate, mated,
    move_time, multi_pv, new_position, odd_limits, one_answer, ponder, ponder_move, ponder_race,
    pv, ready_searching, search_moves, small, stalemated,
};
use super::state_checks::{
    BYTES, DEBUG, GARBAGE, LONG_LINE, blanks, end_searching, hang_up, identity, idle, memory,
    new_game, option_errors, option_values, options, quit, quit_during, quit_pondering, ready,
    silence, survive_and_move, variant,
};

#[derive(Debug)]
#[debug("{name}")]
pub struct Check {
    /// A short name, stable across versions.
    pub name: &'static str,
    pub title: &'static str,
    pub(super) needs: Needs,
    pub(super) make: fn(&mut EngineUnderTest<'_>) -> Outcome,
}

/// What a check requires: how far the engine is set up, and which checks it must pass first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// The engine is only started; for checks of the greeting, as in [`Starts`].
    Nothing,
    Starts,
    Greets,
    /// The engine is ready to play.
    Lives,
    Moves,
    Tells,
}

impl Needs {
    pub fn checks(self) -> &'static [&'static str] {
        match self {
            Nothing => &[],
            Starts | Greets => &["uci"],
            Lives => &["uci", "ready"],
            Moves => &["uci", "ready", "startpos"],
            Tells => &["uci", "ready", "startpos", "info"],
        }
    }
}

#[derive(Clone, Debug)]
pub struct Report {
    pub check: &'static Check,
    pub verdict: Verdict,
    pub time: Duration,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoReport {
    #[error("{0}")]
    NoStart(String),
    #[error("interrupted")]
    Interrupted,
}

impl Examiner<'_> {
    fn talk(&self, check: &Check) -> Outcome {
        let mut engine = EngineUnderTest::start(self)?;
        if !matches!(check.needs, Nothing | Starts) {
            engine.greet()?;
            if check.needs != Greets {
                engine.choose_variant()?;
                engine.ready(SET_UP)?;
            }
        }
        (check.make)(&mut engine)
    }

    pub fn examine(&self, check: &'static Check) -> Result<Report, NoReport> {
        let start = Instant::now();
        if let Some(transcript) = self.transcript.lock().as_mut() {
            transcript.begin(check.name);
        }
        let needed = check.needs.checks().iter().find(|name| self.failed.borrow().contains(*name));
        let result = match needed {
            Some(name) => Err(CheckError::Skip(format!("needs `{name}`"))),
            None => self.talk(check),
        };
        let verdict = match result {
            Ok(()) => Verdict::Passed,
            Err(CheckError::Warning(finding)) => Verdict::Warned(finding),
            Err(CheckError::Fault(finding)) => Verdict::Failed(finding),
            Err(CheckError::Skip(reason)) => Verdict::Skipped(reason),
            Err(CheckError::Interrupted) => return Err(NoReport::Interrupted),
            Err(CheckError::NoStart(reason)) => return Err(NoReport::NoStart(reason)),
        };
        if needed.is_some() || matches!(verdict, Verdict::Failed(_)) {
            self.failed.borrow_mut().insert(check.name);
        }
        Ok(Report { check, verdict, time: start.elapsed() })
    }
}

const fn check(
    name: &'static str,
    title: &'static str,
    needs: Needs,
    make: fn(&mut EngineUnderTest<'_>) -> Outcome,
) -> Check {
    Check { name, title, needs, make }
}

pub static CHECKS: &[Check] = &[
    check("uci", "answers `uci` with `uciok`", Nothing, |e| e.greet()),
    check("silence", "says nothing before `uci`", Starts, silence),
    check("identity", "says `id name` and `id author`, once each", Greets, identity),
    check("options", "announces its options in good form", Greets, options),
    check("variant", "has `chesquerque` among `UCI_Variant`", Greets, variant),
    check("ready", "answers each `isready` with one `readyok`", Greets, ready),
    check("startpos", "moves in `position startpos`", Lives, |e| e.think_in([Setup::start()])),
    check("option-values", "takes the bounds of every option", Moves, option_values),
    check("option-errors", "survives unknown options and bad values", Lives, option_errors),
    check("garbage", "survives empty lines and unknown commands", Lives, |e| e.survive(GARBAGE)),
    check("long-line", "survives a line of a million letters", Lives, |e| {
        e.survive(["x".repeat(LONG_LINE)])
    }),
    check("bytes", "survives bytes that are not UTF-8", Lives, |e| e.survive(BYTES)),
    check("debug", "takes `debug on`, `debug off` and `register later`", Lives, |e| {
        e.survive(DEBUG)
    }),
    check("blanks", "takes blanks, tabs and CR LF between and behind words", Moves, blanks),
    check("moves", "moves after `position startpos moves`", Moves, |e| e.think_in(games())),
    check("new-game", "takes `ucinewgame`, again and again", Moves, new_game),
    check("fen", "moves in `position fen`, for both sides", Moves, |e| {
        e.think_in(FENS.map(Setup::fen))
    }),
    check("points", "knows each of the 81 points", Moves, |e| e.think_in(lone_kings())),
    check("castling", "follows castling on both wings", Moves, |e| e.think_in(after(&CASTLINGS))),
    check("en-passant", "follows and makes captures en passant", Moves, |e| {
        e.think_in(after(&EN_PASSANTS))
    }),
    check("promotion", "follows and makes promotions", Moves, |e| e.think_in(promotions())),
    check("bad-fen", "survives malformed positions", Moves, |e| {
        survive_and_move(e, bad_positions())
    }),
    check("bad-moves", "survives illegal moves in `position`", Moves, |e| {
        survive_and_move(e, bad_moves())
    }),
    check("long-game", "moves after hundreds of moves", Moves, |e| e.think_in(long_games())),
    check("draws", "moves though a draw could be claimed", Moves, |e| e.think_in(after(&DRAWS))),
    check("depth", "keeps `go depth`", Moves, |e| small(e, ["depth 1", "depth 2", "depth 4"])),
    check("nodes", "keeps `go nodes`", Moves, |e| small(e, ["nodes 1", "nodes 100", "nodes 5000"])),
    check("movetime", "keeps `go movetime`", Moves, move_time),
    check("clock", "keeps within its own clock", Moves, clock),
    check("odd-limits", "answers at odd clocks and limits", Moves, odd_limits),
    check("mate", "answers `go mate`", Moves, mate),
    check("searchmoves", "keeps `go searchmoves`", Moves, search_moves),
    check("infinite", "searches on until `stop`, then answers", Moves, infinite),
    check("one-answer", "answers each `go` with one `bestmove`", Moves, one_answer),
    check("idle-stop", "does not answer `stop` without a search", Moves, idle_stop),
    check("early-stop", "answers `stop` at once behind `go`", Moves, early_stop),
    check("late-stop", "answers once when `stop` comes late", Moves, late_stop),
    check("ready-searching", "answers `isready` and searches on", Moves, ready_searching),
    check("double-go", "survives `go` during a search", Moves, double_go),
    check("new-position", "survives `position` in a search", Moves, new_position),
    check("ponder", "ponders until `ponderhit` or `stop`", Moves, ponder),
    check("ponder-race", "answers `ponderhit` and `stop` at once behind `go`", Moves, ponder_race),
    check("info", "writes `info` lines in good form", Moves, info),
    check("info-order", "depth, nodes and time never fall", Moves, info_order),
    check("pv", "shows lines of legal moves", Moves, pv),
    check("ponder-move", "expects a legal reply", Moves, ponder_move),
    check("multipv", "shows as many lines as `MultiPV` says", Tells, multi_pv),
    check("mated", "has no move when mated", Moves, mated),
    check("stalemated", "has no move in stalemate", Moves, stalemated),
    check("idle", "is quiet when nothing is asked of it", Moves, idle),
    check("memory", "takes no more memory from game to game", Moves, memory),
    check("quit", "ends at `quit`", Starts, quit),
    check("quit-searching", "ends at `quit` in a search", Moves, |e| quit_during(e, "go infinite")),
    check("quit-pondering", "ends at `quit` while pondering", Moves, quit_pondering),
    check("end-of-input", "ends with its input", Greets, |e| hang_up(e, 0)),
    check("end-searching", "ends with its input in a search", Moves, end_searching),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_good_and_checks_come_after_what_they_need() {
        for (index, check) in CHECKS.iter().enumerate() {
            let is_plain = |letter: char| letter.is_ascii_lowercase() || letter == '-';
            assert!(check.name.chars().all(is_plain), "{check:?}");
            assert!(check.name.len() <= 15 && check.title.len() <= 60, "{check:?}");
            let earlier = &CHECKS[..index];
            assert!(earlier.iter().all(|other| other.name != check.name), "{check:?}");
            for needed in check.needs.checks() {
                assert!(earlier.iter().any(|other| other.name == *needed), "{check:?}");
            }
        }
    }
}
