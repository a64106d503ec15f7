//! A match game in PGN: finished, or in the file of games in progress for other programs to show.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::plan::Plan;
use super::settings::PgnOutSettings;
use crate::shared::terminal::print_message;
use qirkat_arena::{
    FinishedGame, GameOutcome, LiveGame, LiveGames, PlayedMove, ReportedScore, ScheduledGame,
    SearchInfo, Termination, Thought, live_file, tag_game,
};
use qirkat_game::text::push;
use qirkat_rules::pgn::{GameResult, PgnGame, PgnMove, ReadGame};
use qirkat_rules::variant::AnyPosition;
use qirkat_system::output_file::replace;

const TERMINATION_TAG: &str = "Termination";
const PLIES_TAG: &str = "PlyCount";
/// The remaining time in an unfinished game.
const CLOCK_TAGS: [&str; 2] = ["WhiteClock", "BlackClock"];

pub(super) fn pgn(
    plan: &Plan,
    details: &PgnOutSettings,
    game: &ScheduledGame,
    finished: &FinishedGame,
    date: &str,
) -> PgnGame {
    let mut pgn = without_moves(plan, game, finished.start, date);
    let contestant = |player: usize| &plan.tournament.contestants[player];
    pgn.set_tag(PLIES_TAG, finished.moves.len().to_string());
    pgn.set_tag(TERMINATION_TAG, finished.termination.to_string());
    pgn.set_tag("Reason", finished.reason.as_str());
    pgn.set_tag("WhiteTimeControl", contestant(game.white).control.describe());
    pgn.set_tag("BlackTimeControl", contestant(game.black).control.describe());
    pgn.moves = finished.moves.iter().map(|played| pgn_move(played, details)).collect();
    pgn.result = finished.result;
    pgn
}

/// A game in progress. Clocks are in seconds.
fn live_pgn(plan: &Plan, details: &PgnOutSettings, live: &LiveGame, date: &str) -> PgnGame {
    let mut pgn = without_moves(plan, &live.game, live.start, date);
    for (name, clock) in CLOCK_TAGS.into_iter().zip(live.clocks) {
        if let Some(left) = clock {
            pgn.set_tag(name, format!("{:.3}", left.as_secs_f64()));
        }
    }
    pgn.moves = live.moves.iter().map(|played| pgn_move(played, details)).collect();
    pgn
}

fn without_moves(plan: &Plan, game: &ScheduledGame, start: AnyPosition, date: &str) -> PgnGame {
    let mut pgn = PgnGame::from_position(start);
    let name = |player: usize| plan.tournament.contestants[player].name.as_str();
    pgn.set_tag("Event", plan.settings.event.as_deref().unwrap_or("Engine match"));
    pgn.set_tag("Site", plan.settings.site.as_deref().unwrap_or("?"));
    pgn.set_tag("Date", date);
    pgn.set_tag("Round", format!("{}.{}", game.round + 1, game.number + 1));
    pgn.set_tag("White", name(game.white));
    pgn.set_tag("Black", name(game.black));
    tag_game(&mut pgn, game, plan.schedule.is_paired());
    pgn
}

fn pgn_move(played: &PlayedMove, details: &PgnOutSettings) -> PgnMove {
    let comment = match &played.thought {
        None => "book".to_owned(),
        Some(thought) => comment_on(thought) + &details_of(&thought.info, details),
    };
    PgnMove { comment: Some(comment), ..PgnMove::from(played.mv) }
}

/// `score/depth time`, as in cutechess.
fn comment_on(thought: &Thought) -> String {
    let time = format!("{:.3}s", thought.time.as_secs_f64());
    let score = match thought.info.score {
        None => return time,
        Some(ReportedScore::Centipawns(value)) => format!("{:+.2}", f64::from(value) / 100.0),
        Some(ReportedScore::Mate(moves)) if moves > 0 => format!("+M{moves}"),
        Some(ReportedScore::Mate(moves)) => format!("-M{}", moves.unsigned_abs()),
    };
    format!("{score}/{} {time}", thought.info.depth.unwrap_or(0))
}

/// `, n=1234, sd=20`, as in fastchess, for the values that the engine reported.
fn details_of(info: &SearchInfo, details: &PgnOutSettings) -> String {
    let mut text = String::new();
    for (wanted, name, figure) in [
        (details.nodes, "n", info.nodes),
        (details.seldepth, "sd", info.seldepth.map(u64::from)),
        (details.nps, "nps", info.nps),
        (details.hashfull, "hashfull", info.hashfull.map(u64::from)),
    ] {
        if let Some(figure) = figure.filter(|_| wanted) {
            push(&mut text, format_args!(", {name}={figure}"));
        }
    }
    if details.pv && !info.pv.is_empty() {
        push(&mut text, format_args!(", pv=\"{}\"", info.pv));
    }
    text
}

/// Whether a game was saved completely, as its tags announce.
pub(super) fn is_whole(read: &ReadGame) -> bool {
    let Some(result) = read.written_result.filter(|&result| result != GameResult::Unfinished)
    else {
        return false;
    };
    let says = |tag: &str, text: &str| read.game.tag(tag) == Some(text);
    says("Result", result.text()) && says(PLIES_TAG, &read.game.moves.len().to_string())
}

pub(super) fn read_outcome(game: &ScheduledGame, pgn: &PgnGame) -> GameOutcome {
    let termination = pgn.tag(TERMINATION_TAG).unwrap_or_default();
    // An unknown word is not an engine's fault.
    let termination = Termination::from_tag(termination).unwrap_or(Termination::Normal);
    outcome(game, pgn.result, termination)
}

pub(super) fn outcome(
    game: &ScheduledGame,
    result: GameResult,
    termination: Termination,
) -> GameOutcome {
    GameOutcome {
        number: game.number,
        pair: game.pair,
        white: game.white,
        black: game.black,
        result,
        termination,
    }
}

/// Minimum interval between writes.
const INTERVAL: Duration = Duration::from_millis(250);
/// Maximum interval between writes, so that readers recognise a stale file of a killed match.
const HEARTBEAT: Duration = Duration::from_secs(2);

/// Writes the games in progress as PGN until `playing` is dropped at the other end of `ended`; then
/// removes the file.
pub(super) fn show_live_games(plan: &Plan, live: &LiveGames, date: &str, ended: &Receiver<()>) {
    let Some(out) = &plan.settings.pgnout else { return };
    let path = live_file(&out.file);
    let mut shown: Option<(u64, Instant)> = None;
    while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        let changes = live.changes();
        let is_due =
            shown.is_none_or(|(known, written)| known != changes || written.elapsed() >= HEARTBEAT);
        if !is_due {
            continue;
        }
        let mut text = String::new();
        for game in live.snapshot() {
            let pgn = live_pgn(plan, out, &game, date);
            push(&mut text, format_args!("{}", pgn.written_in(out.notation)));
        }
        if let Err(error) = replace(&path, &text) {
            print_message(format_args!(
                "-live: {}: {error}; games are not shown any more",
                path.display()
            ));
            break;
        }
        shown = Some((changes, Instant::now()));
    }
    if shown.is_some()
        && let Err(error) = std::fs::remove_file(&path)
    {
        log::warn!("{}: {error}", path.display());
    }
}
