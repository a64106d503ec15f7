//! Makes all tables up to a number of pieces, on all cores, and keeps them in a folder.
//!
//! Each thread takes a table all of whose children are solved, solves and writes it. What
//! other tables still need stays in memory. A file gets its name only when it is whole, so
//! whatever is there under its name can be trusted, and a build that was broken off goes
//! on where it ended: tables that are there are only solved again, in memory, if one that
//! is missing needs them.

use std::fmt::{Debug, Display};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use qirkat_system::output_file::{hold_folder, write_whole};

use super::solved_table::SolvedTables;
use super::{SolvableGame, all_children};
use crate::file::table::Table;
use crate::folder::{PagedFile, path_of};
use crate::indexing::layout::Layout;
use crate::indexing::material::Material;

/// Bytes of memory that a cell takes while its table is solved, and afterwards.
const BYTES_PER_CELL: u64 = 8;

/// The tables to be built, and the means.
#[derive(Clone, Debug)]
pub struct BuildOptions<M> {
    /// The tables, with those that they need, which are built too.
    pub materials: Vec<M>,
    /// Where they go.
    pub folder: PathBuf,
    /// How many tables are solved at once.
    pub threads: usize,
    /// Bytes of memory for tables.
    pub memory: u64,
}

/// How a build goes on.
#[derive(Clone, Copy, Debug)]
pub enum BuildStep<M> {
    /// This many positions, for both sides to move, will be looked at.
    Total(u64),
    /// This many more have been begun.
    Cells(u64),
    /// A table has been written.
    Written {
        /// The table.
        material: M,
        /// Its bytes.
        bytes: u64,
    },
}

/// Why a build ended early.
#[derive(Debug, Error)]
pub enum BuildError<M: Debug + Display> {
    /// A file could not be written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The bound of memory is too low.
    #[error("{material} needs {needed} MB of memory, where {given} MB are allowed")]
    Memory {
        /// The table.
        material: M,
        /// Megabytes that it takes, with what has to stay in memory beside it.
        needed: u64,
        /// Megabytes that were allowed.
        given: u64,
    },
    /// The 100-ply rule would change results while the clock stands at zero, which the format
    /// of Alquerque cannot tell.
    #[error("{0}: a win takes more than 100 plies without a jump or step forward")]
    Clock(M),
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

/// A table to solve.
#[derive(Clone, Copy)]
struct Job<K> {
    material: Material<K>,
    is_missing: bool,
    bytes: u64,
}

/// The state that the threads share.
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

/// See [`SolvableGame::build_tables`].
pub(super) fn build<G: SolvableGame>(
    options: &BuildOptions<Material<G::Kind>>,
    stop: &AtomicBool,
    report: &(dyn Fn(BuildStep<Material<G::Kind>>) + Sync),
) -> Result<(), BuildError<Material<G::Kind>>> {
    let folder = &options.folder;
    let _held = std::fs::create_dir_all(folder)
        .and_then(|()| hold_folder(folder))
        .map_err(|error| BuildError::File { path: folder.clone(), error })?;
    let waiting = jobs::<G>(&options.materials, &options.folder);
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

/// The tables that are missing, and those that these need in memory, in an order in which
/// they can be solved.
fn jobs<G: SolvableGame>(materials: &[Material<G::Kind>], folder: &Path) -> Vec<Job<G::Kind>> {
    let mut wanted = [materials, &all_children(materials)].concat();
    Material::sort_for_solving(&mut wanted);
    wanted.dedup();
    let mut jobs: Vec<Job<G::Kind>> = Vec::new();
    // From the last to the first: is it missing, or needed by one that is solved?
    for &material in wanted.iter().rev() {
        let is_missing = !is_there::<G>(folder, material);
        if is_missing || jobs.iter().any(|job| job.material.children().contains(&material)) {
            let bytes = Layout::<G>::new(material).cells() as u64 * BYTES_PER_CELL;
            jobs.push(Job { material, is_missing, bytes });
        }
    }
    jobs.reverse();
    jobs
}

/// Whether the file of a table is there and whole.
fn is_there<G: SolvableGame>(folder: &Path, material: Material<G::Kind>) -> bool {
    PagedFile::open(&path_of(folder, G::VARIANT, material))
        .ok()
        .and_then(|file| Table::<G>::open(Box::new(file), Arc::default()).ok())
        .is_some_and(|table| table.material() == material)
}

impl<G: SolvableGame> Builder<'_, G> {
    fn lock(&self) -> MutexGuard<'_, State<G>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One thread: solves tables until there are no more.
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

    /// Waits for a table that can be solved now; none if all is done or has failed.
    fn next(&self) -> Option<Job<G::Kind>> {
        let mut state = self.lock();
        loop {
            if state.failed.is_some() || state.waiting.is_empty() {
                return None;
            }
            let is_ready = |job: &Job<G::Kind>| {
                job.material.children().iter().all(|child| state.solved.get(*child).is_some())
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
            let path = path_of(&self.options.folder, G::VARIANT, job.material);
            let written = table.to_bytes().and_then(|bytes| {
                write_whole(&path, &bytes)?;
                Ok(bytes.len() as u64)
            });
            let bytes = written.map_err(|error| BuildError::File { path, error })?;
            (self.report)(BuildStep::Written { material: job.material, bytes });
        }
        self.lock().solved.insert(Arc::new(table));
        Ok(())
    }

    /// Drops tables that no other needs any more.
    fn forget_unneeded(&self, state: &mut State<G>) {
        let open: Vec<Material<G::Kind>> = state
            .waiting
            .iter()
            .chain(&state.running)
            .flat_map(|job| job.material.children())
            .collect();
        for material in state.solved.materials() {
            if !open.contains(&material) {
                state.solved.remove(material);
                state.memory -= Layout::<G>::new(material).cells() as u64 * BYTES_PER_CELL;
            }
        }
    }
}
