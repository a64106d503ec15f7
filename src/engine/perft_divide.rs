//! Perft on several threads, with the count below each move.

use std::sync::atomic::{AtomicBool, Ordering};

use qirkat_game::{Rules, perft};
use qirkat_rules::of_each_game;
use qirkat_rules::variant::{AnyMove, AnyPosition};
use qirkat_system::parallel;

/// Subtrees this many plies high are counted in one go, without a look at the
/// stop flag.
const UNWATCHED_DEPTH: u32 = 4;
/// Plies below the root moves that are shared among the threads. What lies
/// deeper is walked by one thread alone: a thread that waits for another takes
/// up work of others meanwhile, on top of its own stack, and deep subtrees would
/// pile up there.
const SHARED_PLIES: u32 = 3;

/// The counts below each legal move, on the threads of the current rayon pool, at the speed
/// of the game's own generator. `on_count` is called with each finished part as it is counted.
/// Returns nothing when `stop` is raised before the end.
pub fn perft_divide(
    position: &AnyPosition,
    depth: u32,
    stop: &AtomicBool,
    on_count: &(dyn Fn(u64) + Sync),
) -> Option<Vec<(AnyMove, u64)>> {
    of_each_game!(AnyPosition, position, position => divide(position, depth, stop, on_count))
}

fn divide<G: Rules<Move: Into<AnyMove>>>(
    position: &G,
    depth: u32,
    stop: &AtomicBool,
    on_count: &(dyn Fn(u64) + Sync),
) -> Option<Vec<(AnyMove, u64)>> {
    let moves = position.legal_moves();
    let below = depth.saturating_sub(1);
    let counts: Option<Vec<u64>> = parallel::map(moves.len(), &|number| {
        watched_perft(&position.after(moves[number]), below, SHARED_PLIES, stop, on_count)
    })
    .into_iter()
    .collect();
    Some(moves.into_iter().map(Into::into).zip(counts?).collect())
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
    let moves = position.legal_moves();
    let below = |number: usize| {
        watched_perft(&position.after(moves[number]), depth - 1, shared_below, stop, on_count)
    };
    if shared_plies > 0 {
        parallel::map(moves.len(), &below).into_iter().sum()
    } else {
        (0..moves.len()).map(below).sum()
    }
}
