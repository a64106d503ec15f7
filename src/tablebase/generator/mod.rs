//! Builds, checks and surveys tables. Lookups do not need it.
//!
//! A table of a chess game is solved backwards, cell by cell (`cell_solver`), or many positions at
//! a time if it has no pawns (`rows`). `build` does that for many tables on all cores and can be
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

use qirkat_rules::{chesquerque, masonic};

use self::buildable_game::{BuildError, BuildOptions, BuildStep, BuildableGame, Checked, Checker};
use self::cell_solver::solve_by_cells;
use self::rows::layout::RowLayout;
use self::rows::table::solve_by_rows;
use self::solved_table::{SolvableGame, SolvedTable, SolvedTables};
use crate::chess_index::Layout;
use crate::chess_material::Material;
use crate::error::TableError;

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

impl SolvableGame for masonic::Position {
    fn solve(
        material: Self::Material,
        children: &SolvedTables<Self>,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<SolvedTable<Self>> {
        solve_by_cells(material, children, progress)
    }
}

impl SolvableGame for chesquerque::Position {
    fn solve(
        material: Material,
        children: &SolvedTables<Self>,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<SolvedTable<Self>> {
        match RowLayout::new(Layout::new(material)) {
            Some(layout) => solve_by_rows(layout, children, progress),
            None => solve_by_cells(material, children, progress),
        }
    }
}
