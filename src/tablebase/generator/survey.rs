//! Computes statistics of tables without pawns, without storing them.
//!
//! A table with five pieces takes 1.7 GB as cells per distance, its rows a tenth of that (`rows`).
//! So tables can be counted even where all their files would be too much. First all smaller tables
//! that captures lead to are solved and stay in memory. Then each thread takes a table of its own.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use qirkat_rules::chesquerque::{Point, Position};

use super::buildable_game::{
    BuildableGame, MAX_SURVEYED_PIECES, SurveyError, SurveyOptions, SurveyStep, Surveyed,
    SurveyedGame, with_children,
};
use super::rows::table::count_by_rows;
use super::solved_table::{SolvableGame, SolvedTables};
use crate::indexing::layout::Layout;
use crate::indexing::material::Material;

/// Bytes of memory per cell of a smaller table, which stays.
const BYTES_PER_CELL: u64 = 8;
/// Bytes per row of a table being solved: two rows of bits for either side, and what the last two
/// plies have decided, each with its slot number.
const BYTES_PER_ROW: u64 = 4 * 16 + 4 * 32;

impl SurveyedGame for Position {
    const SURVEYED_PIECES: (usize, usize) = (MAX_SURVEYED_PIECES, MAX_SURVEYED_PIECES);

    fn to_survey(pieces: usize) -> Vec<Material> {
        let mut materials = Material::all(pieces);
        materials.retain(|it| !it.has_pawns());
        materials.sort_by_key(|it| it.leaves_one_king_bare());
        materials
    }

    fn survey(
        options: &SurveyOptions<Material>,
        stop: &AtomicBool,
        report: &(dyn Fn(SurveyStep<Material>) + Sync),
    ) -> Result<(), SurveyError<Material>> {
        let is_unfit = |it: &&Material| it.has_pawns() || it.pieces() > MAX_SURVEYED_PIECES;
        if let Some(&unfit) = options.materials.iter().find(is_unfit) {
            return Err(SurveyError::Unfit(unfit));
        }
        let children: Vec<Material> =
            options.materials.iter().flat_map(|&it| Position::children(it)).collect();
        let smaller = with_children::<Position>(&children);
        let threads = threads_that_fit(options, &smaller)?;
        let positions = |it: &Material| 2 * Layout::<Position>::new(*it).cells() as u64;
        report(SurveyStep::Total(smaller.iter().chain(&options.materials).map(positions).sum()));

        let progress = |cells: usize| {
            report(SurveyStep::Positions(2 * cells as u64));
            !stop.load(Ordering::Relaxed)
        };
        let mut solved = SolvedTables::new();
        for pieces in 3..MAX_SURVEYED_PIECES {
            let level: Vec<Material> =
                smaller.iter().copied().filter(|it| it.pieces() == pieces).collect();
            let tables = Mutex::new(Vec::new());
            share(&level, options.threads, stop, &|material| {
                let table = Position::solve(material, &solved, &mut { progress });
                tables.lock().unwrap_or_else(PoisonError::into_inner).extend(table);
            });
            let tables = tables.into_inner().unwrap_or_else(PoisonError::into_inner);
            solved.extend(tables.into_iter().map(|it| (it.layout.material, Arc::new(it))));
        }
        share(&options.materials, threads, stop, &|material| {
            if let Some(statistics) = count_by_rows(material, &solved, &mut { progress }) {
                report(SurveyStep::Surveyed(Box::new(Surveyed { material, statistics })));
            }
        });
        if stop.load(Ordering::Relaxed) { Err(SurveyError::Stopped) } else { Ok(()) }
    }
}

fn threads_that_fit(
    options: &SurveyOptions<Material>,
    smaller: &[Material],
) -> Result<usize, SurveyError<Material>> {
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
