//! Builds tables of the chess games on all cores into a folder, or only solves them.
//!
//! Each thread takes a table whose children are all solved, solves it and writes it; the threads
//! share the work on the slices of pawns and on packing. Tables that others still need stay in
//! memory. Files are written atomically, so an interrupted build resumes where it stopped: an
//! existing table is solved again, in memory, only if a missing one needs it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use qirkat_game::Color;
use qirkat_rules::chess::{ChessPosition, Kind};
use qirkat_system::machine::{ThreadPool, thread_pool};

use super::buildable_game::{BuildError, BuildOptions, BuildStep, jobs, write_table};
use super::solved_table::{SolvableGame, SolvedTable, SolvedTables};
use crate::chess_index::Layout;
use crate::chess_material::Material;
use crate::header::TableForm;

#[derive(Clone)]
struct Job<K> {
    material: Material<K>,
    children: Vec<Material<K>>,
    is_wanted: bool,
    /// The promotions that others need it for; none if they need all of it.
    promotions: Option<Vec<(Color, K)>>,
    /// Bytes of memory while it is solved, and afterwards.
    working: u64,
    kept: u64,
}

struct State<G: SolvableGame> {
    waiting: Vec<Job<G::Kind>>,
    running: Vec<Job<G::Kind>>,
    /// The jobs of the solved tables.
    finished: Vec<Job<G::Kind>>,
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

/// Solves tables, given with those that they need, and finishes the wanted ones.
pub fn solve_all<G: SolvableGame>(
    resources: &Resources<'_>,
    jobs: Vec<(MaterialOf<G>, bool)>,
    finish: Finish<'_, G>,
) -> Result<(), BuildError<MaterialOf<G>>> {
    let waiting = in_order(jobs.iter().map(|&it| job::<G>(it, &jobs, resources)).collect());
    let most = peak(waiting.iter().collect(), Vec::new());
    if let Some((needed, material)) = most.filter(|it| it.0 > resources.memory) {
        let (needed, given) = (needed.div_ceil(1 << 20), resources.memory >> 20);
        return Err(BuildError::Memory { material, needed, given });
    }
    let pool = thread_pool(resources.threads)?;
    let solved = SolvedTables::<G>::new();
    let (running, finished) = (Vec::new(), Vec::new());
    let state = State { waiting, running, finished, solved, memory: 0, failed: None };
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

fn job<G: SolvableGame>(
    (material, is_wanted): (MaterialOf<G>, bool),
    jobs: &[(MaterialOf<G>, bool)],
    resources: &Resources<'_>,
) -> Job<G::Kind> {
    let layout = Layout::<G>::new(material);
    let cells = layout.cells() as u64;
    let all = match resources.form {
        TableForm::Distances => 8 * cells,
        TableForm::Wdl => 2 * cells.div_ceil(3),
    };
    let mut larger = jobs.iter().filter(|job| job.0.pieces() > material.pieces());
    // Captures may lead to any position, promotions only to some.
    let is_small = larger.any(|job| job.0.children().contains(&material));
    let promotions = (resources.form == TableForm::Wdl && !is_small).then(|| {
        let mut promotions = layout.pieces.to_vec();
        promotions.retain(|&(color, kind)| {
            let parent = material.without(color, kind).with(color, Kind::PAWN).canonical();
            jobs.iter().any(|job| job.0 == parent)
        });
        promotions
    });
    let kept = promotions.as_ref().map_or(all, |promotions| {
        let of_pair = (0..layout.pair_stride).filter(|&it| layout.is_promotion(it, promotions));
        all / layout.pair_stride as u64 * of_pair.count() as u64
    });
    // What is solved at once is a slice with pawns on each thread, or all without pawns.
    let at_once = layout.slice_cells() as u64 * resources.threads.min(layout.slices.count()) as u64;
    let working = all + at_once * G::WORKING_BYTES;
    Job { material, children: material.children(), is_wanted, promotions, working, kept }
}

/// The jobs in an order in which few tables have to be kept at a time: next is always the one that
/// frees most, or adds least.
fn in_order<K: PartialEq + Copy>(mut jobs: Vec<Job<K>>) -> Vec<Job<K>> {
    let mut ordered: Vec<Job<K>> = Vec::new();
    loop {
        let is_open = |material| jobs.iter().any(|it| it.material == material);
        let parents = |material| jobs.iter().filter(|it| it.children.contains(&material)).count();
        let growth = |job: &Job<K>| {
            let children = ordered.iter().filter(|it| job.children.contains(&it.material));
            let freed: u64 =
                children.filter(|it| parents(it.material) == 1).map(|it| it.kept).sum();
            (job.kept.cast_signed() - freed.cast_signed(), job.working)
        };
        let ready = (0..jobs.len()).filter(|&at| !jobs[at].children.iter().any(|&it| is_open(it)));
        let Some(at) = ready.min_by_key(|&at| growth(&jobs[at])) else { return ordered };
        ordered.push(jobs.remove(at));
    }
}

/// The most bytes of memory that the waiting jobs take if they are done in this order, one at a time,
/// with the finished tables that are still needed; and the job that takes them.
fn peak<'a, K: PartialEq + Copy>(
    waiting: Vec<&'a Job<K>>,
    mut finished: Vec<&'a Job<K>>,
) -> Option<(u64, Material<K>)> {
    let jobs = waiting.iter().enumerate().map(|(at, &job)| {
        finished.retain(|it| waiting[at..].iter().any(|job| job.children.contains(&it.material)));
        let needed = finished.iter().map(|it| it.kept).sum::<u64>() + job.working;
        finished.push(job);
        (needed, job.material)
    });
    jobs.max_by_key(|it| it.0)
}

impl<G: SolvableGame> Builder<'_, G> {
    fn lock(&self) -> MutexGuard<'_, State<G>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(job) = self.next() {
            let result = self.solve(&job);
            let mut state = self.lock();
            state.running.retain(|it| it.material != job.material);
            state.memory -= job.working - job.kept;
            state.finished.push(job);
            if let Err(error) = result {
                state.failed.get_or_insert(error);
            }
            let State { waiting, running, solved, memory, finished, .. } = &mut *state;
            finished.retain(|job| {
                let mut open = waiting.iter().chain(&*running);
                let is_needed = open.any(|it| it.children.contains(&job.material));
                if !is_needed {
                    *memory -= job.kept;
                    solved.remove(&job.material);
                }
                is_needed
            });
            self.changed.notify_all();
        }
    }

    /// Waits for a table that can be solved now, and after which there is memory for the others;
    /// none if all is done or the build has failed.
    fn next(&self) -> Option<Job<G::Kind>> {
        let mut state = self.lock();
        loop {
            if state.failed.is_some() || state.waiting.is_empty() {
                return None;
            }
            let State { waiting, running, finished, solved, memory, .. } = &*state;
            let fits = |bytes| bytes <= self.resources.memory;
            let can_begin = |job: &Job<G::Kind>| {
                let others = waiting.iter().filter(|it| it.material != job.material).collect();
                let done = finished.iter().chain(running).chain([job]).collect();
                job.children.iter().all(|child| solved.contains_key(child))
                    && fits(memory + job.working)
                    && peak(others, done).is_none_or(|(needed, _)| fits(needed))
            };
            // If nothing runs, what the first one needs is solved.
            let first = running.is_empty().then_some(0);
            if let Some(at) = waiting.iter().position(can_begin).or(first) {
                let job = state.waiting.remove(at);
                state.memory += job.working;
                state.running.push(job.clone());
                return Some(job);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn solve(&self, job: &Job<G::Kind>) -> Result<(), BuildError<Material<G::Kind>>> {
        let children = self.lock().solved.clone();
        let progress = |cells: usize| {
            (self.resources.progress)(2 * cells as u64);
            !self.resources.stop.load(Ordering::Relaxed) && self.lock().failed.is_none()
        };
        let solve = || G::solve(job.material, self.resources.form, &children, &progress);
        let mut table = self.pool.install(solve).ok_or(BuildError::Stopped)?;
        if job.is_wanted {
            self.pool.install(|| (self.finish)(&table, &children))?;
        }
        drop(children);
        if let Some(promotions) = &job.promotions {
            table = table.keep_promotions(promotions);
        }
        self.lock().solved.insert(job.material, Arc::new(table));
        Ok(())
    }
}
