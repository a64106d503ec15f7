//! Runs a search on several threads of the operating system.

use std::panic::resume_unwind;
use std::sync::RwLock;
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::{io, iter};

use super::SEARCH_STACK_BYTES;
use qirkat_system::machine::{ResourceError, ThreadsError};
use qirkat_system::parallel;

/// The highest `Threads` offered: more than any machine has.
pub const MAX_THREADS: usize = 1024;

/// Checks that this many threads can exist at once, including the caller's; returns how many a search
/// uses: 1 without the feature `threads`.
pub(super) fn usable_threads(threads: usize) -> Result<usize, ThreadsError> {
    let gate = RwLock::new(());
    let started = std::thread::scope(|scope| {
        let _closed = gate.write();
        (1..threads).try_for_each(|index| {
            thread_builder(index).spawn_scoped(scope, || drop(gate.read())).map(drop)
        })
    });
    started.map_err(|error| ThreadsError { threads, reason: error.to_string() })?;
    Ok(threads)
}

/// Applies `work` to each item, on several threads if there are several items.
pub(super) fn for_each<T: Sync>(items: &[T], work: &(dyn Fn(&T) + Sync)) {
    match items {
        [only] => work(only),
        several => parallel::for_each(several.len(), &|index| work(&several[index])),
    }
}

pub(super) fn yield_core() {
    std::thread::yield_now();
}

/// Runs `search` for each index below `threads`: index 0 on this thread, which alone gets
/// `only_first`, the others on helpers. Returns their results in order. Starts no more once
/// `is_over` is true.
pub(super) fn run_together<R: Send, T>(
    threads: usize,
    only_first: T,
    search: &(impl Fn(usize, Option<T>) -> R + Sync),
    is_over: &(impl Fn() -> bool + Sync),
) -> Vec<R> {
    if threads == 1 {
        return vec![search(0, Some(only_first))];
    }
    std::thread::scope(|scope| {
        // Helpers start in parallel with the first thread, since starting hundreds takes a while.
        // The second thread starts the others before it searches.
        let run_helpers = move || {
            std::thread::scope(|scope| {
                let others: Vec<_> = (2..threads)
                    .take_while(|_| !is_over())
                    .map_while(|index| spawn(index, scope, move || search(index, None)))
                    .collect();
                let second = search(1, None);
                iter::once(second).chain(others.into_iter().map(join)).collect::<Vec<R>>()
            })
        };
        let helpers = spawn(1, scope, run_helpers);
        let first = search(0, Some(only_first));
        iter::once(first).chain(helpers.map(join).unwrap_or_default()).collect()
    })
}

/// Runs `work`, which may search, on this many threads, at least one, and returns the first error.
///
/// # Errors
/// When the system refuses a thread, or `work` fails.
pub fn on_search_threads<E: Send + From<ResourceError>>(
    threads: usize,
    work: impl Fn() -> Result<(), E> + Sync,
) -> Result<(), E> {
    let refused = |error: io::Error| {
        ResourceError::Threads(ThreadsError { threads, reason: error.to_string() })
    };
    std::thread::scope(|scope| {
        let start = |index| thread_builder(index).spawn_scoped(scope, &work);
        let started: io::Result<Vec<_>> = (0..threads.max(1)).map(start).collect();
        started.map_err(refused)?.into_iter().try_for_each(join)
    })
}

/// A thread with a stack large enough for a search.
fn thread_builder(index: usize) -> Builder {
    Builder::new().name(format!("search {index}")).stack_size(SEARCH_STACK_BYTES)
}

/// Starts a helper. If that fails, the search continues with fewer threads.
fn spawn<'scope, R: Send + 'scope>(
    index: usize,
    scope: &'scope Scope<'scope, '_>,
    run: impl FnOnce() -> R + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, R>> {
    thread_builder(index)
        .spawn_scoped(scope, run)
        .inspect_err(|error| log::warn!("search thread {index} is missing: {error}"))
        .ok()
}

/// Waits for a helper and returns its result; propagates its panic.
fn join<R>(helper: ScopedJoinHandle<'_, R>) -> R {
    helper.join().unwrap_or_else(|panic| resume_unwind(panic))
}
