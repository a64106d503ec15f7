//! Checks a table by deriving every entry again from its successors.
//!
//! The generator works backwards with its own move generator; this works forwards with the one that
//! search and perft use. So it finds a mistake in either.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use qirkat_game::{Color, DRAWING_PLIES};
use qirkat_system::parallel;

use super::buildable_game::{Checked, Checker, MAX_WRONG, with_dependencies};
use super::solved_table::{KnownTables, SolvableGame, SolvedTable, best_capture, look_up};
use crate::chess_game::ChessBoardGame;
use crate::chess_index::Layout;
use crate::chess_material::{Material, Placement};
use crate::chess_tables::derive;
use crate::error::TableError;
use crate::header::TableForm;
use crate::statistics::Statistics;
use crate::tables::Table;
use crate::value::Entry;

/// Cells that a thread takes at once.
const GRAIN: usize = 1 << 12;

impl<G: SolvableGame> Checker<'_, G> {
    pub(super) fn check_chess_table(
        &mut self,
        materials: &[Material<G::Kind>],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<G>>, TableError> {
        let Some(&material) = materials.first() else { return Ok(None) };
        let checked = self.derive_all(material, progress);
        let needed = with_dependencies::<G>(materials);
        self.known.retain(|material, _| needed.contains(material));
        checked
    }

    fn derive_all(
        &mut self,
        material: Material<G::Kind>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<G>>, TableError> {
        let Some(table) = self.tables.table(material) else { return Ok(None) };
        let (side, form) = (table.numbering.side, table.numbering.form);
        for child in with_dependencies::<G>(&material.children()) {
            if !self.known.contains_key(&child) {
                // Distances do not follow from results.
                let is_sufficient =
                    |it: &&Table<G>| [it.numbering.form, TableForm::Wdl].contains(&form);
                let child = self.tables.table(child).filter(is_sufficient);
                let Some(child) = child else { return Ok(None) };
                let Some(solved) = self.unpack(child, &|_| ())? else { return Ok(None) };
                self.known.insert(child.material, solved.into());
            }
        }
        let Some(solved) = self.unpack(table, progress)? else { return Ok(None) };
        let known = KnownTables { table: &solved, children: &self.known };
        let lengths = table.header.statistics.sides.iter().filter_map(|it| it.longest_zeroing);
        // A result does not tell how many of the 100 plies it takes, so one derived from the
        // successors may be a win or loss where the table has a cursed win or blessed loss.
        let may_be_late = lengths.into_iter().any(|(plies, _)| plies >= DRAWING_PLIES);
        let cells = solved.layout.cells();
        // Of results, both sides to move are checked at once. Of distances, only the stored side is
        // left: `unpack` has derived the other and reported its progress.
        let sides = if form == TableForm::Wdl { 2 } else { 1 };
        let progress = &|cells| progress(sides * cells);
        let wrong: Vec<G> = self.find_in_cells(cells, progress, &|index| {
            let wrong = |side| {
                let position = position(&solved.layout, index, side)?;
                let entry = solved.entry(side, index);
                let is_right = match form {
                    TableForm::Distances => known.derive(&position) == Some(entry),
                    TableForm::Wdl => {
                        let derived = known.derive(&position);
                        let late = derived.and_then(|it| it.dtm.result(true));
                        derived.and_then(Entry::result) == entry.result()
                            || may_be_late && late == entry.result()
                    }
                };
                (!is_right).then_some(position)
            };
            // With distances, the other side was derived by `unpack`.
            wrong(side).or_else(|| wrong(!side).filter(|_| form == TableForm::Wdl))
        });
        if self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut statistics: Statistics = solved.statistics();
        if form == TableForm::Wdl {
            for (side, kept) in statistics.sides.iter_mut().zip(&table.header.statistics.sides) {
                side.longest_zeroing = kept.longest_zeroing;
            }
        }
        let entries = Color::ALL.map(|side| {
            (0..cells).filter(|&it| !solved.entry(side, it).dtm.is_invalid()).count() as u64
        });
        let entries = entries.iter().sum();
        let checked = Checked {
            entries,
            wrong: wrong.into_iter().take(MAX_WRONG).collect(),
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
        let form = table.numbering.form;
        let mut solved = SolvedTable::invalid(Layout::new(table.material), form);
        let kept = table.numbering.side;
        let known = |material| self.known.get(&material).map(Arc::as_ref);
        let look_up = |child: &Placement<G>, side| look_up(child, side, known);
        for index in 0..layout.cells() {
            if index.is_multiple_of(GRAIN) && self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let Some(placement) = layout.placement(index) else { continue };
            let stored = |side: &Color| form == TableForm::Wdl || *side == kept;
            for side in Color::ALL.into_iter().filter(stored) {
                if position(&layout, index, side).is_some()
                    && let Some(found) = table.find(&placement, side, false)?
                {
                    let capture = (form == TableForm::Wdl)
                        .then(|| best_capture(&placement, side, &look_up))
                        .flatten();
                    solved.put(side, index, capture.map_or(found, |it| found.better(it)));
                }
            }
        }
        self.tables.clear_cache();
        if form == TableForm::Wdl {
            return Ok(Some(solved));
        }
        let known = KnownTables { table: &solved, children: &self.known };
        let derived = self.find_in_cells(layout.cells(), progress, &|index| {
            let position = position(&layout, index, !kept)?;
            Some((index, known.derive(&position)?))
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
        let found = parallel::map_ranges(cells, GRAIN, &|cells| -> Vec<T> {
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

impl<G: ChessBoardGame> KnownTables<'_, G> {
    /// The entry that follows from those of a position's successors.
    fn derive(self, position: &G) -> Option<Entry> {
        derive(position, &mut |child| Ok(self.entry(child))).ok().flatten()
    }

    fn entry(self, position: &G) -> Option<Entry> {
        if position.chess().en_passant().is_some() {
            return self.derive(position);
        }
        let placement = Placement::of(position)?;
        let material = placement.material();
        let side = position.side_to_move();
        if material.pieces() == 2 {
            return Some(Entry::DRAW);
        }
        let table = self.table(material.canonical())?;
        // With symmetric material only one of the two orientations may be known so far.
        let is_own = material == self.table.layout.material;
        let is_flipped =
            !material.is_canonical() || (is_own && material.is_symmetric() && side == Color::Black);
        let found = if is_flipped {
            table.find(&placement.flipped(), !side)
        } else {
            table.find(&placement, side)
        }?;
        // Of the side that is not stored, entries are missing until all are derived. After a double
        // step that can be captured en passant some are needed before.
        if found.dtm.is_invalid() { self.derive(position) } else { Some(found) }
    }
}
