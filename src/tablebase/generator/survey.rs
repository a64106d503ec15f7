//! Tells what tables without pawns come to, and keeps none of them.
//!
//! A table with five pieces takes 1.7 GB as cells by each measure, its rows a tenth of that
//! (`rows`). So even where files of all of them would be too much, they can be
//! counted. First all smaller tables that captures lead to are solved and stay in memory.
//! Then each thread takes a table of its own.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use thiserror::Error;

use qirkat_rules::chesquerque::{Point, Position};

use super::rows::counting::count_by_rows;
use super::solved_table::SolvedTables;
use super::{SolvableGame, all_children};
use crate::indexing::layout::Layout;
use crate::indexing::material::Material;
use crate::statistics::Statistics;

/// The most pieces, kings included, that can be surveyed.
pub const MAX_SURVEYED_PIECES: usize = 5;

/// Bytes of memory for a cell of a smaller table, which stays.
const BYTES_PER_CELL: u64 = 8;
/// Bytes for a row of the table in the making: two rows of bits for either side, and
/// what the last two plies have decided, each with the number of its slot.
const BYTES_PER_ROW: u64 = 4 * 16 + 4 * 32;

/// The tables to be surveyed, and the means.
#[derive(Clone, Debug)]
pub struct SurveyOptions<M = Material> {
    /// The tables; those of Chesquerque without pawns.
    pub materials: Vec<M>,
    /// How many are solved at once, if there is memory for them.
    pub threads: usize,
    /// Bytes of memory.
    pub memory: u64,
}

/// How a survey goes on.
#[derive(Clone, Debug)]
pub enum SurveyStep<M = Material> {
    /// This many positions, for both sides to move, will be solved.
    Total(u64),
    /// This many more have been.
    Positions(u64),
    /// A table is done.
    Surveyed(Box<Surveyed<M>>),
}

/// The statistics of one table.
#[derive(Clone, Copy, Debug)]
pub struct Surveyed<M = Material> {
    /// The table.
    pub material: M,
    /// Its statistics.
    pub statistics: Statistics,
}

/// Why a survey ended early.
#[derive(Debug, Error)]
pub enum SurveyError {
    /// A table has pawns or too many pieces.
    #[error("{0} has pawns or more than {MAX_SURVEYED_PIECES} pieces")]
    Unfit(Material),
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

/// Surveys tables in their order. `stop` ends it; what has been reported stays true.
///
/// # Errors
/// When a table is none to survey, memory is too short, or it was stopped.
pub fn survey(
    options: &SurveyOptions,
    stop: &AtomicBool,
    report: &(dyn Fn(SurveyStep) + Sync),
) -> Result<(), SurveyError> {
    let is_unfit = |it: &&Material| it.has_pawns() || it.pieces() > MAX_SURVEYED_PIECES;
    if let Some(&unfit) = options.materials.iter().find(is_unfit) {
        return Err(SurveyError::Unfit(unfit));
    }
    let smaller = all_children(&options.materials);
    let threads = threads_that_fit(options, &smaller)?;
    let positions = |it: &Material| 2 * Layout::<Position>::new(*it).cells() as u64;
    report(SurveyStep::Total(smaller.iter().chain(&options.materials).map(positions).sum()));

    let progress = |cells: usize| {
        report(SurveyStep::Positions(2 * cells as u64));
        !stop.load(Ordering::Relaxed)
    };
    let solved = RwLock::new(SolvedTables::new());
    let known = || solved.read().unwrap_or_else(PoisonError::into_inner).clone();
    for pieces in 3..MAX_SURVEYED_PIECES {
        let level: Vec<Material> =
            smaller.iter().copied().filter(|it| it.pieces() == pieces).collect();
        let children = known();
        share(&level, options.threads, stop, &|material| {
            if let Some(table) = Position::solve(material, &children, &mut { progress }) {
                let mut solved = solved.write().unwrap_or_else(PoisonError::into_inner);
                solved.insert(Arc::new(table));
            }
        });
    }
    let children = known();
    share(&options.materials, threads, stop, &|material| {
        if let Some(statistics) = count_by_rows(material, &children, &mut { progress }) {
            report(SurveyStep::Surveyed(Box::new(Surveyed { material, statistics })));
        }
    });
    if stop.load(Ordering::Relaxed) { Err(SurveyError::Stopped) } else { Ok(()) }
}

/// How many tables can be solved at once.
fn threads_that_fit(options: &SurveyOptions, smaller: &[Material]) -> Result<usize, SurveyError> {
    let cells = |it: &Material| Layout::<Position>::new(*it).cells() as u64;
    let kept = smaller.iter().map(cells).sum::<u64>() * BYTES_PER_CELL;
    let largest = options.materials.iter().map(cells).max().unwrap_or(0);
    let each = largest / Point::COUNT as u64 * BYTES_PER_ROW;
    let fit = options.memory.saturating_sub(kept) / each.max(1);
    if fit == 0 {
        let (needed, given) = ((kept + each).div_ceil(1 << 20), options.memory >> 20);
        return Err(SurveyError::Memory { needed, given });
    }
    Ok(options.threads.clamp(1, usize::try_from(fit).unwrap_or(usize::MAX)))
}

/// Lets threads take one table after another.
fn share(
    materials: &[Material],
    threads: usize,
    stop: &AtomicBool,
    solve: &(dyn Fn(Material) + Sync),
) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(materials.len()) {
            scope.spawn(|| {
                while let Some(&material) = materials.get(next.fetch_add(1, Ordering::Relaxed))
                    && !stop.load(Ordering::Relaxed)
                {
                    solve(material);
                }
            });
        }
    });
}
