//! How the chess games solve their tables.

use qirkat_rules::chess::ChessPosition;

use super::buildable_game::BuildableGame;
use super::solved_table::{SolvedTable, SolvedTables};
use crate::chess_game::ChessTableGame;
use crate::chess_tables::ChessNumbering;
use crate::indexing::material::Material;
use crate::packing::numbers::Numbers;

/// A chess game whose tables are solved backwards.
pub trait SolvableGame:
    ChessTableGame
    + BuildableGame<
        Material = Material<<Self as ChessPosition>::Kind>,
        Numbering = ChessNumbering<Self>,
        Block = Numbers,
        Solved = SolvedTables<Self>,
    >
{
    /// Solves a table in the quickest way that the game knows. `children` holds those that
    /// [`Material::children`] names; `progress` hears how many cells have been begun, and says
    /// whether to go on.
    fn solve(
        material: Material<Self::Kind>,
        children: &SolvedTables<Self>,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<SolvedTable<Self>>;
}
