//! Checks a table by deriving every entry again from its successors.
//!
//! The generator works backwards with its own move generator; this works forwards with the one that
//! search and perft use. So it finds a mistake in either.

use std::sync::atomic::Ordering;

use qirkat_game::Color;
use qirkat_system::parallel;

use super::buildable_game::{Checked, Checker, SHOWN};
use super::solved_table::{SolvableGame, SolvedTable, SolvedTables};
use crate::chess_game::ChessBoardGame;
use crate::chess_index::Layout;
use crate::chess_material::{Material, Placement};
use crate::chess_tables::derive;
use crate::error::TableError;
use crate::statistics::Statistics;
use crate::tables::Table;
use crate::value::{Cell, Entry};

/// Cells that a thread takes at once.
const CHUNK: usize = 1 << 12;

impl<G: SolvableGame> Checker<'_, G> {
    pub(super) fn check_chess_table(
        &mut self,
        materials: &[Material<G::Kind>],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<G>>, TableError> {
        let Some(&material) = materials.first() else { return Ok(None) };
        let checked = self.derive_all(material, progress);
        let needed: Vec<Material<G::Kind>> =
            materials.iter().flat_map(|it| it.children()).collect();
        self.known.retain(|material, _| needed.contains(material));
        checked
    }

    fn derive_all(
        &mut self,
        material: Material<G::Kind>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<G>>, TableError> {
        let Some(table) = self.tables.table(material) else { return Ok(None) };
        for child in material.children() {
            if !self.known.contains_key(&child) {
                let Some(table) = self.tables.table(child) else { return Ok(None) };
                let Some(solved) = self.unpack(table, &|_| ())? else { return Ok(None) };
                self.known.insert(child, solved.into());
            }
        }
        let Some(solved) = self.unpack(table, progress)? else { return Ok(None) };
        let successors = Successors { known: &self.known, own: &solved };
        let side = table.numbering.side;
        let cells = solved.layout.cells();
        let wrong: Vec<G> = self.find_in_cells(cells, progress, &|index| {
            let position = position(&solved.layout, index, side)?;
            (successors.derive(&position) != Some(solved.entry(side, index))).then_some(position)
        });
        if self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let statistics: Statistics = solved.statistics();
        let entries = solved.dtm.iter().flatten().filter(|cell| !cell.is_invalid()).count() as u64;
        let checked = Checked {
            entries,
            wrong: wrong.into_iter().take(SHOWN).collect(),
            has_right_statistics: statistics == table.header.statistics,
        };
        self.known.insert(material, solved.into());
        Ok(Some(checked))
    }

    /// Loads the whole table; the side to move that is not stored is derived from successors.
    fn unpack(
        &self,
        table: &Table<G>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<SolvedTable<G>>, TableError> {
        let layout = Layout::new(table.material);
        let invalid = || vec![Cell::INVALID; layout.cells()];
        let mut solved = SolvedTable {
            dtm: [invalid(), invalid()],
            dtz: [invalid(), invalid()],
            layout: Layout::new(table.material),
        };
        let kept = table.numbering.side;
        for index in 0..layout.cells() {
            let Some(placement) = layout.placement(index) else { continue };
            if position(&layout, index, kept).is_some()
                && let Some(entry) = table.find(&placement, false)?
            {
                solved.put(kept, index, entry);
            }
        }
        table.clear_cache();
        let successors = Successors { known: &self.known, own: &solved };
        let derived = self.find_in_cells(layout.cells(), progress, &|index| {
            let position = position(&layout, index, !kept)?;
            Some((index, successors.derive(&position)?))
        });
        for (index, entry) in derived {
            solved.put(!kept, index, entry);
        }
        Ok((!self.stop.load(Ordering::Relaxed)).then_some(solved))
    }

    /// The results of `find` for the cells of a table, in order. Stops early when the check is
    /// stopped.
    fn find_in_cells<T: Send>(
        &self,
        cells: usize,
        progress: &(dyn Fn(u64) + Sync),
        find: &(dyn Fn(usize) -> Option<T> + Sync),
    ) -> Vec<T> {
        let found = parallel::map_ranges(cells, CHUNK, &|cells| -> Vec<T> {
            if self.stop.load(Ordering::Relaxed) {
                return Vec::new();
            }
            progress(cells.len() as u64);
            cells.filter_map(find).collect()
        });
        found.into_iter().flatten().collect()
    }
}

/// The position with this index; none if it is invalid or looked up by another index.
fn position<G: ChessBoardGame>(layout: &Layout<G>, index: usize, side: Color) -> Option<G> {
    let placement = layout.placement(index)?;
    (layout.index(&placement) == Some(index)).then(|| placement.position(side)).flatten()
}

struct Successors<'a, G: ChessBoardGame> {
    known: &'a SolvedTables<G>,
    own: &'a SolvedTable<G>,
}

impl<G: ChessBoardGame> Successors<'_, G> {
    fn derive(&self, position: &G) -> Option<Entry> {
        derive(position, &mut |child| Ok(self.entry(child))).ok().flatten()
    }

    fn entry(&self, position: &G) -> Option<Entry> {
        if position.chess().en_passant().is_some() {
            return self.derive(position);
        }
        let placement = Placement::of(position)?;
        let material = placement.material();
        let side = position.side_to_move();
        if material.pieces() == 2 {
            return Some(Entry::DRAW);
        }
        let canonical = material.canonical();
        let table = if canonical == self.own.layout.material {
            self.own
        } else {
            self.known.get(&canonical)?
        };
        let own = &self.own.layout;
        // With symmetric material only one of the two orientations may be known so far.
        let is_flipped = !material.is_canonical()
            || (material == own.material && material.is_symmetric() && side == Color::Black);
        if is_flipped {
            table.find(&placement.flipped(), !side)
        } else {
            table.find(&placement, side)
        }
    }
}
