//! Reports the progress of solving a problem, and can stop it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use derive_more::Debug;

/// The proof was stopped; results up to then are valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofStep {
    /// Now searching for solutions of this many plies, in parts.
    Length { plies: u16, parts: u64 },
    /// A part is done.
    Part,
}

#[derive(Clone, Copy, Debug)]
#[debug("ProofControl")]
pub struct ProofControl<'a> {
    /// Called regularly by any thread: whether to stop. Once it has returned true it is not called
    /// again, except by threads that were about to call it at that moment.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Receives the progress of the proof, from any thread.
    pub report: &'a (dyn Fn(ProofStep) + Sync),
}

impl ProofControl<'static> {
    /// Neither stops nor reports.
    pub fn never() -> ProofControl<'static> {
        ProofControl { stop: &|| false, report: &|_| () }
    }
}

/// Nodes between checks whether to stop: a few milliseconds at most.
const NODES_BETWEEN_CHECKS: u64 = 1 << 10;

/// The control shared by all threads of a proof.
pub(super) struct SharedControl<'a> {
    control: ProofControl<'a>,
    stopped: AtomicBool,
}

impl<'a> SharedControl<'a> {
    pub fn new(control: ProofControl<'a>) -> SharedControl<'a> {
        SharedControl { control, stopped: AtomicBool::new(false) }
    }

    /// Adds to a thread's own node count, and regularly checks whether to stop.
    #[inline]
    pub fn count(&self, nodes: &mut u64) -> Result<(), Stopped> {
        *nodes += 1;
        let stops = nodes.is_multiple_of(NODES_BETWEEN_CHECKS) && self.must_stop();
        if stops { Err(Stopped) } else { Ok(()) }
    }

    /// Whether it has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether it has been stopped; if not, asks now whether to stop.
    #[cold]
    pub fn must_stop(&self) -> bool {
        if !self.is_stopped() && (self.control.stop)() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.is_stopped()
    }

    pub fn report(&self, step: ProofStep) {
        (self.control.report)(step);
    }
}

/// Runs each worker on its own thread, the first on the caller's. Each takes the next task until none
/// is left or its `work` returns false. Without the feature `threads` the first does all.
pub(super) fn share_tasks<T: Send>(
    workers: &mut [T],
    tasks: usize,
    work: &(dyn Fn(&mut T, usize) -> bool + Sync),
) {
    let Some((first, others)) = workers.split_first_mut() else { return };
    let taken = AtomicUsize::new(0);
    let run = &|worker: &mut T| {
        let next = || Some(taken.fetch_add(1, Ordering::Relaxed)).filter(|&task| task < tasks);
        while next().is_some_and(|task| work(worker, task)) {}
    };
    std::thread::scope(|scope| {
        let others = if cfg!(feature = "threads") { others } else { &mut [] };
        for (number, worker) in others.iter_mut().enumerate() {
            let builder = std::thread::Builder::new().name(format!("prover {}", number + 2));
            // It only takes longer with fewer threads: workers share the tasks.
            if let Err(error) = builder.spawn_scoped(scope, move || run(worker)) {
                log::warn!("a thread is missing: {error}");
            }
        }
        run(first);
    });
}
