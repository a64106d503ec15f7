//! Builds tables of the chess games on all cores into a folder.
//!
//! Each thread takes a table whose children are all solved, solves it and writes it. Tables that
//! others still need stay in memory. Files are written atomically, so an interrupted build resumes
//! where it stopped: an existing table is solved again, in memory, only if a missing one needs it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::buildable_game::{BuildError, BuildOptions, BuildStep, jobs, write_table};
use super::solved_table::{SolvableGame, SolvedTables};
use crate::chess_index::Layout;
use crate::chess_material::Material;

/// Bytes of memory per cell, during solving and afterwards.
const BYTES_PER_CELL: u64 = 8;

#[derive(Clone, Copy)]
struct Job<K> {
    material: Material<K>,
    is_missing: bool,
    bytes: u64,
}

struct State<G: SolvableGame> {
    waiting: Vec<Job<G::Kind>>,
    running: Vec<Job<G::Kind>>,
    solved: SolvedTables<G>,
    memory: u64,
    failed: Option<BuildError<Material<G::Kind>>>,
}

struct Builder<'a, G: SolvableGame> {
    options: &'a BuildOptions<Material<G::Kind>>,
    state: Mutex<State<G>>,
    changed: Condvar,
    stop: &'a AtomicBool,
    report: &'a (dyn Fn(BuildStep<Material<G::Kind>>) + Sync),
}

/// See [`BuildableGame::build`](super::buildable_game::BuildableGame::build).
pub fn build<G: SolvableGame>(
    options: &BuildOptions<Material<G::Kind>>,
    stop: &AtomicBool,
    report: &(dyn Fn(BuildStep<Material<G::Kind>>) + Sync),
) -> Result<(), BuildError<Material<G::Kind>>> {
    let (_held, jobs) = jobs::<G>(options)?;
    let job = |job: super::buildable_game::Job<Material<G::Kind>>| {
        let bytes = Layout::<G>::new(job.material).cells() as u64 * BYTES_PER_CELL;
        Job { material: job.material, is_missing: job.file.is_none(), bytes }
    };
    let waiting: Vec<Job<G::Kind>> = jobs.into_iter().map(job).collect();
    let cells = waiting.iter().map(|job| job.bytes / BYTES_PER_CELL).sum::<u64>();
    report(BuildStep::Total(2 * cells));
    let solved = SolvedTables::<G>::new();
    let state = State { waiting, running: Vec::new(), solved, memory: 0, failed: None };
    let builder =
        Builder { options, state: Mutex::new(state), changed: Condvar::new(), stop, report };
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            scope.spawn(|| builder.work());
        }
    });
    let failed = builder.state.into_inner().unwrap_or_else(PoisonError::into_inner).failed;
    failed.map_or(Ok(()), Err)
}

impl<G: SolvableGame> Builder<'_, G> {
    fn lock(&self) -> MutexGuard<'_, State<G>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(job) = self.next() {
            let result = self.solve(job);
            let mut state = self.lock();
            state.running.retain(|it| it.material != job.material);
            if let Err(error) = result {
                state.failed.get_or_insert(error);
            }
            self.forget_unneeded(&mut state);
            self.changed.notify_all();
        }
    }

    /// Waits for a table that can be solved now; none if all is done or the build has failed.
    fn next(&self) -> Option<Job<G::Kind>> {
        let mut state = self.lock();
        loop {
            if state.failed.is_some() || state.waiting.is_empty() {
                return None;
            }
            let is_ready = |job: &Job<G::Kind>| {
                job.material.children().iter().all(|child| state.solved.contains_key(child))
            };
            let ready: Vec<usize> =
                (0..state.waiting.len()).filter(|&at| is_ready(&state.waiting[at])).collect();
            let fits =
                |at: &&usize| state.memory + state.waiting[**at].bytes <= self.options.memory;
            if let Some(&at) = ready.iter().find(fits) {
                let job = state.waiting.remove(at);
                state.memory += job.bytes;
                state.running.push(job);
                return Some(job);
            }
            if state.running.is_empty() {
                let error = ready.first().map_or(BuildError::Stopped, |&at| BuildError::Memory {
                    material: state.waiting[at].material,
                    needed: (state.memory + state.waiting[at].bytes).div_ceil(1 << 20),
                    given: self.options.memory >> 20,
                });
                state.failed = Some(error);
                self.changed.notify_all();
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn solve(&self, job: Job<G::Kind>) -> Result<(), BuildError<Material<G::Kind>>> {
        let children = self.lock().solved.clone();
        let mut progress = |cells: usize| {
            (self.report)(BuildStep::Cells(2 * cells as u64));
            !self.stop.load(Ordering::Relaxed) && self.lock().failed.is_none()
        };
        let table = G::solve(job.material, &children, &mut progress).ok_or(BuildError::Stopped)?;
        drop(children);
        if job.is_missing {
            (self.report)(write_table::<G>(self.options, job.material, table.to_bytes())?);
        }
        self.lock().solved.insert(job.material, Arc::new(table));
        Ok(())
    }

    fn forget_unneeded(&self, state: &mut State<G>) {
        let open: Vec<Material<G::Kind>> = state
            .waiting
            .iter()
            .chain(&state.running)
            .flat_map(|job| job.material.children())
            .collect();
        let State { solved, memory, .. } = state;
        solved.retain(|material, table| {
            let is_needed = open.contains(material);
            *memory -= if is_needed { 0 } else { table.layout.cells() as u64 * BYTES_PER_CELL };
            is_needed
        });
    }
}
