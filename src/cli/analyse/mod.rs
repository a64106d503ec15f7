//! `qirkat analyse`.

mod epd_batch;
mod json_line;
mod options;
mod shown;

use std::io::{Write, stdout};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context;

use self::json_line::{Finished, JsonThreat};
pub(super) use self::options::AnalyseOptions;
use self::shown::{Shown, bounded_score};
use super::interrupt::{self, Interrupted};
use super::terminal;
use qirkat_engine::{AnySearcher, SearchLimits, SearchLine, SearchResult};
use qirkat_game::Rules;
use qirkat_game::distance::Depth;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, CannotPass};
use qirkat_search::{SearchControl, TimeBudget};

/// How long to think when nothing bounds it.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Draws the board and shows the best lines, as they are found and at the end; or goes
/// through a file of positions.
pub(super) fn run(options: &AnalyseOptions) -> anyhow::Result<()> {
    if let Some(path) = &options.epd {
        let variant = options::variant(options)?;
        let searcher = options.resources.searcher(variant)?;
        return epd_batch::run(path, variant, searcher, &limits_of(options), options.json);
    }
    let game = options::game(options)?;
    let limits = SearchLimits { search_moves: search_moves(options, &game)?, ..limits_of(options) };
    let mut searcher = options.resources.searcher(game.position().variant())?;
    let interrupted = interrupt::flag()?;
    if !options.json {
        print_board(&game)?;
    }
    if game.position().has_legal_moves() {
        analyse(options, &game, &limits, &mut searcher, &interrupted)
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
    limits: &SearchLimits,
    searcher: &mut AnySearcher,
    interrupted: &Arc<AtomicBool>,
) -> anyhow::Result<()> {
    if options.threat {
        let control = SearchControl::with_stop_flag(Arc::clone(interrupted));
        let threat = find_threat(searcher, &control, game, limits);
        print_threat(&threat, options.json)?;
        if control.stopped() {
            return Err(Interrupted("stopped before its time".to_owned()).into());
        }
    }
    let control = SearchControl::with_stop_flag(Arc::clone(interrupted));
    let mut shown = Shown::new(game, options.json);
    let result = searcher.search_under(&control, game, limits, &mut |line: &SearchLine| {
        if shown.take(line).is_err() {
            control.stop();
        }
    });
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
    SearchLimits {
        depth: options.depth.map(Depth),
        nodes: options.nodes,
        mate: options.mate,
        time: TimeBudget { soft: None, hard },
        multi_pv: usize::from(options.multipv),
        ..SearchLimits::default()
    }
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

/// The part of the nodes and the time of an analysis that its threat may take.
const SHARE: u32 = 5;
/// The time for it where nothing bounds the analysis.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// A threat, or why there can be none.
pub(super) enum Threat {
    /// The position after a pass, and the best line there.
    Line(Box<AnyPosition>, SearchLine),
    /// Nobody can pass here, for this reason.
    Impossible(CannotPass),
}

/// Looks for the threat in the position where a game stands.
pub(super) fn find_threat(
    searcher: &mut AnySearcher,
    control: &SearchControl,
    game: &AnyGame,
    limits: &SearchLimits,
) -> Threat {
    let passed = match game.position().passed() {
        Ok(passed) => passed,
        Err(why) => return Threat::Impossible(why),
    };
    let bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.time.hard.is_some();
    let time = limits.time.hard.map(|time| time / SHARE);
    let limits = SearchLimits {
        depth: limits.depth,
        nodes: limits.nodes.map(|nodes| nodes.div_ceil(SHARE.into())),
        time: TimeBudget { soft: None, hard: if bounded { time } else { Some(USUAL_TIME) } },
        ..SearchLimits::default()
    };
    let mut found = None;
    let game = AnyGame::from_position(passed);
    searcher.search_under(control, &game, &limits, &mut |line: &SearchLine| {
        found = Some(line.clone());
    });
    found.map_or(Threat::Impossible(CannotPass::NoReply), |line| {
        Threat::Line(Box::new(passed), line)
    })
}
