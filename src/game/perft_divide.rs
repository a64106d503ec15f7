//! Perft on several threads, with the count below each move.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::perft;
use super::rules::Rules;

/// Subtrees this many plies high are counted in one go, without a look at the
/// stop flag.
const UNWATCHED_DEPTH: u32 = 4;
/// Plies below the root moves that are shared among the threads. What lies
/// deeper is walked by one thread alone: a thread that waits for another takes
/// up work of others meanwhile, on top of its own stack, and deep subtrees would
/// pile up there.
const SHARED_PLIES: u32 = 3;

/// The counts below each legal move, on the threads of the current rayon
/// pool. `on_count` is called with each finished part as it is counted. Returns
/// nothing when `stop` is raised before the end.
pub fn perft_divide<P: Rules>(
    position: &P,
    depth: u32,
    stop: &AtomicBool,
    on_count: &(dyn Fn(u64) + Sync),
) -> Option<Vec<(P::Move, u64)>> {
    let moves = position.legal_moves();
    let below = depth.saturating_sub(1);
    moves
        .par_iter()
        .map(|&mv| {
            let count = watched_perft(&position.after(mv), below, SHARED_PLIES, stop, on_count)?;
            Some((mv, count))
        })
        .collect()
}

fn watched_perft<P: Rules>(
    position: &P,
    depth: u32,
    shared_plies: u32,
    stop: &AtomicBool,
    on_count: &(dyn Fn(u64) + Sync),
) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= UNWATCHED_DEPTH {
        let count = perft(position, depth);
        on_count(count);
        return Some(count);
    }
    let shared_below = shared_plies.saturating_sub(1);
    let below =
        |&mv: &P::Move| watched_perft(&position.after(mv), depth - 1, shared_below, stop, on_count);
    let moves = position.legal_moves();
    if shared_plies > 0 { moves.par_iter().map(below).sum() } else { moves.iter().map(below).sum() }
}
