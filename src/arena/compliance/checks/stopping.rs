//! `stop`, and what else comes during a search.

use std::time::Duration;

use crate::compliance::checks::go_limits::MATE_IN_ONE;
use crate::compliance::engine_under_test::{Answer, EngineUnderTest, Setup};
use crate::compliance::examiner::{Examiner, Outcome, PROMPT, SEARCH, WATCH};
use crate::engine_process::Line;

/// A single legal move.
const FORCED: &str = "5K1k1/9/9/9/9/9/4r4/9/9 w - - 0 1";
/// Nobody can win.
const DEAD: &str = "4k4/9/9/9/9/9/9/9/4K4 w - - 0 90";

/// How long a search runs before `stop` where that is no race.
const RUN: Duration = Duration::from_millis(50);
/// How often a race is run.
const RACES: u32 = 40;
/// By how much the pause between the runners grows from one race to the next.
const RACE_STEP: Duration = Duration::from_micros(150);

/// Two positions in which no move is legal in both, so that an answer tells
/// which of them it belongs to.
pub(super) fn two_sides() -> [Setup; 2] {
    [Setup::start(), Setup::start().moves("e2e4")]
}

pub(super) fn infinite(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let [white, black] = two_sides();
    let others = [MATE_IN_ONE, FORCED, DEAD].map(Setup::fen);
    for setup in [white, black].iter().chain(&others) {
        engine.go(setup, "go infinite")?;
        engine.expect_no_answer(WATCH, "before `stop`")?;
        engine.send("stop")?;
        engine.legal_answer(setup, examiner.within(PROMPT))?;
    }
    Ok(())
}

pub(super) fn one_answer(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    for go in ["go depth 2 movetime 50", "go movetime 20", "go infinite"] {
        for setup in two_sides() {
            engine.go(&setup, go)?;
            if go == "go infinite" {
                std::thread::sleep(RUN);
                engine.send("stop")?;
            }
            engine.legal_answer(&setup, examiner.within(SEARCH))?;
            engine.keep_exchange();
            engine.expect_no_answer(WATCH / 2, "after the first")?;
        }
    }
    Ok(())
}

pub(super) fn idle_stop(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    for searched in [false, true] {
        if searched {
            engine.think(&Setup::start())?;
            // A second answer is another check's matter.
            engine.ready(examiner.within(PROMPT))?;
        }
        engine.send("stop")?;
        engine.send("stop")?;
        engine.expect_no_answer(WATCH, "without a `go`")?;
        let lines = engine.ready(examiner.within(PROMPT))?;
        engine.expect_none(&lines, "without a `go`")?;
    }
    Ok(())
}

pub(super) fn early_stop(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    for (race, setup) in (0..RACES).zip(two_sides().iter().cycle()) {
        let position = setup.command();
        if race < RACES / 2 {
            engine.send_bytes(format!("{position}\ngo infinite\nstop\n").as_bytes())?;
        } else {
            engine.send_bytes(format!("{position}\ngo infinite\n").as_bytes())?;
            std::thread::sleep(RACE_STEP * (race - RACES / 2));
            engine.send("stop")?;
        }
        engine.legal_answer(setup, examiner.within(PROMPT))?;
    }
    expect_no_other(examiner, &mut engine)
}

pub(super) fn late_stop(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    for (race, setup) in (0..RACES).zip(two_sides().iter().cycle()) {
        let position = setup.command();
        engine.send_bytes(format!("{position}\ngo depth 1 movetime 20\n").as_bytes())?;
        std::thread::sleep(RACE_STEP * race);
        engine.send("stop")?;
        engine.legal_answer(setup, examiner.within(PROMPT))?;
    }
    expect_no_other(examiner, &mut engine)
}

/// No answer is left over after races.
pub(super) fn expect_no_other(
    examiner: &Examiner<'_>,
    engine: &mut EngineUnderTest<'_>,
) -> Outcome {
    engine.keep_exchange();
    let lines = engine.ready(examiner.within(PROMPT))?;
    engine.expect_none(&lines, "beyond one for each `go`")?;
    engine.expect_no_answer(WATCH / 2, "beyond one for each `go`")
}

pub(super) fn ready_searching(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let setup = Setup::start();
    engine.go(&setup, "go infinite")?;
    for _ in 0..2 {
        let lines = engine.ready(examiner.within(PROMPT))?;
        engine.expect_none(&lines, "for `isready`")?;
    }
    engine.expect_no_answer(WATCH, "for `isready`")?;
    engine.send("stop")?;
    engine.legal_answer(&setup, examiner.within(PROMPT)).map(drop)
}

pub(super) fn double_go(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let setup = Setup::start();
    engine.go(&setup, "go movetime 200")?;
    engine.send("go depth 2 movetime 50")?;
    engine.legal_answer(&setup, examiner.within(SEARCH))?;
    engine.keep_exchange();
    // Whether the second is answered, the protocol does not say.
    let mut lines = engine.listen(WATCH)?;
    lines.extend(engine.ready(examiner.within(PROMPT))?);
    let others = count_answers(&lines);
    if others > 1 {
        let got = format!("{} for two", 1 + others);
        return Err(engine.fault("no more than one `bestmove` for each `go`", got));
    }
    engine.think(&Setup::start().moves("e2e4")).map(drop)
}

pub(super) fn new_position(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let [searched, other] = two_sides();
    engine.go(&searched, "go infinite")?;
    engine.send(&other.command())?;
    let mut lines = engine.ready(examiner.within(PROMPT))?;
    std::thread::sleep(RUN);
    engine.send("stop")?;
    lines.extend(engine.ready(examiner.within(PROMPT))?);
    lines.extend(engine.listen(WATCH)?);
    let count = count_answers(&lines);
    if count != 1 {
        let got = format!("{count} of them");
        return Err(engine.fault("one `bestmove`, by `stop` at the latest", got));
    }
    if let Some(line) = lines.into_iter().find(|line| line.begins_with("bestmove")) {
        engine.expect_legal(&searched, &Answer::of(line))?;
    }
    engine.think(&other).map(drop)
}

fn count_answers(lines: &[Line]) -> usize {
    lines.iter().filter(|line| line.begins_with("bestmove")).count()
}

#[cfg(test)]
mod tests {
    use qirkat_game::Rules;

    use super::*;

    #[test]
    fn no_move_is_legal_on_both_sides() {
        let [white, black] = two_sides().map(|setup| setup.legal());
        assert!(white.iter().all(|mv| !black.contains(mv)));
        assert_eq!(Setup::fen(FORCED).legal().len(), 1);
        assert!(Setup::fen(DEAD).position().is_dead());
    }
}
