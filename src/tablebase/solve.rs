//! Solves a table in the quickest way that its game knows.

use super::board::material::Material;
use super::solving::generator::{ByRows, SolvedTable, SolvedTables, generate_by_cells};
use super::table_game::TableGame;

/// Solves a table and those that it needs, and adds them to others.
#[cfg(test)]
pub fn add_solved<G: TableGame>(tables: &mut SolvedTables<G>, material: Material<G::Kind>) {
    if tables.get(material).is_none() {
        material.children().into_iter().for_each(|child| add_solved(tables, child));
        let table = solve(material, tables, &mut |_| true).expect("not stopped");
        tables.insert(std::sync::Arc::new(table));
    }
}

/// Solves a table. `children` holds those that [`Material::children`] names; `progress`
/// hears how many cells have been begun, and says whether to go on.
pub(super) fn solve<G: TableGame>(
    material: Material<G::Kind>,
    children: &SolvedTables<G>,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<SolvedTable<G>> {
    match G::generate_by_rows(material, children, progress) {
        ByRows::Unfit => generate_by_cells(material, children, progress),
        ByRows::Stopped => None,
        ByRows::Solved(table) => Some(*table),
    }
}
