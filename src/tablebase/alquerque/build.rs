//! Makes tables of Alquerque and keeps them in a folder, or only counts what they come to.
//!
//! One table after another is solved, on all threads, those with few men first. All that later
//! ones need stays in memory. A file gets its name only when it is whole, so a build that was
//! broken off goes on where it ended: what is there is read where it is needed.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use qirkat_game::DRAWING_CLOCK;
use qirkat_rules::alquerque::Position;
use qirkat_system::machine::thread_pool;

use super::distance_tables::DistanceTables;
use super::material::{MAX_TABLE_MEN, MenMaterial};
use super::ranks::Profile;
use crate::error::TableError;
use crate::generator::buildable_game::{
    BuildError, BuildOptions, BuildStep, BuildableGame, Checked, Checker, Job, SurveyError,
    SurveyOptions, SurveyStep, Surveyed, SurveyedGame, jobs, open_table, with_children,
    write_table,
};
use crate::statistics::Statistics;

/// Bytes of memory for a board of a table that stays: where its positions begin, and theirs. Up
/// to 6 men it is less than 10.
const BYTES_PER_BOARD: u64 = 11;
/// Bytes for a board of the profiles that each thread has in the making.
const BYTES_PER_BOARD_IN_WORK: u64 = 160;

type Error = BuildError<MenMaterial>;

impl BuildableGame for Position {
    type Solved = DistanceTables;

    const COUNTED: &'static str = "boards";

    /// All that jumps lead to, even after one another.
    fn children(material: MenMaterial) -> Vec<MenMaterial> {
        let [more, fewer] = material.sides();
        let pairs = (1..=more).flat_map(|one| (1..=fewer).map(move |other| [one, other]));
        pairs.filter_map(MenMaterial::new).filter(|child| *child != material).collect()
    }

    fn build(
        options: &BuildOptions<MenMaterial>,
        stop: &AtomicBool,
        report: &(dyn Fn(BuildStep<MenMaterial>) + Sync),
    ) -> Result<(), Error> {
        let (_held, jobs) = jobs::<Position>(options)?;
        let means = Means { threads: options.threads, memory: options.memory, stop };
        let progress = |boards: u64| report(BuildStep::Cells(boards));
        report(BuildStep::Total(jobs.iter().map(boards_to_solve).sum()));
        let is_wanted = |job: &Job<MenMaterial>| job.file.is_none();
        means.solve_all(&jobs, &is_wanted, &progress, &|tables, material, statistics| {
            let packed = tables.to_bytes(material, statistics);
            report(write_table::<Position>(options, material, packed)?);
            Ok(())
        })
    }

    fn check(
        checker: &mut Checker<'_, Position>,
        materials: &[MenMaterial],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<Position>>, TableError> {
        materials.first().map_or(Ok(None), |&material| checker.check_men(material, progress))
    }
}

impl SurveyedGame for Position {
    const SURVEYED_PIECES: (usize, usize) = (MAX_TABLE_MEN, 6);

    fn to_survey(men: usize) -> Vec<MenMaterial> {
        MenMaterial::all(men).collect()
    }

    fn survey(
        options: &SurveyOptions<MenMaterial>,
        stop: &AtomicBool,
        report: &(dyn Fn(SurveyStep<MenMaterial>) + Sync),
    ) -> Result<(), SurveyError<MenMaterial>> {
        let all = with_children::<Position>(&options.materials).into_iter();
        let jobs: Vec<Job<MenMaterial>> =
            all.map(|material| Job { material, file: None }).collect();
        let means = Means { threads: options.threads, memory: options.memory, stop };
        report(SurveyStep::Total(jobs.iter().map(boards_to_solve).sum()));
        let progress = |boards: u64| report(SurveyStep::Positions(boards));
        let is_wanted = |job: &Job<MenMaterial>| options.materials.contains(&job.material);
        let result = means.solve_all(&jobs, &is_wanted, &progress, &|_, material, statistics| {
            report(SurveyStep::Surveyed(Box::new(Surveyed { material, statistics })));
            Ok(())
        });
        match result {
            Ok(()) => Ok(()),
            Err(Error::Memory { needed, given, .. }) => Err(SurveyError::Memory { needed, given }),
            Err(_) => Err(SurveyError::Stopped),
        }
    }
}

/// Boards of a table with either side to move.
fn boards(material: MenMaterial) -> u64 {
    let ways =
        |of: u64, men: usize| (0..men as u64).fold(1, |ways, man| ways * (of - man) / (man + 1));
    let [more, fewer] = material.sides();
    let boards = ways(25, more) * ways(25 - more as u64, fewer);
    if more == fewer { boards } else { 2 * boards }
}

fn boards_to_solve(job: &Job<MenMaterial>) -> u64 {
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
        jobs: &[Job<MenMaterial>],
        is_wanted: &(dyn Fn(&Job<MenMaterial>) -> bool + Sync),
        progress: &(dyn Fn(u64) + Sync),
        on_solved: OnSolved<'_>,
    ) -> Result<(), Error> {
        self.check_memory(jobs)?;
        let pool = thread_pool(self.threads).map_err(|error| {
            let error = std::io::Error::other(error);
            Error::File { path: PathBuf::from("threads"), error }
        })?;
        pool.install(|| {
            let mut tables = DistanceTables::default();
            for (at, job) in jobs.iter().enumerate() {
                let material = job.material;
                if let Some(slices) =
                    job.file.as_deref().and_then(open_table::<Position>).map(|it| it.load())
                {
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
                if is_wanted(job) {
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
    fn check_memory(&self, jobs: &[Job<MenMaterial>]) -> Result<(), Error> {
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

fn is_needed(material: MenMaterial, later: &[Job<MenMaterial>]) -> bool {
    later
        .iter()
        .any(|job| job.file.is_none() && Position::children(job.material).contains(&material))
}
