//! Builds tables of the chess games on all cores into a folder, or only solves them.
//!
//! Each thread takes a table whose children are all solved, solves it and writes it; the threads
//! share the work on the slices of pawns and on packing. What others still need of a table stays in
//! memory. Files are written atomically, so an interrupted build resumes where it stopped: an
//! existing table is solved again, in memory, only if a missing one needs it.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use qirkat_game::Color;
use qirkat_rules::chess::{ChessPosition, Kind, Square};
use qirkat_system::machine::{ThreadPool, thread_pool};

use super::buildable_game::{BuildError, BuildOptions, BuildStep, megabytes, plan, write_table};
use super::solved_table::{SolvableGame, SolvedTable, SolvedTables};
use crate::chess_game::points;
use crate::chess_index::Layout;
use crate::chess_material::Material;
use crate::header::TableForm;

/// Bytes per cell of a solved table with distances.
pub const BYTES_PER_CELL: u64 = 8;

/// A table that needs another, and the piece that a pawn promotes to if only promotions lead to it.
type Parent<K> = (Material<K>, Option<(Color, K)>);

/// A table to solve, the memory that it takes, and what the tables that depend on it need of it.
#[derive(Clone)]
struct Task<K> {
    material: Material<K>,
    children: Vec<Material<K>>,
    parents: Vec<Parent<K>>,
    is_wanted: bool,
    /// Bytes of memory while it is solved, and of all its results afterwards.
    working_bytes: u64,
    solved_bytes: u64,
    /// The pieces other than kings and pawns.
    pieces: Vec<(Color, K)>,
    /// The points reached by promotion, of all points.
    promotion_share: [u64; 2],
}

impl<K: Kind> Task<K> {
    /// What unsolved tables need of it: what promotions to these pieces lead to; all if `None`.
    fn promotions(&self, is_unsolved: impl Fn(Material<K>) -> bool) -> Option<Vec<(Color, K)>> {
        self.parents.iter().filter(|it| is_unsolved(it.0)).map(|it| it.1).collect()
    }

    /// The bytes that are kept of it for tables not yet solved.
    fn kept(&self, is_unsolved: impl Fn(Material<K>) -> bool) -> u64 {
        let Some(promotions) = self.promotions(is_unsolved) else { return self.solved_bytes };
        let [promoting, all] = self.promotion_share;
        let with_side_to_move = |side: Color| {
            let pieces = self.pieces.iter().filter(|it| it.0 != side && promotions.contains(it));
            // Not needed are the cells in which none of these pieces is on a point that promotion
            // reaches.
            let half = self.solved_bytes / 2;
            half - pieces.fold(half, |rest, _| rest / all * (all - promoting))
        };
        Color::ALL.map(with_side_to_move).iter().sum()
    }
}

struct State<G: SolvableGame> {
    waiting: Vec<Task<G::Kind>>,
    running: Vec<Task<G::Kind>>,
    /// Solved tables that are still needed, and their bytes.
    finished: Vec<(Task<G::Kind>, u64)>,
    solved: SolvedTables<G>,
    failed: Option<BuildError<Material<G::Kind>>>,
}

/// What tables are solved with.
pub struct Resources<'a> {
    pub form: TableForm,
    pub threads: usize,
    /// The memory limit for tables, in bytes.
    pub memory: u64,
    pub stop: &'a AtomicBool,
    /// Gets the number of positions processed.
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
    check_pieces::<G>(&options.materials)?;
    let (_locked, planned) = plan::<G>(options)?;
    let planned = planned.into_iter().map(|it| (it.material, it.file.is_none()));
    let planned: Vec<(MaterialOf<G>, bool)> = planned.collect();
    report(BuildStep::Total(planned.iter().map(|it| positions::<G>(it.0)).sum()));
    let resources = Resources {
        form: options.form,
        threads: options.threads,
        memory: options.memory,
        stop,
        progress: &|positions| report(BuildStep::Cells(positions)),
    };
    solve_all::<G>(&resources, planned, &|table, children| {
        let packed = table.to_bytes(children);
        report(write_table::<G>(options, table.layout.material, packed)?);
        Ok(())
    })
}

/// Fails if one of these tables has too few or too many pieces.
pub fn check_pieces<G: SolvableGame>(
    materials: &[MaterialOf<G>],
) -> Result<(), BuildError<MaterialOf<G>>> {
    let most = G::MAX_SOLVED_PIECES;
    let unfit = materials.iter().find(|it| !(3..=most).contains(&it.pieces()));
    unfit.map_or(Ok(()), |&material| Err(BuildError::Unfit { material, most }))
}

/// Positions of a table for both sides to move, with invalid ones.
pub fn positions<G: SolvableGame>(material: MaterialOf<G>) -> u64 {
    2 * Layout::<G>::new(material).cells() as u64
}

/// Solves tables, given with those that they need, and finishes the wanted ones.
pub fn solve_all<G: SolvableGame>(
    resources: &Resources<'_>,
    planned: Vec<(MaterialOf<G>, bool)>,
    finish: Finish<'_, G>,
) -> Result<(), BuildError<MaterialOf<G>>> {
    let waiting = in_order(planned.iter().map(|&it| task::<G>(it, &planned, resources)).collect());
    let most = peak(&waiting.iter().collect::<Vec<_>>(), Vec::new());
    if let Some((needed, material)) = most.filter(|it| it.0 > resources.memory) {
        let (needed, given) = megabytes(needed, resources.memory);
        return Err(BuildError::Memory { material, needed, given });
    }
    let pool = thread_pool(resources.threads)?;
    let solved = SolvedTables::<G>::new();
    let (running, finished) = (Vec::new(), Vec::new());
    let state = Mutex::new(State { waiting, running, finished, solved, failed: None });
    let builder = Builder { resources, pool, state, changed: Condvar::new(), finish };
    std::thread::scope(|scope| {
        for _ in 0..resources.threads.max(1) {
            scope.spawn(|| builder.work());
        }
    });
    let failed = builder.state.into_inner().unwrap_or_else(PoisonError::into_inner).failed;
    failed.map_or(Ok(()), Err)
}

fn task<G: SolvableGame>(
    (material, is_wanted): (MaterialOf<G>, bool),
    planned: &[(MaterialOf<G>, bool)],
    resources: &Resources<'_>,
) -> Task<G::Kind> {
    let layout = Layout::<G>::new(material);
    let cells = layout.cells() as u64;
    let solved_bytes = match resources.form {
        TableForm::Distances => BYTES_PER_CELL * cells,
        TableForm::Wdl => 2 * cells.div_ceil(3),
    };
    // Captures may lead to any position, promotions only to some.
    let parents = planned.iter().filter(|it| it.0.children().contains(&material));
    let parents = parents.flat_map(|&(parent, _)| {
        if resources.form == TableForm::Distances || parent.pieces() > material.pieces() {
            return vec![(parent, None)];
        }
        let promoted = layout.pieces.iter().filter(|&&(color, kind)| {
            material.without(color, kind).with(color, Kind::PAWN).canonical() == parent
        });
        promoted.map(|&it| (parent, Some(it))).collect()
    });
    let promoting = points::<G>().filter(|&it| layout.is_after_promotion(Color::White, it)).count();
    // With pawns each thread solves one slice at a time; without pawns the table is a single slice.
    let at_once = layout.slice_cells() as u64 * resources.threads.min(layout.slices.count()) as u64;
    Task {
        material,
        children: material.children(),
        parents: parents.collect(),
        is_wanted,
        working_bytes: solved_bytes + at_once * G::WORKING_BYTES,
        solved_bytes,
        pieces: layout.pieces.to_vec(),
        promotion_share: [promoting as u64, G::Square::COUNT as u64],
    }
}

/// The tasks in an order in which few tables have to be kept at a time: next is one that frees
/// memory or, if there is none, one needed by the table that waits for the fewest others.
fn in_order<K: Kind>(mut tasks: Vec<Task<K>>) -> Vec<Task<K>> {
    let mut ordered: Vec<Task<K>> = Vec::new();
    loop {
        let left: BTreeMap<Material<K>, &Task<K>> =
            tasks.iter().map(|task| (task.material, task)).collect();
        let missing =
            |task: &Task<K>| task.children.iter().filter(|child| left.contains_key(child)).count();
        let cost = |task: &Task<K>| {
            let is_unsolved = |material| left.contains_key(&material);
            let children = ordered.iter().filter(|it| task.children.contains(&it.material));
            let is_unsolved_after = |it| it != task.material && is_unsolved(it);
            let freed: u64 =
                children.map(|it| it.kept(is_unsolved) - it.kept(is_unsolved_after)).sum();
            let growth = task.kept(is_unsolved).cast_signed() - freed.cast_signed();
            let parents = task.parents.iter().filter_map(|it| left.get(&it.0));
            (growth > 0, parents.map(|it| missing(it)).min(), growth, task.working_bytes)
        };
        let ready = (0..tasks.len()).filter(|&at| missing(&tasks[at]) == 0);
        let Some(at) = ready.min_by_key(|&at| cost(&tasks[at])) else { return ordered };
        ordered.push(tasks.remove(at));
    }
}

/// The most bytes of memory that the waiting tasks take if they are done in this order, one at a
/// time, with what is still needed of the finished ones; and the table that takes them.
fn peak<'a, K: Kind>(
    waiting: &[&'a Task<K>],
    mut finished: Vec<&'a Task<K>>,
) -> Option<(u64, Material<K>)> {
    let mut unsolved: BTreeSet<Material<K>> = waiting.iter().map(|it| it.material).collect();
    let needed = waiting.iter().map(|&task| {
        finished.retain(|it| it.parents.iter().any(|it| unsolved.contains(&it.0)));
        let kept = finished.iter().map(|it| it.kept(|it| unsolved.contains(&it)));
        let needed = kept.sum::<u64>() + task.working_bytes;
        unsolved.remove(&task.material);
        finished.push(task);
        (needed, task.material)
    });
    needed.max_by_key(|it| it.0)
}

impl<G: SolvableGame> Builder<'_, G> {
    fn lock(&self) -> MutexGuard<'_, State<G>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(task) = self.next() {
            let solved = catch_unwind(AssertUnwindSafe(|| self.solve(&task)));
            let (result, panic) = match solved {
                Ok(result) => (result, None),
                // Without an end, the other threads would wait for this table for ever.
                Err(panic) => (Err(BuildError::Stopped), Some(panic)),
            };
            self.end(&task, result);
            self.changed.notify_all();
            if let Some(panic) = panic {
                resume_unwind(panic);
            }
        }
    }

    /// Waits for a table that can be solved now, and after which there is memory for the others;
    /// none if all is done or the build has failed.
    fn next(&self) -> Option<Task<G::Kind>> {
        let mut state = self.lock();
        loop {
            if state.failed.is_some() || state.waiting.is_empty() {
                return None;
            }
            let State { waiting, running, finished, solved, .. } = &*state;
            let memory = running.iter().map(|task| task.working_bytes);
            let memory: u64 = memory.chain(finished.iter().map(|it| it.1)).sum();
            let fits = |bytes| bytes <= self.resources.memory;
            let can_begin = |task: &Task<G::Kind>| {
                let others = waiting.iter().filter(|it| it.material != task.material);
                let others: Vec<&Task<G::Kind>> = others.collect();
                let finished = finished.iter().map(|it| &it.0);
                let done = finished.chain(running).chain([task]).collect();
                task.children.iter().all(|child| solved.contains_key(child))
                    && fits(memory + task.working_bytes)
                    && peak(&others, done).is_none_or(|(needed, _)| fits(needed))
            };
            // If nothing runs, all that the first one needs has been solved, so it can begin.
            let first = running.is_empty().then_some(0);
            if let Some(at) = waiting.iter().position(can_begin).or(first) {
                let task = state.waiting.remove(at);
                state.running.push(task.clone());
                return Some(task);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn solve(&self, task: &Task<G::Kind>) -> Result<SolvedTable<G>, BuildError<Material<G::Kind>>> {
        let state = self.lock();
        let mut children = state.solved.clone();
        children.retain(|material, _| task.children.contains(material));
        // Not earlier: while this holds tables that it does not need, `end` cannot shrink them.
        drop(state);
        let progress = |cells: usize| {
            (self.resources.progress)(2 * cells as u64);
            !self.resources.stop.load(Ordering::Relaxed) && self.lock().failed.is_none()
        };
        let solve = || G::solve(task.material, self.resources.form, &children, &progress);
        let table = self.pool.install(solve).ok_or(BuildError::Stopped)?;
        if task.is_wanted {
            self.pool.install(|| (self.finish)(&table, &children))?;
        }
        Ok(table)
    }

    /// Ends a task, and forgets what no table not yet solved needs any more.
    fn end(
        &self,
        task: &Task<G::Kind>,
        result: Result<SolvedTable<G>, BuildError<Material<G::Kind>>>,
    ) {
        let mut guard = self.lock();
        let state = &mut *guard;
        match result {
            Ok(table) => {
                state.solved.insert(task.material, Arc::new(table));
                state.finished.push((task.clone(), task.solved_bytes));
            }
            Err(error) => drop(state.failed.get_or_insert(error)),
        }
        let running = state.running.iter().filter(|it| it.material != task.material);
        let is_unsolved = |material| {
            state.waiting.iter().chain(running.clone()).any(|it| it.material == material)
        };
        let mut shrinking = Vec::new();
        for (table, bytes) in &mut state.finished {
            let kept = table.kept(is_unsolved);
            // What is in use is left until its user ends.
            let is_used = running.clone().any(|it| it.children.contains(&table.material));
            if kept < *bytes && !is_used {
                *bytes = kept;
                let solved = state.solved.remove(&table.material);
                shrinking.extend(solved.zip(table.promotions(is_unsolved).filter(|_| kept > 0)));
            }
        }
        state.finished.retain(|it| it.1 > 0);
        drop(guard);
        let shrunk = shrinking.into_iter().map(|(table, promotions)| {
            let kept = Arc::try_unwrap(table).map(|it| Arc::new(it.keep_promotions(&promotions)));
            let table = kept.unwrap_or_else(|whole| whole);
            (table.layout.material, table)
        });
        let shrunk: Vec<_> = shrunk.collect();
        let mut state = self.lock();
        state.solved.extend(shrunk);
        // Until now nothing that needs them could begin.
        state.running.retain(|it| it.material != task.material);
    }
}
