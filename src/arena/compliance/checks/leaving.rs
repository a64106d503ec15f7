//! Resource limits, and the end of the engine's process.

use std::process::ExitStatus;
use std::time::Duration;

use crate::announced_option::OptionKind;
use crate::compliance::checks::pondering::pondering;
use crate::compliance::engine_under_test::{Ending, EngineUnderTest, Setup};
use crate::compliance::examiner::{CheckError, Examiner, Finding, Outcome, SEARCH, SET_UP, quoted};
use crate::engine_process::Line;

/// How long an idle engine is watched, and the processor time it may take in
/// that.
const IDLE: Duration = Duration::from_millis(500);
const IDLE_WORK: Duration = Duration::from_millis(20);

/// The short games that show whether memory grows: how many, the moves of each, and the
/// first that counts.
const GAMES: usize = 40;
const GAME_MOVES: usize = 4;
const FIRST_COUNTED: usize = 10;
/// The transposition table that an engine is given for that, in megabytes.
const HASH: i64 = 16;
/// The most that its memory may grow beyond its transposition table, in megabytes.
const GROWTH: u64 = 32;
/// The growth of an engine of which nobody knows how large its transposition table is.
const UNKNOWN_HASH: u64 = 256;
const MEGABYTE: u64 = 1 << 20;

/// How long a search or pondering runs before it is ended.
const RUN: Duration = Duration::from_millis(100);

pub(super) fn idle(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    engine.go(&Setup::start(), "go movetime 100")?;
    engine.answer(examiner.within(SEARCH))?;
    engine.keep_exchange();
    // An answer too many is another check's matter.
    engine.listen(RUN)?;
    let before = engine.usage();
    let lines = engine.listen(IDLE)?;
    let after = engine.usage();
    if let Some(line) = lines.first() {
        return Err(engine.fault("silence after the answer", quoted(&line.text)));
    }
    if let (Some(before), Some(after)) = (before, after) {
        let work = after.time.saturating_sub(before.time);
        if work >= IDLE_WORK {
            let expected = "no work after the answer";
            let got =
                format!("{} ms of processor time in {} ms", work.as_millis(), IDLE.as_millis());
            return Err(engine.fault(expected, got));
        }
    }
    Ok(())
}

pub(super) fn memory(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let unknown = || CheckError::Skip("this system does not tell what a process takes".to_owned());
    let hash = match engine.greeting.option("Hash").map(|option| &option.kind) {
        Some(OptionKind::Spin { min: Some(min), max: Some(max) }) => Some(HASH.clamp(*min, *max)),
        _ => None,
    };
    if let Some(hash) = hash {
        engine.send(&format!("setoption name Hash value {hash}"))?;
        engine.ready(examiner.within(SET_UP))?;
    }
    let mut before = 0;
    for game in 0..GAMES {
        if game == FIRST_COUNTED {
            before = engine.usage().ok_or_else(unknown)?.memory;
        }
        engine.send("ucinewgame")?;
        engine.ready(examiner.within(SET_UP))?;
        for moves in 0..GAME_MOVES {
            engine.think(&Setup::start().wander(2 * moves, game as u64))?;
        }
    }
    let after = engine.usage().ok_or_else(unknown)?.memory;
    let grown = after.saturating_sub(before) / MEGABYTE;
    let allowed = GROWTH + hash.map_or(UNKNOWN_HASH, |hash| hash.unsigned_abs());
    if grown > allowed {
        let games = GAMES - FIRST_COUNTED;
        return Err(CheckError::Fault(Finding {
            sent: format!("{games} times `ucinewgame` and {GAME_MOVES} small searches"),
            expected: format!("memory to grow by {allowed} MB at most"),
            got: format!("{grown} MB more"),
        }));
    }
    Ok(())
}

pub(super) fn quit(examiner: &Examiner<'_>) -> Outcome {
    let mut fresh = EngineUnderTest::start(examiner)?;
    fresh.send("quit")?;
    // A word before `uci` is another check's matter.
    let ending = fresh.ending()?;
    expect_all_gone(&fresh, &ending)?;
    expect_success(&fresh, ending.status)?;
    let mut engine = examiner.greeted()?;
    engine.send("quit")?;
    expect_good_end(&mut engine, 0)
}

pub(super) fn quit_searching(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    engine.go(&Setup::start(), "go infinite")?;
    engine.listen(RUN)?;
    engine.send("quit")?;
    // The search may still be answered.
    expect_good_end(&mut engine, 1)
}

pub(super) fn quit_pondering(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = pondering(examiner)?;
    engine.go(&Setup::start(), "go ponder wtime 1000 btime 1000")?;
    engine.listen(RUN)?;
    engine.send("quit")?;
    expect_good_end(&mut engine, 1)
}

pub(super) fn end_of_input(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.greeted()?;
    engine.hang_up();
    expect_end(&mut engine, 0).map(drop)
}

pub(super) fn end_searching(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    engine.go(&Setup::start(), "go infinite")?;
    engine.listen(RUN)?;
    engine.hang_up();
    expect_end(&mut engine, 1).map(drop)
}

/// It ends as it was told to, with exit status 0.
fn expect_good_end(engine: &mut EngineUnderTest<'_>, answers: usize) -> Outcome {
    let status = expect_end(engine, answers)?;
    expect_success(engine, status)
}

fn expect_success(engine: &EngineUnderTest<'_>, status: ExitStatus) -> Outcome {
    if status.success() { Ok(()) } else { Err(engine.fault("exit status 0", status.to_string())) }
}

/// It ends, leaves nothing running, and says nothing more but this many answers
/// with their `info` lines.
fn expect_end(engine: &mut EngineUnderTest<'_>, answers: usize) -> Outcome<ExitStatus> {
    let ending = engine.ending()?;
    expect_all_gone(engine, &ending)?;
    let is_answer = |line: &&Line| line.begins_with("bestmove");
    let is_of_search = |line: &Line| line.begins_with("info") || line.begins_with("bestmove");
    let may_come = |line: &Line| line.text.is_empty() || (answers > 0 && is_of_search(line));
    if let Some(line) = ending.lines.iter().find(|line| !may_come(line)) {
        return Err(engine.fault("nothing more", quoted(&line.text)));
    }
    let given = ending.lines.iter().filter(is_answer).count();
    if given > answers {
        return Err(engine.fault("one `bestmove` at most", given.to_string()));
    }
    Ok(ending.status)
}

fn expect_all_gone(engine: &EngineUnderTest<'_>, ending: &Ending) -> Outcome {
    if ending.left.is_empty() {
        return Ok(());
    }
    let got = format!("still running: {}", quoted(&ending.left.join(", ")));
    Err(engine.fault("all its processes to end", got))
}
