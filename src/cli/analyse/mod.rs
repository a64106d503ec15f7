//! `qirkat analyse`.

mod epd_batch;
pub(super) mod json_line;
mod options;
mod shown;

use std::io::{Write, stdout};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use self::json_line::{Finished, JsonLine, JsonThreat};
pub(super) use self::options::{AnalyseOptions, HELP};
use self::shown::{Shown, bounded_score};
use super::exit_status::{Interrupted, interrupt_flag};
use super::terminal;
use qirkat_engine::{AnySearcher, SearchLimits, SearchLine, SearchResult};
use qirkat_game::Rules;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, CannotPass};
use qirkat_search::{SearchControl, TimeBudget};

/// Draws the board and shows the best lines, as they are found and at the end; or goes
/// through a file of positions.
pub(super) fn run(options: &AnalyseOptions) -> anyhow::Result<()> {
    if let Some(path) = &options.epd {
        let variant = options.variant()?;
        let searcher = options.resources.searcher(variant)?;
        return epd_batch::run(path, variant, searcher, &options.limits(), options.json);
    }
    let game = options.start()?;
    let search_moves = options.search_moves(&game)?;
    let mut searcher = options.resources.searcher(game.position().variant())?;
    let interrupted = interrupt_flag();
    if !options.json {
        print_board(&game)?;
    }
    if game.position().has_legal_moves() {
        return analyse(options, &game, &search_moves, &mut searcher, &interrupted);
    }
    if options.json {
        writeln!(stdout(), "{}", serde_json::to_string(&Finished::of(&game))?)?;
    }
    Ok(())
}

fn analyse(
    options: &AnalyseOptions,
    game: &AnyGame,
    search_moves: &[AnyMove],
    searcher: &mut AnySearcher,
    interrupted: &Arc<AtomicBool>,
) -> anyhow::Result<()> {
    let limits = options.limits();
    if options.threat {
        let control = SearchControl::with_stop_flag(Arc::clone(interrupted));
        show_threat(options, searcher, &control, game, &limits)?;
        if control.stopped() {
            return Err(Interrupted("stopped before its time".to_owned()).into());
        }
    }
    let control = SearchControl::with_stop_flag(Arc::clone(interrupted));
    let mut shown = Shown::new(game, options.json);
    let mut report = |line: &SearchLine| {
        if shown.take(line).is_err() {
            control.stop();
        }
    };
    let result = searcher.search_under(&control, game, search_moves, &limits, &mut report);
    let mate = shown.best().and_then(|line| line.score.moves_to_mate());
    shown.finish()?;
    if control.stopped() {
        // Without an end of its own, Ctrl-C is how it ends.
        let text = if options.infinite { "" } else { "stopped before its time" };
        return Err(Interrupted(text.to_owned()).into());
    }
    if let Some(moves) = options.mate.filter(|_| !options.json) {
        print_mate(moves, mate, &result)?;
    }
    Ok(())
}

/// Whether the mate that was looked for is there. A whole iteration two plies a move
/// deep excludes it, since such a search leaves no move out.
fn print_mate(wanted: u16, found: Option<i16>, result: &SearchResult) -> anyhow::Result<()> {
    let is_found = found.is_some_and(|moves| moves > 0 && moves.unsigned_abs() <= wanted);
    if !is_found {
        let whole = result.depth.0.unsigned_abs() >= 2 * wanted;
        let sure = if whole { "There is no" } else { "Not found, nor excluded: a" };
        writeln!(stdout(), "{sure} mate in {wanted}.")?;
    }
    Ok(())
}

fn print_board(game: &AnyGame) -> anyhow::Result<()> {
    let position = game.position();
    writeln!(stdout(), "{}\n{position}", position.picture())?;
    let to_move = format!("{:?} to move", position.side_to_move());
    let state = match game.outcome() {
        Some(outcome) => format!("The game is over: {outcome}"),
        None if position.in_check() => format!("{to_move}, in check"),
        None => to_move,
    };
    writeln!(stdout(), "{state}\n")?;
    Ok(())
}

/// Shows the threat of the other side: its best line if the side to move passed.
fn show_threat(
    options: &AnalyseOptions,
    searcher: &mut AnySearcher,
    control: &SearchControl,
    game: &AnyGame,
    limits: &SearchLimits,
) -> anyhow::Result<()> {
    let threat = game.position().passed().and_then(|passed| {
        let line = find_threat(passed, searcher, control, limits).ok_or(CannotPass::NoReply)?;
        Ok((passed, line))
    });
    let text = match threat {
        Ok((position, line)) if options.json => {
            let threat = Some(JsonLine::of(&position, &line));
            serde_json::to_string(&JsonThreat { threat, impossible: None })?
        }
        Err(why) if options.json => {
            serde_json::to_string(&JsonThreat { threat: None, impossible: Some(why.to_string()) })?
        }
        Ok((position, line)) => {
            let side = position.side_to_move();
            let lead = format!("Threat of {side:?}, {} for it: ", bounded_score(&line));
            let room = terminal::width().saturating_sub(lead.len());
            format!("{lead}{}\n", terminal::fitting(&position.san_line(&line.moves), room))
        }
        Err(why) => format!("No threat can be shown: {why}.\n"),
    };
    writeln!(stdout(), "{text}")?;
    Ok(())
}

/// The part of the nodes and the time of an analysis that its threat may take.
const THREAT_SHARE: u32 = 5;
/// The time for it where nothing bounds the analysis.
const THREAT_TIME: Duration = Duration::from_secs(1);

/// The best line after a pass.
fn find_threat(
    passed: AnyPosition,
    searcher: &mut AnySearcher,
    control: &SearchControl,
    limits: &SearchLimits,
) -> Option<SearchLine> {
    let bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.time.hard.is_some();
    let time = limits.time.hard.map(|time| time / THREAT_SHARE);
    let hard = if bounded { time } else { Some(THREAT_TIME) };
    let mut shared = SearchLimits::time(TimeBudget { soft: None, hard });
    shared.depth = limits.depth;
    shared.nodes = limits.nodes.map(|nodes| nodes.div_ceil(THREAT_SHARE.into()));
    let mut found = None;
    let game = AnyGame::from_position(passed);
    searcher.search_under(control, &game, &[], &shared, &mut |line: &SearchLine| {
        found = Some(line.clone());
    });
    found
}
