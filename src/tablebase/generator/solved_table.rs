//! Solved tables in memory: every cell, for both sides to move.

use std::collections::BTreeMap;
use std::sync::Arc;

use qirkat_game::Color;
use qirkat_rules::chess::ChessPosition;

use super::buildable_game::BuildableGame;
use crate::chess_game::{ChessBoardGame, IDENTITY, Symmetries};
use crate::chess_index::Layout;
use crate::chess_material::{Material, Placement};
use crate::chess_tables::{ChessNumbering, ChessTableGame};
use crate::packing::cell_coder::Numbers;
use crate::statistics::Statistics;
use crate::value::{Cell, Entry};

pub struct SolvedTable<G: ChessBoardGame> {
    pub layout: Layout<G>,
    /// Distances to mate by index, White to move and Black to move.
    pub dtm: [Vec<Cell>; 2],
    pub dtz: [Vec<Cell>; 2],
}

impl<G: ChessBoardGame> SolvedTable<G> {
    #[inline]
    pub fn entry(&self, side: Color, index: usize) -> Entry {
        Entry { dtm: self.dtm[side.index()][index], dtz: self.dtz[side.index()][index] }
    }

    pub fn put(&mut self, side: Color, index: usize, entry: Entry) {
        self.dtm[side.index()][index] = entry.dtm;
        self.dtz[side.index()][index] = entry.dtz;
    }

    pub fn find(&self, placement: &Placement<G>, side: Color) -> Option<Entry> {
        Some(self.entry(side, self.layout.index(placement)?))
    }

    pub fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        for index in (0..self.layout.cells()).filter(|&index| self.layout.is_canonical(index)) {
            let (number, weight) = (|| index as u64, self.layout.weight(index));
            let entries = Color::ALL.map(|side| self.entry(side, index));
            for (side, entry) in statistics.sides.iter_mut().zip(entries) {
                if !entry.dtm.is_invalid() {
                    side.count(entry.dtm, Some(entry.dtz.plies()), weight, number);
                }
            }
            let both = entries.map(|entry| entry.dtm);
            if !both.iter().any(|cell| cell.is_invalid()) {
                statistics.count_zugzwang(both, weight, number);
            }
        }
        statistics
    }
}

pub type SolvedTables<G> = BTreeMap<Material<<G as ChessPosition>::Kind>, Arc<SolvedTable<G>>>;

/// The entry of a placement, from the table of its material or of that with sides swapped.
pub fn look_up<'a, G: ChessBoardGame>(
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

impl<G: ChessBoardGame> Layout<G> {
    /// Whether this is the index by which its position is looked up.
    pub fn is_canonical(&self, index: usize) -> bool {
        self.placement(index).and_then(|placement| self.index(&placement)) == Some(index)
    }

    /// How many positions an index represents: its images under the folded symmetries, except those
    /// with an index of their own.
    pub fn weight(&self, index: usize) -> u64 {
        let symmetries = Symmetries::<G>::get();
        let images = |count: usize, keeps: &dyn Fn(u8) -> bool| {
            let kept = (0..count as u8).filter(|&symmetry| keeps(symmetry)).count();
            (count / kept.max(1)) as u64
        };
        let pawns = self.slices.points(index / self.slice_cells());
        if !pawns.is_empty() {
            return images(G::PAWN_SYMMETRIES, &|symmetry| {
                let image = pawns.iter().map(|&point| symmetries.image(symmetry, point));
                // With the identity, a slice is found only from its canonical arrangement.
                self.slices.find(&image.collect()).1 == IDENTITY
            });
        }
        let [white, black] = self.kings.kings(index % self.slice_cells() / self.pair_stride);
        images(G::SYMMETRIES, &|symmetry| {
            symmetries.image(symmetry, white) == white && symmetries.image(symmetry, black) == black
        })
    }
}

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
    /// Solves a table in the fastest way for the game. `children` holds the tables that
    /// [`Material::children`] lists. `progress` gets the number of cells started and returns
    /// whether to continue.
    fn solve(
        material: Material<Self::Kind>,
        children: &SolvedTables<Self>,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<SolvedTable<Self>>;
}
