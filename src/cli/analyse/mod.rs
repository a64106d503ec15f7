//! `qirkat analyse`.

mod changes;
mod epd_batch;
mod json_line;
mod options;
mod shown;
mod start;
mod threat;

use std::io::{Write, stdout};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context;

use self::json_line::{Finished, JsonThreat};
pub(super) use self::options::AnalyseOptions;
use self::shown::{Shown, bounded_score};
use self::threat::Threat;
use super::interrupt::{self, Interrupted};
use super::terminal;
use qirkat_engine::{AnySearcher, SearchLimits, SearchLine, SearchResult};
use qirkat_game::Rules;
use qirkat_game::distance::Depth;
use qirkat_rules::variant::{AnyGame, AnyMove};
use qirkat_search::{SearchControl, TimeBudget};

/// How long to think when nothing bounds it.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Draws the board and shows the best lines, as they are found and at the end; or goes
/// through a file of positions.
pub(super) fn run(options: &AnalyseOptions) -> anyhow::Result<()> {
    if let Some(path) = &options.epd {
        let variant = start::variant(options)?;
        let searcher = options.resources.searcher(variant)?;
        return epd_batch::run(path, variant, searcher, &limits_of(options), options.json);
    }
    let game = start::game(options)?;
    let search_moves = search_moves(options, &game)?;
    let mut searcher = options.resources.searcher(game.position().variant())?;
    let interrupted = interrupt::flag()?;
    if !options.json {
        print_board(&game)?;
    }
    if game.position().has_legal_moves() {
        analyse(options, &game, &search_moves, &mut searcher, &interrupted)
    } else {
        if options.json {
            writeln!(stdout(), "{}", serde_json::to_string(&Finished::of(&game))?)?;
        }
        Ok(())
    }
}

fn analyse(
    options: &AnalyseOptions,
    game: &AnyGame,
    search_moves: &[AnyMove],
    searcher: &mut AnySearcher,
    interrupted: &Arc<AtomicBool>,
) -> anyhow::Result<()> {
    let limits = limits_of(options);
    if options.threat {
        let control = SearchControl::with_stop_flag(Arc::clone(interrupted));
        let threat = threat::find(searcher, &control, game, &limits);
        print_threat(&threat, options.json)?;
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
        let stopped = || Interrupted("stopped before its time".to_owned());
        return if options.infinite { Ok(()) } else { Err(stopped().into()) };
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

fn search_moves(options: &AnalyseOptions, game: &AnyGame) -> anyhow::Result<Vec<AnyMove>> {
    let texts = options.searchmoves.iter().flat_map(|text| text.split_ascii_whitespace());
    texts
        .map(|text| {
            let mv = game.position().read_move(text);
            mv.with_context(|| format!("--searchmoves: `{text}` is not legal"))
        })
        .collect()
}

fn limits_of(options: &AnalyseOptions) -> SearchLimits {
    let bounded = options.depth.is_some()
        || options.nodes.is_some()
        || options.movetime.is_some()
        || options.mate.is_some()
        || options.infinite;
    let time = options.movetime.map(Duration::from_millis);
    let hard = if bounded { time } else { Some(DEFAULT_TIME) };
    let mut limits = SearchLimits::time(TimeBudget { soft: None, hard })
        .with_multi_pv(usize::from(options.multipv));
    limits.depth = options.depth.map(Depth);
    limits.nodes = options.nodes;
    limits.mate = options.mate;
    limits
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

fn print_threat(threat: &Threat, json: bool) -> anyhow::Result<()> {
    let text = match threat {
        Threat::Line(position, line) if json => {
            serde_json::to_string(&JsonThreat::line(position, line))?
        }
        Threat::Impossible(why) if json => serde_json::to_string(&JsonThreat::impossible(*why))?,
        Threat::Line(position, line) => {
            let side = position.side_to_move();
            let lead = format!("Threat of {side:?}, {} for it: ", bounded_score(line));
            let (width, indent) = (terminal::width(), lead.len());
            let moves = position.san_line(&line.moves);
            let shown = terminal::fitting(&moves, width.saturating_sub(indent));
            format!("{lead}{shown}\n")
        }
        Threat::Impossible(why) => format!("No threat can be shown: {why}.\n"),
    };
    writeln!(stdout(), "{text}")?;
    Ok(())
}
