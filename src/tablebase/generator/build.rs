//! Builds tables of the chess games on all cores into a folder, or only solves them.
//!
//! Each thread takes a table whose children are all solved, solves it and writes it; the threads
//! share the work on the slices of pawns and on packing. Tables that others still need stay in
//! memory. Files are written atomically, so an interrupted build resumes where it stopped: an
//! existing table is solved again, in memory, only if a missing one needs it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use qirkat_rules::chess::ChessPosition;
use qirkat_system::machine::{ThreadPool, thread_pool};

use super::buildable_game::{BuildError, BuildOptions, BuildStep, jobs, write_table};
use super::solved_table::{SolvableGame, SolvedTable, SolvedTables};
use crate::chess_index::Layout;
use crate::chess_material::Material;
use crate::header::TableForm;

#[derive(Clone, Copy)]
struct Job<K> {
    material: Material<K>,
    is_wanted: bool,
    /// Bytes of memory while it is solved, and afterwards.
    working: u64,
    kept: u64,
}

struct State<G: SolvableGame> {
    waiting: Vec<Job<G::Kind>>,
    running: Vec<Job<G::Kind>>,
    solved: SolvedTables<G>,
    memory: u64,
    failed: Option<BuildError<Material<G::Kind>>>,
}

/// What tables are solved with.
pub struct Resources<'a> {
    pub form: TableForm,
    pub threads: usize,
    /// The memory limit for tables, in bytes.
    pub memory: u64,
    pub stop: &'a AtomicBool,
    /// Gets the number of positions started.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// What to do with a wanted table, given those that it leads to.
type Finish<'a, G> =
    &'a (dyn Fn(&SolvedTable<G>, &SolvedTables<G>) -> Result<(), BuildError<MaterialOf<G>>> + Sync);
type MaterialOf<G> = Material<<G as ChessPosition>::Kind>;

struct Builder<'a, G: SolvableGame> {
    resources: &'a Resources<'a>,
    /// Shared by the tables that are solved at once.
    pool: ThreadPool,
    state: Mutex<State<G>>,
    changed: Condvar,
    finish: Finish<'a, G>,
}

/// See [`BuildableGame::build`](super::buildable_game::BuildableGame::build).
pub fn build<G: SolvableGame>(
    options: &BuildOptions<MaterialOf<G>>,
    stop: &AtomicBool,
    report: &(dyn Fn(BuildStep<MaterialOf<G>>) + Sync),
) -> Result<(), BuildError<MaterialOf<G>>> {
    let (_held, jobs) = jobs::<G>(options)?;
    let jobs = jobs.into_iter().map(|job| (job.material, job.file.is_none()));
    let jobs: Vec<(MaterialOf<G>, bool)> = jobs.collect();
    report(BuildStep::Total(jobs.iter().map(|job| positions::<G>(job.0)).sum()));
    let resources = Resources {
        form: options.form,
        threads: options.threads,
        memory: options.memory,
        stop,
        progress: &|positions| report(BuildStep::Cells(positions)),
    };
    solve_all::<G>(&resources, jobs, &|table, children| {
        let packed = table.to_bytes(children);
        report(write_table::<G>(options, table.layout.material, packed)?);
        Ok(())
    })
}

/// Positions of a table for both sides to move, with invalid ones.
pub fn positions<G: SolvableGame>(material: MaterialOf<G>) -> u64 {
    2 * Layout::<G>::new(material).cells() as u64
}

/// Solves tables, given in solving order with those that they need, and finishes the wanted ones.
pub fn solve_all<G: SolvableGame>(
    resources: &Resources<'_>,
    jobs: Vec<(MaterialOf<G>, bool)>,
    finish: Finish<'_, G>,
) -> Result<(), BuildError<MaterialOf<G>>> {
    let job = |(material, is_wanted)| {
        let (working, kept) = memory_of(&Layout::<G>::new(material), resources);
        Job { material, is_wanted, working, kept }
    };
    let waiting = jobs.into_iter().map(job).collect();
    let pool = thread_pool(resources.threads)?;
    let solved = SolvedTables::<G>::new();
    let state = State { waiting, running: Vec::new(), solved, memory: 0, failed: None };
    let builder =
        Builder { resources, pool, state: Mutex::new(state), changed: Condvar::new(), finish };
    std::thread::scope(|scope| {
        for _ in 0..resources.threads.max(1) {
            scope.spawn(|| builder.work());
        }
    });
    let failed = builder.state.into_inner().unwrap_or_else(PoisonError::into_inner).failed;
    failed.map_or(Ok(()), Err)
}

/// Bytes of memory while a table is solved, and afterwards.
fn memory_of<G: SolvableGame>(layout: &Layout<G>, resources: &Resources<'_>) -> (u64, u64) {
    let cells = layout.cells() as u64;
    let kept = match resources.form {
        TableForm::Distances => 8 * cells,
        TableForm::Wdl => 2 * cells.div_ceil(3),
    };
    // What is solved at once is a slice with pawns on each thread, or all without pawns.
    let at_once = layout.slice_cells() as u64 * resources.threads.min(layout.slices.count()) as u64;
    (kept + at_once * G::WORKING_BYTES, kept)
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
            state.memory -= job.working - job.kept;
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
                |at: &&usize| state.memory + state.waiting[**at].working <= self.resources.memory;
            if let Some(&at) = ready.iter().find(fits) {
                let job = state.waiting.remove(at);
                state.memory += job.working;
                state.running.push(job);
                return Some(job);
            }
            if state.running.is_empty() {
                let error = ready.first().map_or(BuildError::Stopped, |&at| BuildError::Memory {
                    material: state.waiting[at].material,
                    needed: (state.memory + state.waiting[at].working).div_ceil(1 << 20),
                    given: self.resources.memory >> 20,
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
        let progress = |cells: usize| {
            (self.resources.progress)(2 * cells as u64);
            !self.resources.stop.load(Ordering::Relaxed) && self.lock().failed.is_none()
        };
        let solve = || G::solve(job.material, self.resources.form, &children, &progress);
        let table = self.pool.install(solve).ok_or(BuildError::Stopped)?;
        if job.is_wanted {
            self.pool.install(|| (self.finish)(&table, &children))?;
        }
        drop(children);
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
            *memory -= if is_needed { 0 } else { memory_of(&table.layout, self.resources).1 };
            is_needed
        });
    }
}
