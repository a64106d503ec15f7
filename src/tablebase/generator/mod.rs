//! Builds, checks and surveys tables. Lookups do not need it.
//!
//! A table of a chess game is solved backwards, cell by cell (`cell_solver`), or in Chesquerque many
//! positions at a time (`rows`). `build` does that for many tables on all cores and can be
//! interrupted at any moment, a survey only counts (`rows::table`), and [`Checker`] derives every
//! entry again from its successors by the rules that the rest of the program uses. `pack` produces
//! the bytes of a file.

mod build;
pub mod buildable_game;
mod cell_solver;
mod check;
mod moves;
pub mod pack;
mod rows;
mod solved_table;

use std::sync::atomic::AtomicBool;

use qirkat_rules::chesquerque::Point;
use qirkat_rules::{chesquerque, masonic};

use self::buildable_game::{
    BuildError, BuildOptions, BuildStep, BuildableGame, Checked, Checker, MAX_SURVEYED_PIECES,
};
use self::cell_solver::solve_by_cells;
use self::rows::table::{BYTES_PER_ROW, solve_by_rows};
use self::solved_table::{Progress, SolvableGame, SolvedTable, SolvedTables};
use crate::chess_index::Layout;
use crate::chess_material::{MAX_TABLE_PIECES, Material};
use crate::error::TableError;
use crate::header::TableForm;

macro_rules! buildable {
    ($game:ident) => {
        impl BuildableGame for $game::Position {
            type Solved = SolvedTables<Self>;

            const COUNTED: &'static str = "positions";

            fn children(material: Self::Material) -> Vec<Self::Material> {
                material.children()
            }

            fn build(
                options: &BuildOptions<Self::Material>,
                stop: &AtomicBool,
                report: &(dyn Fn(BuildStep<Self::Material>) + Sync),
            ) -> Result<(), BuildError<Self::Material>> {
                build::build::<Self>(options, stop, report)
            }

            fn check(
                checker: &mut Checker<'_, Self>,
                materials: &[Self::Material],
                progress: &(dyn Fn(u64) + Sync),
            ) -> Result<Option<Checked<Self>>, TableError> {
                checker.check_chess_table(materials, progress)
            }
        }
    };
}
buildable!(chesquerque);
buildable!(masonic);

/// Bytes per cell of a slice: both distances with either side to move, and losing captures.
const WORKING_BYTES_PER_CELL: u64 = 16;

impl SolvableGame for masonic::Position {
    const MAX_SOLVED_PIECES: usize = MAX_TABLE_PIECES;
    const WORKING_BYTES: u64 = WORKING_BYTES_PER_CELL;

    fn solve(
        material: Self::Material,
        form: TableForm,
        children: &SolvedTables<Self>,
        progress: Progress<'_>,
    ) -> Option<SolvedTable<Self>> {
        solve_by_cells(Layout::new(material), form, children, progress)
    }
}

impl SolvableGame for chesquerque::Position {
    /// There are rows of one to three pieces besides kings and pawns, and pawns become such pieces.
    const MAX_SOLVED_PIECES: usize = MAX_SURVEYED_PIECES;
    /// Rows are of bits. A slice with only kings and pawns is solved by cells, but is small.
    const WORKING_BYTES: u64 = BYTES_PER_ROW.div_ceil(Point::COUNT as u64);

    fn solve(
        material: Material,
        form: TableForm,
        children: &SolvedTables<Self>,
        progress: Progress<'_>,
    ) -> Option<SolvedTable<Self>> {
        let layout = Layout::new(material);
        if layout.pieces.is_empty() {
            solve_by_cells(layout, form, children, progress)
        } else {
            solve_by_rows(layout, form, children, progress)
        }
    }
}
