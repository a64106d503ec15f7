//! A file of positions, analysed one after the other.

use std::fs::File;
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};

use super::super::complaint::complain;
use super::super::interrupt::{self, Interrupted};
use super::super::pgn::FaultyGames;
use super::json_line::{Finished, JsonFound, JsonLine, JsonPosition};
use qirkat_engine::{AnySearcher, SearchLimits, SearchLine};
use qirkat_game::score::Score;
use qirkat_game::text::lines_of;
use qirkat_game::{Outcome, Rules};
use qirkat_notation::epd::{EpdError, EpdRecord, Operation, read_epd};
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_search::SearchControl;

/// How EPD writes a mate: this less the plies to it, with the sign of a score.
const MATE_IN_EPD: i32 = 32_767;
/// Operations that an analysis replaces.
const REPLACED: [&str; 5] = ["acd", "acn", "ce", "pm", "pv"];
/// Fields of a position in EPD.
const FIELDS: usize = 4;

/// Prints each position with what was found in it, in a line of EPD or JSON, as soon as
/// that is known. A faulty line is told and left out.
pub(super) fn run(
    path: &Path,
    variant: Variant,
    mut searcher: AnySearcher,
    limits: &SearchLimits,
    json: bool,
) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let input: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).with_context(|| name.clone())?))
    };
    let stop = interrupt::flag()?;
    let (mut done, mut faults) = (0, 0);
    for (number, line) in (1..).zip(lines_of(input)) {
        let line = line.with_context(|| name.clone())?;
        match read_line(&line, &name, variant, number) {
            Ok(None) => {}
            Ok(Some((record, operations))) => {
                // Nothing is left over from the position before.
                searcher.clear()?;
                let text = analysed(&record, operations, &mut searcher, limits, &stop, json)?;
                if stop.load(Ordering::Relaxed) {
                    let text = format!("stopped after {done} positions");
                    return Err(Interrupted(text).into());
                }
                let mut out = stdout().lock();
                writeln!(out, "{text}")?;
                out.flush()?;
                done += 1;
            }
            Err(error) if matches!(error.downcast_ref(), Some(EpdError::File { .. })) => {
                return Err(error);
            }
            Err(error) => {
                faults += 1;
                complain(format_args!("{error:#}, left out"));
            }
        }
    }
    if done + faults == 0 {
        bail!("there is no position in {name}");
    }
    if faults > 0 { Err(FaultyGames.into()) } else { Ok(()) }
}

fn read_line(
    line: &[u8],
    name: &str,
    variant: Variant,
    number: usize,
) -> anyhow::Result<Option<(EpdRecord, Vec<Operation>)>> {
    let records = read_epd(line, name, variant).map_err(|error| match error {
        EpdError::Fen { path, error, .. } => EpdError::Fen { path, line: number, error },
        other => other,
    })?;
    let Some(record) = records.into_iter().next() else { return Ok(None) };
    let operations = record.operations().with_context(|| format!("{name}, line {number}"))?;
    Ok(Some((record, operations)))
}

fn analysed(
    record: &EpdRecord,
    operations: Vec<Operation>,
    searcher: &mut AnySearcher,
    limits: &SearchLimits,
    stop: &Arc<AtomicBool>,
    json: bool,
) -> anyhow::Result<String> {
    let position = record.position;
    let game = AnyGame::from_position(position);
    let mut best = None;
    if position.has_legal_moves() {
        let control = SearchControl::with_stop_flag(Arc::clone(stop));
        searcher.search_under(&control, &game, &[], limits, &mut |line: &SearchLine| {
            best = Some(line.clone());
        });
    }
    if json {
        let id = operations.iter().find(|operation| operation.opcode == "id");
        let id = id.and_then(|operation| operation.operands.first().cloned());
        let found = match &best {
            Some(line) => JsonFound::Line(Box::new(JsonLine::of(&position, line))),
            None => JsonFound::Finished(Finished::of(&game)),
        };
        return Ok(serde_json::to_string(&JsonPosition::new(&position, id, found))?);
    }
    let operations = match &best {
        Some(line) => with_line(operations, &position, line),
        None => with_outcome(operations, &game),
    };
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').take(FIELDS).collect();
    let operations: Vec<String> = operations.iter().map(Operation::to_string).collect();
    Ok(format!("{} {}", fields.join(" "), operations.join(" ")))
}

/// The operations with those of a line in the place of the old ones.
fn with_line(
    operations: Vec<Operation>,
    position: &AnyPosition,
    line: &SearchLine,
) -> Vec<Operation> {
    let moves = position.san_line(&line.moves);
    let first: Vec<String> = moves.iter().take(1).cloned().collect();
    let has_best = operations.iter().any(|operation| operation.opcode == "bm");
    let mut all = without_replaced(operations);
    let mut add = |opcode: &str, operands: Vec<String>| {
        all.push(Operation { opcode: opcode.to_owned(), operands });
    };
    add("acd", vec![line.depth.0.to_string()]);
    add("acn", vec![line.nodes.to_string()]);
    if !has_best {
        add("bm", first.clone());
    }
    add("ce", vec![centipawns(line.score).to_string()]);
    add("pm", first);
    add("pv", moves);
    all
}

/// The operations of a position without moves: what it is worth.
fn with_outcome(operations: Vec<Operation>, game: &AnyGame) -> Vec<Operation> {
    let is_lost = !matches!(game.outcome(), None | Some(Outcome::Draw(_)));
    let value = if is_lost { -MATE_IN_EPD } else { 0 };
    let mut all = without_replaced(operations);
    all.push(Operation { opcode: "ce".to_owned(), operands: vec![value.to_string()] });
    all
}

fn without_replaced(mut operations: Vec<Operation>) -> Vec<Operation> {
    operations.retain(|operation| !REPLACED.contains(&operation.opcode.as_str()));
    operations
}

fn centipawns(score: Score) -> i32 {
    match score.plies_to_mate() {
        Some(plies) if plies > 0 => MATE_IN_EPD - i32::from(plies),
        Some(plies) => -MATE_IN_EPD - i32::from(plies),
        None => score.value(),
    }
}
