//! Solved tables in memory: every cell of both sides to move.

use std::collections::BTreeMap;
use std::sync::Arc;

use qirkat_game::Color;

use crate::cell::{Cell, Entry};
use crate::chess_game::ChessTableGame;
use crate::indexing::layout::Layout;
use crate::indexing::material::Material;
use crate::indexing::placement::Placement;

/// All values of a table in memory.
pub struct SolvedTable<G: ChessTableGame> {
    pub layout: Layout<G>,
    /// Distances to mate by index, White to move and Black to move.
    pub dtm: [Vec<Cell>; 2],
    /// Distances to zeroing.
    pub dtz: [Vec<Cell>; 2],
}

impl<G: ChessTableGame> SolvedTable<G> {
    /// The entry of an index.
    #[inline]
    pub fn entry(&self, side: Color, index: usize) -> Entry {
        Entry { dtm: self.dtm[side.index()][index], dtz: self.dtz[side.index()][index] }
    }

    /// Notes what is known of an index.
    pub fn put(&mut self, side: Color, index: usize, entry: Entry) {
        self.dtm[side.index()][index] = entry.dtm;
        self.dtz[side.index()][index] = entry.dtz;
    }

    /// The entry of a placement of this material.
    pub fn find(&self, placement: &Placement<G>, side: Color) -> Option<Entry> {
        Some(self.entry(side, self.layout.index(placement)?))
    }
}

/// Solved tables by their material.
#[derive(Clone)]
pub struct SolvedTables<G: ChessTableGame>(BTreeMap<Material<G::Kind>, Arc<SolvedTable<G>>>);

impl<G: ChessTableGame> Default for SolvedTables<G> {
    fn default() -> SolvedTables<G> {
        SolvedTables::new()
    }
}

impl<G: ChessTableGame> SolvedTables<G> {
    /// No tables.
    pub const fn new() -> SolvedTables<G> {
        SolvedTables(BTreeMap::new())
    }

    pub fn insert(&mut self, table: Arc<SolvedTable<G>>) {
        self.0.insert(table.layout.material, table);
    }

    pub fn get(&self, material: Material<G::Kind>) -> Option<&Arc<SolvedTable<G>>> {
        self.0.get(&material)
    }

    /// The entry of a placement after a capture; bare kings draw.
    pub fn find(&self, placement: &Placement<G>, side: Color) -> Entry {
        look_up(placement, side, |material| self.get(material).map(Arc::as_ref))
    }

    /// The materials of the tables.
    pub fn materials(&self) -> Vec<Material<G::Kind>> {
        self.0.keys().copied().collect()
    }

    pub fn remove(&mut self, material: Material<G::Kind>) {
        self.0.remove(&material);
    }
}

/// The entry of a placement, from the table of its material or of the same with the
/// sides exchanged.
pub fn look_up<'a, G: ChessTableGame>(
    placement: &Placement<G>,
    side: Color,
    table: impl Fn(Material<G::Kind>) -> Option<&'a SolvedTable<G>>,
) -> Entry {
    let material = placement.material();
    if material.pieces() == 2 {
        return Entry::DRAW;
    }
    let found = if material.is_canonical() {
        table(material).and_then(|table| table.find(placement, side))
    } else {
        table(material.flipped()).and_then(|table| table.find(&placement.flipped(), !side))
    };
    found.unwrap_or(Entry::DRAW)
}
