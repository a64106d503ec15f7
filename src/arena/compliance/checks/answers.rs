//! The reports on a search, and its answer.

use std::collections::BTreeMap;

use qirkat_game::Rules;
use qirkat_rules::chesquerque::Move;

use crate::announced_option::OptionKind;
use crate::compliance::checks::go_limits::MATE_IN_ONE;
use crate::compliance::engine_under_test::{Answer, EngineUnderTest, Info, Setup};
use crate::compliance::examiner::{CheckError, Examiner, Outcome, PROMPT, SEARCH, quoted};
use crate::info_line::{InfoLine, ReportedScore};

/// A search that has something to report.
const GO: &str = "go depth 9 movetime 300";
/// A middle game, Black to move.
const MIDDLE: &str = "r3k3r/pp2b1ppp/2n1q1a2/2pp1p3/4P1N2/2PB1P3/1P1Q1AP1P/P2N5/R3K3R b KQkq - 0 1";

/// Black is mated, and White.
const MATED: [&str; 2] = ["9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60", "7k1/8K/9/9/9/9/8q/9/9 w - - 0 60"];
/// Black has no move and is not in check, and White.
const STALEMATED: [&str; 2] =
    ["9/3Q5/9/8K/9/8k/9/9/9 b - - 0 60", "9/9/9/8K/9/8k/9/3q5/9 w - - 0 60"];
/// How engines write that they have no move.
const NO_MOVE: [&str; 3] = ["(none)", "0000", "NULL"];

/// Lines that `MultiPV` is set to.
const LINES: i64 = 3;
/// Fewer legal moves than that.
const TWO_MOVES: &str = "9/4K4/2r6/9/2k6/9/9/9/9 w - - 0 1";

/// Searches in a few positions.
fn searches<'a>(
    examiner: &'a Examiner<'a>,
) -> Outcome<(EngineUnderTest<'a>, Vec<(Setup, Answer)>)> {
    let mut engine = examiner.engine()?;
    let mut searches = Vec::new();
    for setup in [Setup::start(), Setup::fen(MIDDLE), Setup::fen(MATE_IN_ONE)] {
        engine.go(&setup, GO)?;
        let answer = engine.answer(examiner.within(SEARCH))?;
        searches.push((setup, answer));
    }
    Ok((engine, searches))
}

pub(super) fn info(examiner: &Examiner<'_>) -> Outcome {
    let (engine, searches) = searches(examiner)?;
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
        answer.sound_infos().any(|(_, info)| info.line.score.is_some() && info.line.depth.is_some())
    };
    if searches.iter().all(is_told) {
        return Ok(());
    }
    let finding = engine.finding("an `info` line with `depth` and `score`", "none");
    Err(CheckError::Warning(finding))
}

pub(super) fn info_order(examiner: &Examiner<'_>) -> Outcome {
    let (engine, searches) = searches(examiner)?;
    for (_, answer) in &searches {
        for (name, figure) in [
            ("depth", (|line| line.depth) as fn(&InfoLine<'_>) -> Option<i64>),
            ("nodes", |line| line.nodes),
            ("time", |line| line.time),
        ] {
            let mut last = 0;
            for (line, info) in answer.sound_infos() {
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

pub(super) fn pv(examiner: &Examiner<'_>) -> Outcome {
    let (engine, searches) = searches(examiner)?;
    for (setup, answer) in &searches {
        for (line, info) in answer.sound_infos() {
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
        let lines = answer.sound_infos();
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

pub(super) fn ponder_move(examiner: &Examiner<'_>) -> Outcome {
    let (engine, searches) = searches(examiner)?;
    for (setup, answer) in &searches {
        let best = engine.expect_legal(setup, answer)?;
        let words: Vec<&str> = answer.line.split_ascii_whitespace().skip(2).collect();
        let next = setup.position().after(best);
        let is_reply = |text| Move::parse(text).is_some_and(|mv| next.is_legal(mv));
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

pub(super) fn multi_pv(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let most = match engine.greeting.option("MultiPV").map(|option| &option.kind) {
        Some(OptionKind::Spin { max: Some(max), .. }) => *max,
        _ => return Err(CheckError::Skip("announces no option `MultiPV`".to_owned())),
    };
    for wanted in [LINES.min(most), 1] {
        engine.send(&format!("setoption name MultiPV value {wanted}"))?;
        for setup in [Setup::start(), Setup::fen(MIDDLE), Setup::fen(TWO_MOVES)] {
            engine.go(&setup, "go depth 3 movetime 2000")?;
            let answer = engine.answer(examiner.within(SEARCH))?;
            let lines = wanted.min(setup.legal().len() as i64);
            expect_lines(&engine, &answer, lines)?;
        }
    }
    Ok(())
}

/// In some depth there are as many lines as wanted, each with a first move of its own,
/// and nowhere more.
fn expect_lines(engine: &EngineUnderTest<'_>, answer: &Answer, wanted: i64) -> Outcome {
    let mut depths: BTreeMap<i64, BTreeMap<i64, Move>> = BTreeMap::new();
    for (line, info) in answer.sound_infos() {
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

fn counted(lines: i64) -> String {
    if lines == 1 { "one line".to_owned() } else { format!("{lines} lines") }
}

pub(super) fn mated(examiner: &Examiner<'_>) -> Outcome {
    has_no_move(examiner, &MATED, ReportedScore::Mate(0), "score mate 0")
}

pub(super) fn stalemated(examiner: &Examiner<'_>) -> Outcome {
    has_no_move(examiner, &STALEMATED, ReportedScore::Centipawns(0), "score cp 0")
}

fn has_no_move(
    examiner: &Examiner<'_>,
    fens: &[&str],
    score: ReportedScore,
    words: &str,
) -> Outcome {
    let mut engine = examiner.engine()?;
    for setup in fens.iter().map(|fen| Setup::fen(fen)) {
        for go in ["go depth 2 movetime 50", "go infinite"] {
            engine.go(&setup, go)?;
            if go == "go infinite" {
                engine.send("stop")?;
            }
            let answer = engine.answer(examiner.within(PROMPT))?;
            if !NO_MOVE.contains(&answer.best.as_str()) {
                let expected = "`bestmove (none)` or `bestmove 0000`";
                return Err(engine.fault(expected, quoted(&answer.line)));
            }
            let wrong = |info: &Info<'_>| info.line.score.is_some_and(|told| told != score);
            if let Some((line, _)) = answer.sound_infos().find(|(_, info)| wrong(info)) {
                return Err(engine.fault(format!("`{words}`"), quoted(line)));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_what_they_are_said_to_be() {
        let count = |fen| Setup::fen(fen).legal().len();
        let is_check = |fen| Setup::fen(fen).position().in_check();
        assert!(MATED.iter().all(|fen| count(fen) == 0 && is_check(fen)));
        assert!(STALEMATED.iter().all(|fen| count(fen) == 0 && !is_check(fen)));
        assert_eq!(count(TWO_MOVES), 2);
        assert!(count(MIDDLE) > 3);
        let mate = Setup::fen(MATE_IN_ONE).moves("c6c3");
        assert!(mate.legal().is_empty() && mate.position().in_check());
    }
}
