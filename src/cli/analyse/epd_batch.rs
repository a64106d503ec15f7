//! A file of positions, analysed one after the other.

use std::io::{Write, stdout};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;

use super::json_line::{Analysis, Finished, JsonLine, JsonPosition};
use crate::epd::{EpdLine, epd_lines, epd_text};
use crate::exit_status::{FaultsFound, Interrupted, interrupt_flag};
use crate::terminal::print_message;
use qirkat_engine::{AnySearcher, SearchLimits, SearchLine};
use qirkat_game::score::Score;
use qirkat_game::{Outcome, Rules};
use qirkat_rules::epd::Operation;
use qirkat_rules::variant::{AnyGame, Variant};
use qirkat_search::SearchControl;

/// How EPD writes a mate: this less the plies to it, with the sign of a score.
const MATE_IN_EPD: i32 = 32_767;
/// Operations that an analysis replaces.
const REPLACED: [&str; 5] = ["acd", "acn", "ce", "pm", "pv"];

/// Prints each position with what was found in it, in a line of EPD or JSON, as soon as
/// that is known. A faulty line is told and left out.
pub(super) fn run(
    path: &Path,
    variant: Variant,
    mut searcher: AnySearcher,
    limits: &SearchLimits,
    json: bool,
) -> anyhow::Result<()> {
    let lines = epd_lines(path, variant)?;
    let stop = interrupt_flag();
    let (mut done, mut faults) = (0, 0);
    for line in lines {
        match line? {
            Ok(line) => {
                // Nothing is left over from the position before.
                searcher.clear()?;
                let text = analysed(line, &mut searcher, limits, &stop, json)?;
                if stop.load(Ordering::Relaxed) {
                    let text = format!("stopped after {done} positions");
                    return Err(Interrupted(text).into());
                }
                let mut out = stdout().lock();
                writeln!(out, "{text}")?;
                out.flush()?;
                done += 1;
            }
            Err(error) => {
                faults += 1;
                print_message(format_args!("{error:#}, left out"));
            }
        }
    }
    if done + faults == 0 {
        bail!("there is no position in {}", path.display());
    }
    FaultsFound::fail_if(faults > 0)
}

/// The position with the result of its analysis, in a line of EPD or JSON.
fn analysed(
    line: EpdLine,
    searcher: &mut AnySearcher,
    limits: &SearchLimits,
    stop: &Arc<AtomicBool>,
    json: bool,
) -> anyhow::Result<String> {
    let position = line.position;
    let game = AnyGame::from_position(position);
    let mut best = None;
    if position.has_legal_moves() {
        let control = SearchControl::with_stop_flag(Arc::clone(stop));
        searcher.search_under(&control, &game, &[], limits, &mut |line: &SearchLine| {
            best = Some(line.clone());
        });
    }
    if json {
        let id = line.id().and_then(|id| id.operands.first().cloned());
        let analysis = match &best {
            Some(line) => Analysis::Line(Box::new(JsonLine::of(&position, line))),
            None => Analysis::Finished(Finished::of(&game)),
        };
        return Ok(serde_json::to_string(&JsonPosition { fen: position.fen(), id, analysis })?);
    }
    let mut operations = line.operations;
    let has_best_move = operations.iter().any(|operation| operation.opcode == "bm");
    operations.retain(|operation| !REPLACED.contains(&operation.opcode.as_str()));
    let mut add = |opcode: &str, operands: Vec<String>| {
        operations.push(Operation { opcode: opcode.to_owned(), operands });
    };
    if let Some(best) = best {
        let moves = position.san_line(&best.moves);
        let first: Vec<String> = moves.iter().take(1).cloned().collect();
        add("acd", vec![best.depth.0.to_string()]);
        add("acn", vec![best.nodes.to_string()]);
        if !has_best_move {
            add("bm", first.clone());
        }
        add("ce", vec![centipawns(best.score).to_string()]);
        add("pm", first);
        add("pv", moves);
    } else {
        // A position without moves is lost or drawn.
        let is_lost = !matches!(game.outcome(), None | Some(Outcome::Draw(_)));
        add("ce", vec![if is_lost { -MATE_IN_EPD } else { 0 }.to_string()]);
    }
    Ok(epd_text(&position, &operations))
}

fn centipawns(score: Score) -> i32 {
    match score.plies_to_mate() {
        Some(plies) if plies > 0 => MATE_IN_EPD - i32::from(plies),
        Some(plies) => -MATE_IN_EPD - i32::from(plies),
        None => score.value(),
    }
}
