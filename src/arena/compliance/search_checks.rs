//! The checks of `go`: limits, `stop`, pondering, and `info` lines.

use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::Duration;

use qirkat_game::Rules;
use qirkat_rules::chesquerque::Move;

use super::engine_under_test::{Answer, EngineUnderTest, Info};
use super::examiner::{CheckError, MARGIN, Outcome, PROMPT, SEARCH, WATCH, quoted};
use super::positions::{
    BLACKS_MIDDLE, DEAD, FORCED, MATE_IN_ONE, MATED, STALEMATED, Setup, TWO_MOVES, two_sides,
};
use crate::announced_option::OptionKind;
use crate::engine_process::Line;
use crate::info_line::{InfoLine, ReportedScore};

/// In milliseconds.
const MOVE_TIMES: [u64; 3] = [10, 100, 300];
/// Clocks, with the milliseconds in which an answer is due; White's first, then Black's.
const WHITE_CLOCKS: [(&str, u64); 5] = [
    ("wtime 1000 btime 1000", 1000),
    ("wtime 300 btime 600000 winc 0 binc 0", 300),
    ("wtime 200 btime 200 winc 100 binc 100", 200),
    ("wtime 500 btime 500 movestogo 1", 500),
    ("btime 60000 wtime 400 binc 5 winc 5 movestogo 40", 400),
];
const BLACK_CLOCKS: [(&str, u64); 2] =
    [("wtime 600000 btime 300 winc 0 binc 0", 300), ("btime 200 wtime 90000 movestogo 10", 200)];

/// Clocks and limits that require a move at once.
const URGENT_LIMITS: [&str; 7] = [
    "wtime 0 btime 0",
    "wtime 0 btime 0 winc 100 binc 100",
    "wtime -1000 btime -1000 winc 0 binc 0",
    "wtime 1 btime 1 winc 0 binc 0",
    "wtime 50 btime 50 movestogo 0",
    "wtime 50 btime 50 movestogo -3",
    "movetime 1",
];
/// Unusual clocks and limits for which no search time is defined.
const UNUSUAL_LIMITS: [&str; 11] = [
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

/// How long a search runs before `stop` where there is no race.
const RUN: Duration = Duration::from_millis(50);
/// How often each race is run, with and without pondering.
const RACES: u32 = 40;
const PONDER_RACES: usize = 12;
/// How much the pause between the two commands grows per race.
const RACE_STEP: Duration = Duration::from_micros(150);
/// Milliseconds on the clock while pondering: less than the time pondered.
const PONDER_CLOCK: u64 = 200;

const NO_MOVE: [&str; 3] = ["(none)", "0000", "NULL"];
const LINES: i64 = 3;

pub(super) fn small(engine: &mut EngineUnderTest<'_>, limits: [&str; 3]) -> Outcome {
    for limit in limits {
        for setup in two_sides() {
            engine.go(&setup, &format!("go {limit}"))?;
            engine.legal_answer(&setup, SEARCH)?;
        }
    }
    Ok(())
}

pub(super) fn move_time(engine: &mut EngineUnderTest<'_>) -> Outcome {
    for setup in two_sides() {
        for time in MOVE_TIMES {
            in_time(engine, &setup, &format!("go movetime {time}"), time)?;
        }
    }
    Ok(())
}

pub(super) fn clock(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let [white, black] = two_sides();
    for (setup, clocks) in [(white, &WHITE_CLOCKS[..]), (black, &BLACK_CLOCKS)] {
        for (clock, time) in clocks {
            in_time(engine, &setup, &format!("go {clock}"), *time)?;
        }
    }
    Ok(())
}

/// A search that must answer within `time` milliseconds.
fn in_time(engine: &mut EngineUnderTest<'_>, setup: &Setup, go: &str, time: u64) -> Outcome {
    engine.go(setup, go)?;
    let limit = Duration::from_millis(time);
    let answer = engine.answer_within(limit + engine.within(SEARCH))?;
    engine.expect_legal(setup, &answer)?;
    if answer.took > limit + engine.within(MARGIN) {
        let came = format!("it after {} ms", answer.took.as_millis());
        return Err(engine.fault(format!("`bestmove` within {time} ms"), came));
    }
    Ok(())
}

pub(super) fn odd_limits(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let setup = Setup::start();
    for limit in URGENT_LIMITS {
        engine.go(&setup, &format!("go {limit}"))?;
        engine.legal_answer(&setup, PROMPT)?;
    }
    for limit in UNUSUAL_LIMITS {
        engine.go(&setup, &format!("go {limit}"))?;
        let answer = engine.answer_or_stop(WATCH)?.0;
        engine.expect_legal(&setup, &answer)?;
    }
    Ok(())
}

pub(super) fn mate(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let patience = engine.within(PROMPT);
    let mut is_by_itself = false;
    for (setup, time) in [(Setup::start(), WATCH), (Setup::fen(MATE_IN_ONE), patience)] {
        engine.go(&setup, "go mate 1")?;
        let answer;
        (answer, is_by_itself) = engine.answer_or_stop(time)?;
        engine.expect_legal(&setup, &answer)?;
    }
    if is_by_itself {
        return Ok(());
    }
    // Many engines treat it as `go infinite`, and few programs send it.
    let finding = engine.finding(format!("`bestmove` within {patience:?}"), "none before `stop`");
    Err(CheckError::Warning(finding))
}

pub(super) fn search_moves(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let [white, black] = two_sides();
    for setup in [white, black, Setup::fen(MATE_IN_ONE)] {
        let legal = setup.legal();
        let half: Vec<String> = legal.iter().step_by(2).cloned().collect();
        let single = [&legal[..1], &legal[legal.len() - 1..]].map(<[String]>::to_vec);
        for allowed in single.into_iter().chain([half]) {
            let list = allowed.join(" ");
            for go in [
                format!("go depth 2 movetime 50 searchmoves {list}"),
                format!("go searchmoves {list} depth 2 movetime 50"),
            ] {
                engine.go(&setup, &go)?;
                let answer = engine.legal_answer(&setup, SEARCH)?;
                let lines = answer.valid_infos().filter_map(|(_, info)| info.pv.first().copied());
                let firsts = lines.map(|mv: Move| mv.to_string());
                let mut firsts = [answer.best.clone()].into_iter().chain(firsts);
                if let Some(other) = firsts.find(|mv| !allowed.contains(mv)) {
                    let expected = format!("only {}", quoted(&list));
                    return Err(engine.fault(expected, quoted(&other)));
                }
            }
        }
    }
    Ok(())
}

pub(super) fn infinite(engine: &mut EngineUnderTest<'_>) -> Outcome {
    for setup in two_sides().into_iter().chain([MATE_IN_ONE, FORCED, DEAD].map(Setup::fen)) {
        engine.go(&setup, "go infinite")?;
        engine.expect_no_answer(WATCH, "before `stop`")?;
        engine.send("stop")?;
        engine.legal_answer(&setup, PROMPT)?;
    }
    Ok(())
}

pub(super) fn one_answer(engine: &mut EngineUnderTest<'_>) -> Outcome {
    for go in ["go depth 2 movetime 50", "go movetime 20", "go infinite"] {
        for setup in two_sides() {
            engine.go(&setup, go)?;
            if go == "go infinite" {
                sleep(RUN);
                engine.send("stop")?;
            }
            engine.legal_answer(&setup, SEARCH)?;
            engine.quote_exchange();
            engine.expect_no_answer(WATCH / 2, "after the first")?;
        }
    }
    Ok(())
}

pub(super) fn idle_stop(engine: &mut EngineUnderTest<'_>) -> Outcome {
    for searched in [false, true] {
        if searched {
            engine.think(&Setup::start())?;
            // Another check tests for a second answer.
            engine.ready(PROMPT)?;
        }
        engine.send("stop")?;
        engine.send("stop")?;
        engine.expect_no_answer(WATCH, "without a `go`")?;
        engine.ready_without_answer("without a `go`")?;
    }
    Ok(())
}

pub(super) fn early_stop(engine: &mut EngineUnderTest<'_>) -> Outcome {
    for (race, setup) in (0..RACES).zip(two_sides().iter().cycle()) {
        let position = setup.command();
        if race < RACES / 2 {
            engine.send_bytes(format!("{position}\ngo infinite\nstop\n").as_bytes())?;
        } else {
            engine.send_bytes(format!("{position}\ngo infinite\n").as_bytes())?;
            sleep(RACE_STEP * (race - RACES / 2));
            engine.send("stop")?;
        }
        engine.legal_answer(setup, PROMPT)?;
    }
    expect_no_other(engine)
}

pub(super) fn late_stop(engine: &mut EngineUnderTest<'_>) -> Outcome {
    for (race, setup) in (0..RACES).zip(two_sides().iter().cycle()) {
        let position = setup.command();
        engine.send_bytes(format!("{position}\ngo depth 1 movetime 20\n").as_bytes())?;
        sleep(RACE_STEP * race);
        engine.send("stop")?;
        engine.legal_answer(setup, PROMPT)?;
    }
    expect_no_other(engine)
}

fn expect_no_other(engine: &mut EngineUnderTest<'_>) -> Outcome {
    engine.quote_exchange();
    engine.ready_without_answer("beyond one for each `go`")?;
    engine.expect_no_answer(WATCH / 2, "beyond one for each `go`")
}

pub(super) fn ready_searching(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let setup = Setup::start();
    engine.go(&setup, "go infinite")?;
    for _ in 0..2 {
        engine.ready_without_answer("for `isready`")?;
    }
    engine.expect_no_answer(WATCH, "for `isready`")?;
    engine.send("stop")?;
    engine.legal_answer(&setup, PROMPT).map(drop)
}

pub(super) fn double_go(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let [setup, other] = two_sides();
    engine.go(&setup, "go movetime 200")?;
    engine.send("go depth 2 movetime 50")?;
    engine.legal_answer(&setup, SEARCH)?;
    engine.quote_exchange();
    // The protocol does not say whether the second one is answered.
    let mut lines = engine.listen(WATCH)?;
    lines.extend(engine.ready(PROMPT)?);
    let others = count_answers(&lines);
    if others > 1 {
        let got = format!("{} for two", 1 + others);
        return Err(engine.fault("no more than one `bestmove` for each `go`", got));
    }
    engine.think(&other).map(drop)
}

pub(super) fn new_position(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let [searched, other] = two_sides();
    engine.go(&searched, "go infinite")?;
    engine.send(&other.command())?;
    let mut lines = engine.ready(PROMPT)?;
    sleep(RUN);
    engine.send("stop")?;
    lines.extend(engine.ready(PROMPT)?);
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

pub(super) fn allow_pondering(engine: &mut EngineUnderTest<'_>) -> Outcome {
    if engine.greeting.option("Ponder").is_none() {
        return Err(CheckError::Skip("announces no option `Ponder`".to_owned()));
    }
    engine.send("setoption name Ponder value true")
}

pub(super) fn ponder(engine: &mut EngineUnderTest<'_>) -> Outcome {
    allow_pondering(engine)?;
    let clock = format!("go ponder wtime {PONDER_CLOCK} btime {PONDER_CLOCK}");
    let in_time = Duration::from_millis(PONDER_CLOCK) + engine.within(MARGIN);
    let prompt = engine.within(PROMPT);
    let questions = [
        (clock.as_str(), "ponderhit", in_time),
        (&clock, "stop", prompt),
        // Reaching the depth does not end the opponent's turn.
        ("go ponder depth 1", "ponderhit", prompt),
        ("go ponder depth 1", "stop", prompt),
    ];
    for ((go, end, limit), setup) in questions.into_iter().zip(two_sides().iter().cycle()) {
        engine.go(setup, go)?;
        engine.expect_no_answer(WATCH, "before `ponderhit` or `stop`")?;
        engine.send(end)?;
        let answer = engine.answer_within(limit)?;
        engine.expect_legal(setup, &answer)?;
    }
    Ok(())
}

pub(super) fn ponder_race(engine: &mut EngineUnderTest<'_>) -> Outcome {
    allow_pondering(engine)?;
    for end in ["stop", "ponderhit", "ponderhit\nstop"] {
        for setup in two_sides().iter().cycle().take(PONDER_RACES) {
            let position = setup.command();
            let go = "go ponder wtime 100 btime 100";
            engine.send_bytes(format!("{position}\n{go}\n{end}\n").as_bytes())?;
            engine.legal_answer(setup, PROMPT)?;
        }
    }
    expect_no_other(engine)
}

/// Searches of a few positions that produce `info` lines.
fn searches(engine: &mut EngineUnderTest<'_>) -> Outcome<Vec<(Setup, Answer)>> {
    let setups = [Setup::start(), Setup::fen(BLACKS_MIDDLE), Setup::fen(MATE_IN_ONE)];
    let searches = setups.into_iter().map(|setup| {
        engine.go(&setup, "go depth 9 movetime 300")?;
        let answer = engine.answer(SEARCH)?;
        Ok((setup, answer))
    });
    searches.collect()
}

pub(super) fn info(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let searches = searches(engine)?;
    let mut unknown = None;
    for (_, answer) in &searches {
        for line in &answer.infos {
            let info = Info::parse(line).map_err(|reason| {
                engine.fault("a well-formed `info` line", format!("{reason}, in {}", quoted(line)))
            })?;
            unknown = unknown.or(info.line.unknown.map(|word| (word, line)));
        }
    }
    if let Some((word, line)) = unknown {
        let got = format!("{}, in {}", quoted(word), quoted(line));
        return Err(CheckError::Warning(engine.finding("only words that the protocol has", got)));
    }
    let is_told = |(_, answer): &(Setup, Answer)| {
        answer.valid_infos().any(|(_, info)| info.line.score.is_some() && info.line.depth.is_some())
    };
    if searches.iter().all(is_told) {
        return Ok(());
    }
    let finding = engine.finding("an `info` line with `depth` and `score`", "none");
    Err(CheckError::Warning(finding))
}

pub(super) fn info_order(engine: &mut EngineUnderTest<'_>) -> Outcome {
    for (_, answer) in searches(engine)? {
        for (name, figure) in [
            ("depth", (|line| line.depth) as fn(&InfoLine<'_>) -> Option<i64>),
            ("nodes", |line| line.nodes),
            ("time", |line| line.time),
        ] {
            let mut last = 0;
            for (line, info) in answer.valid_infos() {
                let Some(number) = figure(&info.line) else { continue };
                if number < last {
                    let expected = format!("`{name}` of {last} or more");
                    return Err(engine.fault(expected, quoted(line)));
                }
                last = number;
            }
        }
    }
    Ok(())
}

pub(super) fn pv(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let searches = searches(engine)?;
    for (setup, answer) in &searches {
        for (line, info) in answer.valid_infos() {
            let mut position = *setup.position();
            for (index, &mv) in (1..).zip(&info.pv) {
                if !position.is_legal(mv) {
                    let got = format!("move {index}, `{mv}`, of {}", quoted(line));
                    return Err(engine.fault("a line of legal moves", got));
                }
                position.make(mv);
            }
        }
    }
    for (_, answer) in &searches {
        let lines = answer.valid_infos();
        let lines = lines.filter(|(_, info)| !info.line.is_bound && !info.pv.is_empty());
        let last = lines.filter(|(_, info)| info.line.multipv.unwrap_or(1) == 1).last();
        if let Some((line, info)) = last
            && info.pv.first().map(Move::to_string).as_ref() != Some(&answer.best)
        {
            let expected = format!("`bestmove` to be the first move of {}", quoted(line));
            return Err(CheckError::Warning(engine.finding(expected, quoted(&answer.line))));
        }
    }
    Ok(())
}

pub(super) fn ponder_move(engine: &mut EngineUnderTest<'_>) -> Outcome {
    for (setup, answer) in searches(engine)? {
        let best = engine.expect_legal(&setup, &answer)?;
        let next = setup.position().after(best);
        let is_reply = |text| Move::parse(text).is_some_and(|mv| next.is_legal(mv));
        let words: Vec<&str> = answer.line.split_ascii_whitespace().skip(2).collect();
        let is_good = match words.as_slice() {
            [] => true,
            ["ponder", text] => is_reply(text),
            _ => false,
        };
        if !is_good {
            let expected = format!("`bestmove {best}`, alone or with `ponder` and a legal reply");
            return Err(engine.fault(expected, quoted(&answer.line)));
        }
    }
    Ok(())
}

pub(super) fn multi_pv(engine: &mut EngineUnderTest<'_>) -> Outcome {
    let most = match engine.greeting.option("MultiPV").map(|option| &option.kind) {
        Some(OptionKind::Spin { max: Some(max), .. }) => *max,
        _ => return Err(CheckError::Skip("announces no option `MultiPV`".to_owned())),
    };
    for wanted in [LINES.min(most), 1] {
        engine.send(&format!("setoption name MultiPV value {wanted}"))?;
        for setup in [Setup::start(), Setup::fen(BLACKS_MIDDLE), Setup::fen(TWO_MOVES)] {
            engine.go(&setup, "go depth 3 movetime 2000")?;
            let answer = engine.answer(SEARCH)?;
            let lines = wanted.min(setup.legal().len() as i64);
            expect_lines(engine, &answer, lines)?;
        }
    }
    Ok(())
}

/// Some depth has the wanted number of lines, each with a different first move; no depth has more.
fn expect_lines(engine: &EngineUnderTest<'_>, answer: &Answer, wanted: i64) -> Outcome {
    let counted = |lines: i64| match lines {
        1 => "one line".to_owned(),
        _ => format!("{lines} lines"),
    };
    let mut depths: BTreeMap<i64, BTreeMap<i64, Move>> = BTreeMap::new();
    for (line, info) in answer.valid_infos() {
        let rank = info.line.multipv.unwrap_or(1);
        if rank > wanted {
            let expected = format!("no more than {}", counted(wanted));
            return Err(engine.fault(expected, quoted(line)));
        }
        if let (Some(depth), Some(&first), false) =
            (info.line.depth, info.pv.first(), info.line.is_bound)
        {
            depths.entry(depth).or_default().insert(rank, first);
        }
    }
    let whole: Vec<_> = depths.iter().filter(|(_, lines)| lines.len() as i64 == wanted).collect();
    if whole.is_empty() {
        let most = depths.values().map(BTreeMap::len).max().unwrap_or(0);
        let expected = format!("{} with `multipv` 1 to {wanted} in one depth", counted(wanted));
        return Err(engine.fault(expected, counted(most as i64)));
    }
    for (depth, lines) in whole {
        for (rank, first) in lines {
            if lines.range(..rank).any(|(_, other)| other == first) {
                let got = format!("`{first}` first in two lines of depth {depth}");
                return Err(engine.fault("lines that begin with different moves", got));
            }
        }
    }
    Ok(())
}

pub(super) fn mated(engine: &mut EngineUnderTest<'_>) -> Outcome {
    has_no_move(engine, MATED, ReportedScore::Mate(0), "score mate 0")
}

pub(super) fn stalemated(engine: &mut EngineUnderTest<'_>) -> Outcome {
    has_no_move(engine, STALEMATED, ReportedScore::Centipawns(0), "score cp 0")
}

fn has_no_move(
    engine: &mut EngineUnderTest<'_>,
    fens: [&str; 2],
    score: ReportedScore,
    words: &str,
) -> Outcome {
    for setup in fens.map(Setup::fen) {
        for go in ["go depth 2 movetime 50", "go infinite"] {
            engine.go(&setup, go)?;
            if go == "go infinite" {
                engine.send("stop")?;
            }
            let answer = engine.answer(PROMPT)?;
            if !NO_MOVE.contains(&answer.best.as_str()) {
                let expected = "`bestmove (none)` or `bestmove 0000`";
                return Err(engine.fault(expected, quoted(&answer.line)));
            }
            let wrong = |info: &Info<'_>| info.line.score.is_some_and(|told| told != score);
            if let Some((line, _)) = answer.valid_infos().find(|(_, info)| wrong(info)) {
                return Err(engine.fault(format!("`{words}`"), quoted(line)));
            }
        }
    }
    Ok(())
}
