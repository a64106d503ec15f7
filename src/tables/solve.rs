//! Solves a table in the quickest way that its game knows.

use super::board::material::Material;
use super::solving::generator::{ByRows, SolvedTable, SolvedTables, generate_by_cells};
use super::table_game::TableGame;

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
