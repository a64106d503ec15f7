//! What making, checking and surveying tables has in common, whatever the game is.

use std::fmt::{Debug, Display};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use qirkat_system::output_file::{lock_folder, write_atomic};

use crate::error::TableError;
use crate::folder::{PagedFile, path_of};
use crate::statistics::Statistics;
use crate::tables::{Table, TableGame, Tables};

/// A game whose tables can be made and checked. The chess games make them in one way, Alquerque in
/// another.
///
/// Generic code is compiled in each crate that calls it, optimised as that crate is. What is
/// called here is compiled here, for each game, since it takes nearly all of the time.
pub trait BuildableGame: TableGame {
    /// Solved tables in memory.
    type Solved: Default + Send;

    /// What a build or survey counts of what it has solved.
    const COUNTED: &'static str;

    /// The tables that one move leads to from positions of another.
    fn children(material: Self::Material) -> Vec<Self::Material>;

    /// Builds the tables that are not there yet. `stop` ends it, what is written stays.
    ///
    /// # Errors
    /// When a file cannot be written, another process builds tables in this folder, memory is
    /// too short, or it was stopped.
    fn build(
        options: &BuildOptions<Self::Material>,
        stop: &AtomicBool,
        report: &(dyn Fn(BuildStep<Self::Material>) + Sync),
    ) -> Result<(), BuildError<Self::Material>>;

    /// See [`Checker::check`].
    #[doc(hidden)]
    fn check(
        checker: &mut Checker<'_, Self>,
        materials: &[Self::Material],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<Self>>, TableError>;
}

/// A game whose tables can be counted without being kept.
pub trait SurveyedGame: BuildableGame {
    /// The most pieces of such tables, and how many when nobody says.
    const SURVEYED_PIECES: (usize, usize);

    /// The tables with so many pieces that can be surveyed, those first of which most is
    /// expected.
    fn to_survey(pieces: usize) -> Vec<Self::Material>;

    /// Surveys tables in their order. `stop` ends it; what has been reported stays true.
    ///
    /// # Errors
    /// When a table is none to survey, memory is too short, or it was stopped.
    fn survey(
        options: &SurveyOptions<Self::Material>,
        stop: &AtomicBool,
        report: &(dyn Fn(SurveyStep<Self::Material>) + Sync),
    ) -> Result<(), SurveyError<Self::Material>>;
}

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

/// The most pieces of a table of Chesquerque, kings included, that can be surveyed.
pub const MAX_SURVEYED_PIECES: usize = 5;

/// The tables to be surveyed, and the means.
#[derive(Clone, Debug)]
pub struct SurveyOptions<M> {
    /// The tables; those of Chesquerque without pawns.
    pub materials: Vec<M>,
    /// How many are solved at once, if there is memory for them.
    pub threads: usize,
    /// Bytes of memory.
    pub memory: u64,
}

/// How a survey goes on.
#[derive(Clone, Debug)]
pub enum SurveyStep<M> {
    /// This many positions, for both sides to move, will be solved.
    Total(u64),
    /// This many more have been.
    Positions(u64),
    /// A table is done.
    Surveyed(Box<Surveyed<M>>),
}

/// The statistics of one table.
#[derive(Clone, Copy, Debug)]
pub struct Surveyed<M> {
    /// The table.
    pub material: M,
    /// Its statistics.
    pub statistics: Statistics,
}

/// Why a survey ended early.
#[derive(Debug, Error)]
pub enum SurveyError<M: Debug + Display> {
    /// A table has pawns or too many pieces.
    #[error("{0} has pawns or more than {MAX_SURVEYED_PIECES} pieces")]
    Unfit(M),
    /// The bound of memory is too low.
    #[error("a survey needs {needed} MB of memory, where {given} MB are allowed")]
    Memory {
        /// Megabytes that one thread takes.
        needed: u64,
        /// Megabytes that were allowed.
        given: u64,
    },
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Checked<G> {
    /// Entries that were derived anew, for either side to move.
    pub entries: u64,
    /// Positions whose entry does not follow from its successors, at most a few.
    pub wrong: Vec<G>,
    /// Whether the statistics in the file are those of the table.
    pub has_right_statistics: bool,
}

/// Wrong positions that are kept.
pub const SHOWN: usize = 5;

/// Checks tables one after another; smaller ones come first, since others build on them.
pub struct Checker<'a, G: BuildableGame> {
    pub(crate) tables: &'a Tables<G>,
    pub(crate) known: G::Solved,
    pub(crate) stop: &'a AtomicBool,
}

impl<'a, G: BuildableGame> Checker<'a, G> {
    /// Nothing has been checked yet. `stop` ends a check early.
    pub fn new(tables: &'a Tables<G>, stop: &'a AtomicBool) -> Checker<'a, G> {
        Checker { tables, known: G::Solved::default(), stop }
    }

    /// Checks the first of some tables on the threads of the current rayon pool, and forgets what
    /// none of them needs. `progress` hears how many entries have been looked at. Nothing is found
    /// if it is stopped, or a table is missing.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn check(
        &mut self,
        materials: &[G::Material],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<G>>, TableError> {
        G::check(self, materials, progress)
    }
}

/// A table to solve, and its file where others need it that is there already.
#[derive(Clone)]
pub struct Job<M> {
    pub material: M,
    pub file: Option<PathBuf>,
}

/// Some tables and all that moves lead to from them, even after one another, in an order in which
/// they can be solved.
pub fn with_children<G: BuildableGame>(materials: &[G::Material]) -> Vec<G::Material> {
    let mut all = materials.to_vec();
    let mut at = 0;
    while let Some(&material) = all.get(at) {
        for child in G::children(material) {
            if !all.contains(&child) {
                all.push(child);
            }
        }
        at += 1;
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The jobs of a build, and the file that keeps other processes out of its folder.
type HeldJobs<M> = (File, Vec<Job<M>>);

/// The tables that are missing in a folder, which no other process builds in while the file is
/// held, and those that these need, in an order in which they can be solved.
pub fn jobs<G: BuildableGame>(
    options: &BuildOptions<G::Material>,
) -> Result<HeldJobs<G::Material>, BuildError<G::Material>> {
    let folder = &options.folder;
    let held = std::fs::create_dir_all(folder)
        .and_then(|()| lock_folder(folder))
        .map_err(|error| BuildError::File { path: folder.clone(), error })?;
    let mut jobs: Vec<Job<G::Material>> = Vec::new();
    // From the last to the first: is it missing, or needed by one that is solved?
    for material in with_children::<G>(&options.materials).into_iter().rev() {
        let path = path_of(folder, G::VARIANT, material);
        let is_there = open_table::<G>(&path).is_some_and(|table| table.material == material);
        if !is_there || jobs.iter().any(|job| G::children(job.material).contains(&material)) {
            jobs.push(Job { material, file: is_there.then_some(path) });
        }
    }
    jobs.reverse();
    Ok((held, jobs))
}

/// The table of a file, if it is whole.
pub fn open_table<G: TableGame>(path: &Path) -> Option<Table<G>> {
    Table::open(Box::new(PagedFile::open(path).ok()?), Arc::default()).ok()
}

/// Writes the file of a table.
pub fn write_table<G: TableGame>(
    options: &BuildOptions<G::Material>,
    material: G::Material,
    packed: io::Result<Vec<u8>>,
) -> Result<BuildStep<G::Material>, BuildError<G::Material>> {
    let path = path_of(&options.folder, G::VARIANT, material);
    let written = packed.and_then(|bytes| {
        write_atomic(&path, &bytes)?;
        Ok(bytes.len() as u64)
    });
    let bytes = written.map_err(|error| BuildError::File { path, error })?;
    Ok(BuildStep::Written { material, bytes })
}
