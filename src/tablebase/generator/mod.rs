//! Makes tables, checks them and surveys what they come to. Nothing here is needed to ask them.
//!
//! A table is solved backwards, cell by cell (`cells`), or many positions at a time where it
//! has no pawns (`rows`). [`SolvableGame::build_tables`] does that for many tables on all cores
//! and can be broken off at any moment, [`survey()`] only counts, and [`Checker`] derives every
//! entry anew from its successors, by the rules that the rest of the program uses. `pack` makes
//! the bytes of a file.

mod build;
mod cells;
mod check;
mod count;
mod king_steps;
mod pack;
mod rows;
mod solved_table;
mod survey;

use std::sync::atomic::AtomicBool;

use qirkat_rules::{chesquerque, masonic};

use self::rows::layout::RowLayout;
use self::rows::table::solve_by_rows;
use crate::error::TableError;
use crate::indexing::layout::Layout;
use crate::indexing::material::Material;
use crate::table_game::TableGame;

pub use self::build::{BuildError, BuildOptions, BuildStep};
pub use self::cells::solve_by_cells;
pub use self::check::{Checked, Checker};
pub(crate) use self::pack::pack_models;
pub use self::solved_table::{SolvedTable, SolvedTables};
pub use self::survey::{
    MAX_SURVEYED_PIECES, SurveyError, SurveyOptions, SurveyStep, Surveyed, survey,
};

/// A game whose tables can be made and checked.
///
/// Generic code is compiled in each crate that calls it, optimised as that crate is. What is
/// called here is compiled here, for each game, since it takes nearly all of the time.
pub trait SolvableGame: TableGame {
    /// Solves a table in the quickest way that the game knows. `children` holds those that
    /// [`Material::children`] names; `progress` hears how many cells have been begun, and says
    /// whether to go on.
    fn solve(
        material: Material<Self::Kind>,
        children: &SolvedTables<Self>,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<SolvedTable<Self>>;

    /// Builds the tables that are not there yet. `stop` ends it, what is written stays.
    ///
    /// # Errors
    /// When a file cannot be written, another process builds tables in this folder, memory is
    /// too short, or it was stopped.
    fn build_tables(
        options: &BuildOptions<Material<Self::Kind>>,
        stop: &AtomicBool,
        report: &(dyn Fn(BuildStep<Material<Self::Kind>>) + Sync),
    ) -> Result<(), BuildError<Material<Self::Kind>>>;

    /// See [`Checker::check`].
    #[doc(hidden)]
    fn check_table(
        checker: &mut Checker<'_, Self>,
        material: Material<Self::Kind>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<Self>>, TableError>;
}

macro_rules! solvable {
    ($game:ident, $solve:expr) => {
        impl SolvableGame for $game::Position {
            fn solve(
                material: Material<Self::Kind>,
                children: &SolvedTables<Self>,
                progress: &mut dyn FnMut(usize) -> bool,
            ) -> Option<SolvedTable<Self>> {
                $solve(material, children, progress)
            }

            fn build_tables(
                options: &BuildOptions<Material<Self::Kind>>,
                stop: &AtomicBool,
                report: &(dyn Fn(BuildStep<Material<Self::Kind>>) + Sync),
            ) -> Result<(), BuildError<Material<Self::Kind>>> {
                build::build::<Self>(options, stop, report)
            }

            fn check_table(
                checker: &mut Checker<'_, Self>,
                material: Material<Self::Kind>,
                progress: &(dyn Fn(u64) + Sync),
            ) -> Result<Option<Checked<Self>>, TableError> {
                checker.derive_all(material, progress)
            }
        }
    };
}
solvable!(masonic, solve_by_cells);
solvable!(
    chesquerque,
    |material, children, progress| match RowLayout::new(Layout::new(material)) {
        Some(layout) => solve_by_rows(layout, children, progress),
        None => solve_by_cells(material, children, progress),
    }
);

/// The tables that captures and promotions lead to, even after one another, in the order in
/// which they can be solved.
fn all_children<K: qirkat_rules::chess::Kind>(materials: &[Material<K>]) -> Vec<Material<K>> {
    let mut all: Vec<Material<K>> = materials.iter().flat_map(|it| it.children()).collect();
    let mut at = 0;
    while let Some(material) = all.get(at).copied() {
        all.extend(material.children());
        at += 1;
    }
    Material::sort_for_solving(&mut all);
    all.dedup();
    all
}

/// Solves a table and those that it needs, and adds them to others.
#[cfg(test)]
fn add_solved<G: SolvableGame>(tables: &mut SolvedTables<G>, material: Material<G::Kind>) {
    if tables.get(material).is_none() {
        material.children().into_iter().for_each(|child| add_solved(tables, child));
        let table = G::solve(material, tables, &mut |_| true).expect("not stopped");
        tables.insert(std::sync::Arc::new(table));
    }
}
