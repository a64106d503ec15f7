//! `go ponder`.

use std::time::Duration;

use crate::compliance::checks::stopping::{expect_no_other, two_sides};
use crate::compliance::engine_under_test::EngineUnderTest;
use crate::compliance::examiner::{CheckError, Examiner, MARGIN, Outcome, PROMPT, WATCH};

/// Milliseconds on the clock while pondering: less than is pondered.
const CLOCK: u64 = 200;
/// How often a race is run, in each of its kinds.
const RACES: usize = 12;

/// The engine, told that it may ponder.
pub(super) fn pondering<'a>(examiner: &'a Examiner<'a>) -> Outcome<EngineUnderTest<'a>> {
    let mut engine = examiner.engine()?;
    if engine.greeting.option("Ponder").is_none() {
        return Err(CheckError::Skip("announces no option `Ponder`".to_owned()));
    }
    engine.send("setoption name Ponder value true")?;
    Ok(engine)
}

pub(super) fn ponder(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = pondering(examiner)?;
    let clock = format!("go ponder wtime {CLOCK} btime {CLOCK}");
    let in_time = Duration::from_millis(CLOCK) + examiner.within(MARGIN);
    let prompt = examiner.within(PROMPT);
    let setups = two_sides();
    for ((go, end, limit), setup) in [
        (clock.as_str(), "ponderhit", in_time),
        (&clock, "stop", prompt),
        // The end of the depth is not the end of the opponent's thoughts.
        ("go ponder depth 1", "ponderhit", prompt),
        ("go ponder depth 1", "stop", prompt),
    ]
    .into_iter()
    .zip(setups.iter().cycle())
    {
        engine.go(setup, go)?;
        engine.expect_no_answer(WATCH, "before `ponderhit` or `stop`")?;
        engine.send(end)?;
        engine.legal_answer(setup, limit)?;
    }
    Ok(())
}

pub(super) fn race(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = pondering(examiner)?;
    let [white, black] = two_sides();
    for end in ["stop", "ponderhit", "ponderhit\nstop"] {
        for setup in [&white, &black].into_iter().cycle().take(RACES) {
            let position = setup.command();
            let go = "go ponder wtime 100 btime 100";
            engine.send_bytes(format!("{position}\n{go}\n{end}\n").as_bytes())?;
            engine.legal_answer(setup, examiner.within(PROMPT))?;
        }
    }
    expect_no_other(examiner, &mut engine)
}
