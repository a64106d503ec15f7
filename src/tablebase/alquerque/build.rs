//! Makes tables of Alquerque and keeps them in a folder, or only counts what they come to.
//!
//! One table after another is solved, on all threads, those with few men first. All that later
//! ones need stays in memory. A file gets its name only when it is whole, so a build that was
//! broken off goes on where it ended: what is there is read where it is needed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use qirkat_game::DRAWING_CLOCK;
use qirkat_rules::variant::Variant;
use qirkat_system::machine::thread_pool;
use qirkat_system::output_file::{hold_folder, write_whole};

use super::distance_tables::DistanceTables;
use super::material::MenMaterial;
use super::ranks::Profile;
use super::table::Table;
use crate::folder::{PagedFile, path_of};
use crate::generator::{
    BuildError, BuildOptions, BuildStep, SurveyError, SurveyOptions, SurveyStep, Surveyed,
};
use crate::statistics::Statistics;

/// Bytes of memory for a board of a table that stays: where its positions begin, and theirs. Up
/// to 6 men it is less than 10.
const BYTES_PER_BOARD: u64 = 11;
/// Bytes for a board of the profiles that each thread has in the making.
const BYTES_PER_BOARD_IN_WORK: u64 = 160;

type Error = BuildError<MenMaterial>;

/// A table that is wanted.
#[derive(Clone)]
struct Job {
    material: MenMaterial,
    /// Whether it is to be handed on; otherwise others need it.
    is_wanted: bool,
    file: Option<PathBuf>,
}

/// Builds the tables that are not there yet. `stop` ends it, what is written stays.
///
/// # Errors
/// When a file cannot be written, another process builds tables in this folder, memory is too
/// short, or it was stopped.
pub fn build(
    options: &BuildOptions<MenMaterial>,
    stop: &AtomicBool,
    report: &(dyn Fn(BuildStep<MenMaterial>) + Sync),
) -> Result<(), Error> {
    let folder = &options.folder;
    let _held = std::fs::create_dir_all(folder)
        .and_then(|()| hold_folder(folder))
        .map_err(|error| Error::File { path: folder.clone(), error })?;
    let all: BTreeSet<MenMaterial> = options.materials.iter().flat_map(with_all_needed).collect();
    let jobs = jobs(all.iter().copied(), &|material| {
        let path = path_of(folder, Variant::Alquerque, material);
        is_there(&path, material).then_some(path)
    });
    let means = Means { threads: options.threads, memory: options.memory, stop };
    let progress = |boards: u64| report(BuildStep::Cells(boards));
    report(BuildStep::Total(jobs.iter().map(boards_to_solve).sum()));
    means.solve_all(&jobs, &progress, &|tables, material, statistics| {
        let path = path_of(folder, Variant::Alquerque, material);
        let written = tables.to_bytes(material, statistics).and_then(|bytes| {
            write_whole(&path, &bytes)?;
            Ok(bytes.len() as u64)
        });
        let bytes = written.map_err(|error| Error::File { path, error })?;
        report(BuildStep::Written { material, bytes });
        Ok(())
    })
}

/// Surveys tables in their order. `stop` ends it; what has been reported stays true.
///
/// # Errors
/// When memory is too short, or it was stopped.
pub fn survey(
    options: &SurveyOptions<MenMaterial>,
    stop: &AtomicBool,
    report: &(dyn Fn(SurveyStep<MenMaterial>) + Sync),
) -> Result<(), SurveyError> {
    let all: BTreeSet<MenMaterial> = options.materials.iter().flat_map(with_all_needed).collect();
    let job = |&material: &MenMaterial| {
        let is_wanted = options.materials.contains(&material);
        Job { material, is_wanted, file: None }
    };
    let jobs: Vec<Job> = all.iter().map(job).collect();
    let means = Means { threads: options.threads, memory: options.memory, stop };
    report(SurveyStep::Total(jobs.iter().map(boards_to_solve).sum()));
    let progress = |boards: u64| report(SurveyStep::Positions(boards));
    let result = means.solve_all(&jobs, &progress, &|_, material, statistics| {
        report(SurveyStep::Surveyed(Box::new(Surveyed { material, statistics })));
        Ok(())
    });
    match result {
        Ok(()) => Ok(()),
        Err(Error::Memory { needed, given, .. }) => Err(SurveyError::Memory { needed, given }),
        Err(_) => Err(SurveyError::Stopped),
    }
}

/// A material and all that jumps lead to from it, even after one another.
fn with_all_needed(material: &MenMaterial) -> Vec<MenMaterial> {
    let [more, fewer] = material.sides();
    let pairs = (1..=more).flat_map(|one| (1..=fewer).map(move |other| [one, other]));
    pairs.filter_map(MenMaterial::new).collect()
}

/// Those tables that are missing, and those that they need, few men first.
fn jobs(
    all: impl Iterator<Item = MenMaterial>,
    file: &dyn Fn(MenMaterial) -> Option<PathBuf>,
) -> Vec<Job> {
    let jobs = all.map(|material| {
        let file = file(material);
        Job { material, is_wanted: file.is_none(), file }
    });
    let mut jobs: Vec<Job> = jobs.collect();
    let missing: Vec<MenMaterial> =
        jobs.iter().filter(|job| job.is_wanted).map(|job| job.material).collect();
    jobs.retain(|job| missing.iter().any(|it| with_all_needed(it).contains(&job.material)));
    jobs
}

/// Whether the file of a table is there and whole.
fn is_there(path: &Path, material: MenMaterial) -> bool {
    open(path).is_some_and(|table| table.material() == material)
}

fn open(path: &Path) -> Option<Table> {
    let file = PagedFile::open(path).ok()?;
    Table::open(Box::new(file), Arc::default()).ok()
}

/// Boards of a table with either side to move.
fn boards(material: MenMaterial) -> u64 {
    let ways =
        |of: u64, men: usize| (0..men as u64).fold(1, |ways, man| ways * (of - man) / (man + 1));
    let [more, fewer] = material.sides();
    let boards = ways(25, more) * ways(25 - more as u64, fewer);
    if more == fewer { boards } else { 2 * boards }
}

fn boards_to_solve(job: &Job) -> u64 {
    if job.file.is_some() { 0 } else { boards(job.material) }
}

/// What tables are made with.
struct Means<'a> {
    threads: usize,
    memory: u64,
    stop: &'a AtomicBool,
}

/// Takes a table that has been solved, and what it comes to.
type OnSolved<'a> =
    &'a (dyn Fn(&DistanceTables, MenMaterial, Statistics) -> Result<(), Error> + Sync);

impl Means<'_> {
    fn solve_all(
        &self,
        jobs: &[Job],
        progress: &(dyn Fn(u64) + Sync),
        on_solved: OnSolved<'_>,
    ) -> Result<(), Error> {
        self.check_memory(jobs)?;
        let pool = thread_pool(self.threads).map_err(|error| {
            let error = std::io::Error::other(error);
            Error::File { path: PathBuf::from("threads"), error }
        })?;
        pool.install(|| {
            let mut tables = DistanceTables::empty();
            for (at, job) in jobs.iter().enumerate() {
                let material = job.material;
                if let Some(slices) = job.file.as_deref().and_then(open).map(|it| it.load()) {
                    let slices = slices.map_err(|error| Error::File {
                        path: job.file.clone().unwrap_or_default(),
                        error: std::io::Error::other(error),
                    })?;
                    tables.insert(slices);
                } else {
                    let goes_on = tables.solve(material, &|boards| {
                        progress(boards as u64);
                        !self.stop.load(Ordering::Relaxed)
                    });
                    if !goes_on {
                        return Err(Error::Stopped);
                    }
                }
                if job.is_wanted {
                    let statistics = tables.statistics(material).unwrap_or_default();
                    let longest = |side: usize| statistics.sides[side].longest_zeroing;
                    let run = longest(0).max(longest(1)).map_or(0, |(plies, _)| plies);
                    if run > DRAWING_CLOCK {
                        return Err(Error::Clock(material));
                    }
                    on_solved(&tables, material, statistics)?;
                }
                if !is_needed(material, &jobs[at + 1..]) {
                    tables.remove_last(material);
                }
                if self.stop.load(Ordering::Relaxed) {
                    return Err(Error::Stopped);
                }
            }
            Ok(())
        })
    }

    /// Whether the memory suffices, before anything is begun.
    fn check_memory(&self, jobs: &[Job]) -> Result<(), Error> {
        let mut kept = 0;
        for (at, job) in jobs.iter().enumerate() {
            let own = boards(job.material) * BYTES_PER_BOARD;
            let largest = Profile::all(job.material).iter().map(Profile::boards).max();
            let in_work = if job.file.is_some() { 0 } else { 2 * largest.unwrap_or(0) as u64 };
            let needed = kept + own + in_work * BYTES_PER_BOARD_IN_WORK * self.threads as u64;
            if needed > self.memory {
                return Err(Error::Memory {
                    material: job.material,
                    needed: needed.div_ceil(1 << 20),
                    given: self.memory >> 20,
                });
            }
            if is_needed(job.material, &jobs[at + 1..]) {
                kept += own;
            }
        }
        Ok(())
    }
}

fn is_needed(material: MenMaterial, later: &[Job]) -> bool {
    later.iter().any(|job| job.file.is_none() && with_all_needed(&job.material).contains(&material))
}
