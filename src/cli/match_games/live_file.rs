//! The games being played, in a file beside that of the finished ones, so that other
//! programs can show them.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::game_record::live_pgn;
use super::plan::Plan;
use crate::terminal::print_message;
use qirkat_arena::{LiveGames, live_file};
use qirkat_game::text::push;
use qirkat_system::output_file::replace;

/// How often the file is written at most.
const INTERVAL: Duration = Duration::from_millis(250);
/// And at least, so that readers know an old one that a killed match has left.
const HEARTBEAT: Duration = Duration::from_secs(2);

/// Writes the games as they stand, in PGN, until `playing` is dropped at the other end
/// of `ended`; then the file goes.
pub(super) fn show_live_games(plan: &Plan, live: &LiveGames, date: &str, ended: &Receiver<()>) {
    let Some(out) = &plan.pgn else { return };
    let path = live_file(&out.path);
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
            let pgn = live_pgn(plan, &out.details, &game, date);
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
