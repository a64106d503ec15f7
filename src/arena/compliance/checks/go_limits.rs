//! The limits of `go`: time, depth, nodes and `searchmoves`.

use std::time::Duration;

use qirkat_rules::chesquerque::Move;

use crate::compliance::engine_under_test::{Answer, Setup};
use crate::compliance::examiner::{
    CheckError, Examiner, MARGIN, Outcome, PROMPT, SEARCH, WATCH, quoted,
};

const DEPTHS: [u32; 3] = [1, 2, 4];
const NODES: [u32; 3] = [1, 100, 5_000];
const MOVE_TIMES: [u64; 3] = [10, 100, 300];

/// Clocks, with the milliseconds in which an answer is due: White's in the
/// first, Black's in the second.
const WHITE_CLOCKS: [(&str, u64); 5] = [
    ("wtime 1000 btime 1000", 1000),
    ("wtime 300 btime 600000 winc 0 binc 0", 300),
    ("wtime 200 btime 200 winc 100 binc 100", 200),
    ("wtime 500 btime 500 movestogo 1", 500),
    ("btime 60000 wtime 400 binc 5 winc 5 movestogo 40", 400),
];
const BLACK_CLOCKS: [(&str, u64); 2] =
    [("wtime 600000 btime 300 winc 0 binc 0", 300), ("btime 200 wtime 90000 movestogo 10", 200)];

/// Clocks and limits at which a move is due at once.
const HURRIES: [&str; 7] = [
    "wtime 0 btime 0",
    "wtime 0 btime 0 winc 100 binc 100",
    "wtime -1000 btime -1000 winc 0 binc 0",
    "wtime 1 btime 1 winc 0 binc 0",
    "wtime 50 btime 50 movestogo 0",
    "wtime 50 btime 50 movestogo -3",
    "movetime 1",
];
/// Clocks and limits of which nobody can say how long a search takes.
const ODDITIES: [&str; 11] = [
    "wtime 9223372036854775807 btime 9223372036854775807",
    "wtime 99999999999999999999999 btime 99999999999999999999999",
    "wtime 1000 btime 1000 winc 99999999999 binc 99999999999",
    "wtime 1000 btime 1000 movestogo 99999999999",
    "movetime 0",
    "movetime -100",
    "depth 0",
    "depth -3",
    "depth 1000000",
    "nodes 0",
    "nodes 18446744073709551615",
];

/// White mates at once.
pub(super) const MATE_IN_ONE: &str = "9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60";

pub(super) fn depth(examiner: &Examiner<'_>) -> Outcome {
    ends_by_itself(examiner, DEPTHS.map(|depth| format!("go depth {depth}")))
}

pub(super) fn nodes(examiner: &Examiner<'_>) -> Outcome {
    ends_by_itself(examiner, NODES.map(|nodes| format!("go nodes {nodes}")))
}

/// A small search that is answered.
fn ends_by_itself(examiner: &Examiner<'_>, questions: impl IntoIterator<Item = String>) -> Outcome {
    let mut engine = examiner.engine()?;
    for go in questions {
        for setup in [Setup::start(), Setup::start().moves("e2e4")] {
            engine.go(&setup, &go)?;
            engine.legal_answer(&setup, examiner.within(SEARCH))?;
        }
    }
    Ok(())
}

pub(super) fn move_time(examiner: &Examiner<'_>) -> Outcome {
    let setups = [Setup::start(), Setup::start().moves("e2e4")];
    in_time(
        examiner,
        setups.iter().flat_map(|setup| {
            MOVE_TIMES.map(|time| (setup.clone(), format!("go movetime {time}"), time))
        }),
    )
}

pub(super) fn clock(examiner: &Examiner<'_>) -> Outcome {
    let white = WHITE_CLOCKS.iter().map(|clock| (Setup::start(), clock));
    let black = BLACK_CLOCKS.iter().map(|clock| (Setup::start().moves("e2e4"), clock));
    in_time(
        examiner,
        white.chain(black).map(|(setup, (clock, time))| (setup, format!("go {clock}"), *time)),
    )
}

/// Searches that are answered within their time in milliseconds.
fn in_time(
    examiner: &Examiner<'_>,
    questions: impl Iterator<Item = (Setup, String, u64)>,
) -> Outcome {
    let mut engine = examiner.engine()?;
    for (setup, go, time) in questions {
        engine.go(&setup, &go)?;
        let limit = Duration::from_millis(time);
        let answer = engine.legal_answer(&setup, limit + examiner.within(SEARCH))?;
        if answer.took > limit + examiner.within(MARGIN) {
            let came = format!("it after {} ms", answer.took.as_millis());
            return Err(engine.fault(format!("`bestmove` within {time} ms"), came));
        }
    }
    Ok(())
}

pub(super) fn odd(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let setup = Setup::start();
    for limit in HURRIES {
        engine.go(&setup, &format!("go {limit}"))?;
        engine.legal_answer(&setup, examiner.within(PROMPT))?;
    }
    for limit in ODDITIES {
        engine.go(&setup, &format!("go {limit}"))?;
        let answer = engine.answer_or_stop(WATCH)?.0;
        engine.expect_legal(&setup, &answer)?;
    }
    Ok(())
}

pub(super) fn mate(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let quiet = Setup::start();
    engine.go(&quiet, "go mate 1")?;
    let (answer, _) = engine.answer_or_stop(WATCH)?;
    engine.expect_legal(&quiet, &answer)?;
    let setup = Setup::fen(MATE_IN_ONE);
    engine.go(&setup, "go mate 1")?;
    let patience = examiner.within(PROMPT);
    let (answer, by_itself) = engine.answer_or_stop(patience)?;
    engine.expect_legal(&setup, &answer)?;
    if by_itself {
        return Ok(());
    }
    // Many engines take it for `go infinite`, and few programs ask for it.
    let finding = engine.finding(format!("`bestmove` within {patience:?}"), "none before `stop`");
    Err(CheckError::Warning(finding))
}

pub(super) fn search_moves(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let setups = [Setup::start(), Setup::start().moves("e2e4"), Setup::fen(MATE_IN_ONE)];
    for setup in &setups {
        let legal = setup.legal();
        let half: Vec<String> = legal.iter().step_by(2).cloned().collect();
        let single = [&legal[..1], &legal[legal.len() - 1..]].map(<[String]>::to_vec);
        for allowed in single.into_iter().chain([half]) {
            let list = allowed.join(" ");
            for go in [
                format!("go depth 2 movetime 50 searchmoves {list}"),
                format!("go searchmoves {list} depth 2 movetime 50"),
            ] {
                engine.go(setup, &go)?;
                let answer = engine.legal_answer(setup, examiner.within(SEARCH))?;
                if let Some(other) = first_moves(&answer).find(|mv| !allowed.contains(mv)) {
                    let expected = format!("only {}", quoted(&list));
                    return Err(engine.fault(expected, quoted(&other)));
                }
            }
        }
    }
    Ok(())
}

/// The move of an answer and those that begin its lines.
fn first_moves(answer: &Answer) -> impl Iterator<Item = String> + '_ {
    let lines = answer.sound_infos().filter_map(|(_, info)| info.pv.first().copied());
    [answer.best.clone()].into_iter().chain(lines.map(|mv: Move| mv.to_string()))
}
