//! What all games share for building, checking and surveying tables.

use std::fmt::{Debug, Display};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use qirkat_system::machine::ThreadsError;
use qirkat_system::output_file::{lock_folder, write_atomic};

use crate::error::TableError;
use crate::folder::{TableFile, path_of};
use crate::header::TableForm;
use crate::statistics::Statistics;
use crate::tables::{Table, TableGame, Tables};

/// A game whose tables can be built and checked. The chess games do it in one way, Alquerque in
/// another.
///
/// Generic code is compiled in each crate that calls it, with that crate's optimisation level.
/// These methods take nearly all of the time, so they are compiled here, for each game.
pub trait BuildableGame: TableGame {
    /// Solved tables in memory.
    type Solved: Default + Send;

    /// What a build or survey counts as progress.
    const COUNTED: &'static str;

    /// The tables that must be solved before this one, because its moves lead to them.
    fn children(material: Self::Material) -> Vec<Self::Material>;

    /// Builds the missing tables. `stop` interrupts it; files already written stay.
    ///
    /// # Errors
    /// If a table cannot be solved, a file cannot be written, another process is building in this
    /// folder, memory is too small, or it was stopped.
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

/// A game whose tables can be surveyed: counted without being stored.
pub trait SurveyedGame: BuildableGame {
    /// The most pieces that can be surveyed, and the default.
    const SURVEYED_PIECES: (usize, usize);

    /// The tables with this many pieces that can be surveyed, the most interesting first.
    fn to_survey(pieces: usize) -> Vec<Self::Material>;

    /// Surveys tables in this order. `stop` interrupts it; what has been reported stays valid.
    ///
    /// # Errors
    /// If a table cannot be surveyed, memory is too small, or it was stopped.
    fn survey(
        options: &SurveyOptions<Self::Material>,
        stop: &AtomicBool,
        report: &(dyn Fn(SurveyStep<Self::Material>) + Sync),
    ) -> Result<(), BuildError<Self::Material>>;
}

#[derive(Clone, Debug)]
pub struct BuildOptions<M> {
    /// The tables; those that they need are built too where their files are missing. Canonical:
    /// see [`TableGame::canonical`].
    pub materials: Vec<M>,
    /// What they tell; in Alquerque always distances.
    pub form: TableForm,
    pub folder: PathBuf,
    pub threads: usize,
    /// The memory limit for tables, in bytes.
    pub memory: u64,
}

#[derive(Clone, Copy, Debug)]
pub enum BuildStep<M> {
    /// This many positions (in Alquerque, boards), for both sides to move, will be processed.
    Total(u64),
    /// This many more have been processed.
    Cells(u64),
    Written {
        material: M,
        bytes: u64,
    },
}

/// Why tables cannot be built or surveyed.
#[derive(Debug, Error)]
pub enum BuildError<M: Debug + Display> {
    #[error("{material}: only tables with 3 to {most} pieces can be solved")]
    Unfit { material: M, most: usize },
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{material} needs {needed} MB of memory, where {given} MB are allowed")]
    Memory {
        material: M,
        /// Megabytes needed, including the tables that must stay in memory.
        needed: u64,
        /// The limit in megabytes.
        given: u64,
    },
    /// The 100-ply rule would change results even with the clock at zero, which the format of
    /// Alquerque cannot express.
    #[error("{0}: a win takes more than 100 plies without a jump or step forward")]
    Clock(M),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    #[error("stopped")]
    Stopped,
}

/// The most pieces, kings included, for surveying a table of Chesquerque.
pub const MAX_SURVEYED_PIECES: usize = 5;

#[derive(Clone, Debug)]
pub struct SurveyOptions<M> {
    /// The tables. Of those with pawns in Chesquerque, the results and distances to zeroing are
    /// counted, not the distances to mate. Canonical: see [`TableGame::canonical`].
    pub materials: Vec<M>,
    /// The number of tables solved at once, memory permitting.
    pub threads: usize,
    /// The memory limit in bytes.
    pub memory: u64,
}

#[derive(Clone, Debug)]
pub enum SurveyStep<M> {
    /// This many positions (in Alquerque, boards), for both sides to move, will be processed.
    Total(u64),
    /// This many more have been processed.
    Positions(u64),
    Surveyed(Box<Surveyed<M>>),
}

#[derive(Clone, Copy, Debug)]
pub struct Surveyed<M> {
    pub material: M,
    pub statistics: Statistics,
}

/// The megabytes for an error, from the bytes needed and given.
pub const fn megabytes(needed: u64, given: u64) -> (u64, u64) {
    (needed.div_ceil(1 << 20), given >> 20)
}

#[derive(Clone, Debug)]
pub struct Checked<G> {
    /// The number of entries derived again, for either side to move.
    pub entries: u64,
    /// A few positions whose entry does not follow from their successors.
    pub wrong: Vec<G>,
    pub has_right_statistics: bool,
}

/// The most wrong positions that are kept.
pub const MAX_WRONG: usize = 5;

/// Checks tables one after another. Smaller ones come first, since larger ones depend on them.
pub struct Checker<'a, G: BuildableGame> {
    pub(crate) tables: &'a Tables<G>,
    pub(crate) known: G::Solved,
    pub(crate) stop: &'a AtomicBool,
}

impl<'a, G: BuildableGame> Checker<'a, G> {
    /// A checker; `stop` interrupts its checks.
    pub fn new(tables: &'a Tables<G>, stop: &'a AtomicBool) -> Checker<'a, G> {
        Checker { tables, known: G::Solved::default(), stop }
    }

    /// Checks the first of `materials` on the threads of the current rayon pool. The chess games then
    /// drop solved tables that none of `materials` needs. `progress` gets the number of entries processed.
    /// Returns none if it is stopped, or a table is missing.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn check(
        &mut self,
        materials: &[G::Material],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<G>>, TableError> {
        G::check(self, materials, progress)
    }
}

/// A table to solve. `file` is set if it exists and is only needed by others.
#[derive(Clone)]
pub struct PlannedTable<M> {
    pub material: M,
    pub file: Option<PathBuf>,
}

/// Some tables and all that they depend on, directly or indirectly, in solving order.
pub fn with_dependencies<G: BuildableGame>(materials: &[G::Material]) -> Vec<G::Material> {
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

/// The tables of a build, and the lock file that keeps other processes out of its folder.
type LockedPlan<M> = (File, Vec<PlannedTable<M>>);

/// The tables missing in a folder and those that they need, in solving order. While the lock file
/// is held, no other process builds in the folder.
pub fn plan<G: BuildableGame>(
    options: &BuildOptions<G::Material>,
) -> Result<LockedPlan<G::Material>, BuildError<G::Material>> {
    let folder = &options.folder;
    let locked = std::fs::create_dir_all(folder)
        .and_then(|()| lock_folder(folder))
        .map_err(|error| BuildError::File { path: folder.clone(), error })?;
    let mut planned: Vec<PlannedTable<G::Material>> = Vec::new();
    // In reverse: is it missing, or needed to solve a later one?
    for material in with_dependencies::<G>(&options.materials).into_iter().rev() {
        let path = path_of(folder, G::VARIANT, material);
        // A table with distances knows the results too.
        let is_there = open_table::<G>(&path).is_some_and(|table| {
            table.material == material
                && [TableForm::Distances, options.form].contains(&table.header.form())
        });
        if !is_there || planned.iter().any(|it| G::children(it.material).contains(&material)) {
            planned.push(PlannedTable { material, file: is_there.then_some(path) });
        }
    }
    planned.reverse();
    Ok((locked, planned))
}

/// The table in a file; none if there is no complete one.
pub fn open_table<G: TableGame>(path: &Path) -> Option<Table<G>> {
    Table::open(Box::new(TableFile::open(path).ok()?), Arc::default()).ok()
}

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
