//! Makes a table out of the smaller ones that captures and promotions lead to.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::moves::DoubleStep;
use super::slice_solver::{SliceSolver, best};
use crate::board::layout::Layout;
use crate::board::material::Material;
use crate::board::placement::Placement;
use crate::board::table_board::TableBoard;
use crate::cell::{Cell, Entry};
use qirkat_game::Color;

/// All values of a table in memory.
pub struct SolvedTable<G: TableBoard> {
    pub layout: Layout<G>,
    /// Distances to mate by index, White to move and Black to move.
    pub dtm: [Vec<Cell>; 2],
    /// Distances to zeroing.
    pub dtz: [Vec<Cell>; 2],
}

impl<G: TableBoard> SolvedTable<G> {
    /// What is known of an index.
    #[inline]
    pub fn entry(&self, side: Color, index: usize) -> Entry {
        Entry { dtm: self.dtm[side.index()][index], dtz: self.dtz[side.index()][index] }
    }

    /// Notes what is known of an index.
    pub fn put(&mut self, side: Color, index: usize, entry: Entry) {
        self.dtm[side.index()][index] = entry.dtm;
        self.dtz[side.index()][index] = entry.dtz;
    }

    /// What is known of a placement of this material.
    pub fn find(&self, placement: &Placement<G>, side: Color) -> Option<Entry> {
        Some(self.entry(side, self.layout.index(placement)?))
    }
}

/// Solved tables by their material.
#[derive(Clone)]
pub struct SolvedTables<G: TableBoard>(BTreeMap<Material<G::Kind>, Arc<SolvedTable<G>>>);

impl<G: TableBoard> SolvedTables<G> {
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

    /// What is known of a placement after a capture; bare kings draw.
    pub fn find(&self, placement: &Placement<G>, side: Color) -> Entry {
        look_up(placement, side, |material| self.get(material).map(Arc::as_ref))
    }

    /// What the tables are about.
    pub fn materials(&self) -> Vec<Material<G::Kind>> {
        self.0.keys().copied().collect()
    }

    pub fn remove(&mut self, material: Material<G::Kind>) {
        self.0.remove(&material);
    }
}

/// One table in the making.
struct Making<'a, G: TableBoard> {
    table: SolvedTable<G>,
    children: &'a SolvedTables<G>,
}

/// Cells between two calls of `progress`.
const STEP: usize = 1 << 14;

/// What comes of solving a table by its rows.
pub enum ByRows<G: TableBoard> {
    /// It has none, or nothing is known of rows in this game.
    Unfit,
    /// It was told to stop.
    Stopped,
    /// The table.
    Solved(Box<SolvedTable<G>>),
}

/// Solves a table cell by cell, whatever it is about.
pub fn generate_by_cells<G: TableBoard>(
    material: Material<G::Kind>,
    children: &SolvedTables<G>,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<SolvedTable<G>> {
    let table = SolvedTable {
        layout: Layout::new(material),
        dtm: [Vec::new(), Vec::new()],
        dtz: [Vec::new(), Vec::new()],
    };
    let mut making = Making { table, children };
    for slice in 0..making.table.layout.slices.count() {
        let [dtm, dtz] = making.solve_slice(slice, progress)?;
        let SolvedTable { dtm: all_dtm, dtz: all_dtz, .. } = &mut making.table;
        for (all, slice) in all_dtm.iter_mut().chain(all_dtz).zip(dtm.into_iter().chain(dtz)) {
            append(all, slice);
        }
    }
    Some(making.table)
}

/// Adds a slice to those before. The only one is not copied.
fn append(all: &mut Vec<Cell>, mut slice: Vec<Cell>) {
    if all.is_empty() {
        *all = slice;
    } else {
        all.append(&mut slice);
    }
}

impl<G: TableBoard> Making<'_, G> {
    /// Both measures of a slice.
    fn solve_slice(
        &self,
        slice: usize,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<[[Vec<Cell>; 2]; 2]> {
        let layout = &self.table.layout;
        let pawns = layout.slices.points(slice);
        let mut dtm = SliceSolver::new(layout, pawns);
        let mut dtz = SliceSolver::new(layout, pawns);
        for cell in 0..layout.slice_cells() {
            if cell % STEP == 0 && !progress(STEP.min(layout.slice_cells() - cell)) {
                return None;
            }
            let Some(placement) = layout.placement_in(pawns, cell) else { continue };
            let is_check = Color::ALL.map(|side| placement.is_in_check(side));
            for side in Color::ALL {
                if is_check[(!side).index()] {
                    continue;
                }
                let exit = self.best_exit(&placement, side);
                let quiet = placement.quiet_moves(side);
                let check = is_check[side.index()];
                dtm.start(side, cell, quiet, exit.map(|exit| exit.dtm), check);
                dtz.start(side, cell, quiet, exit.map(|exit| exit.dtz), check);
            }
        }
        Some([dtm.solve(progress)?, dtz.solve(progress)?])
    }

    /// What the best zeroing move is worth, if there is one.
    fn best_exit(&self, placement: &Placement<G>, side: Color) -> Option<Entry> {
        let mut found = None;
        placement.zeroing_moves(side, &mut |child, double_step| {
            let value = self.value(&child, !side, double_step);
            found = best(found, value.before(true));
        });
        found
    }

    /// What is known of a placement after a zeroing move, perhaps a double step.
    fn value(
        &self,
        placement: &Placement<G>,
        side: Color,
        double_step: Option<DoubleStep<G::Square>>,
    ) -> Entry {
        let known = self.look_up(placement, side);
        let mut captures = None;
        if let Some(double_step) = double_step {
            placement.en_passant(side, double_step, &mut |child| {
                captures = best(captures, self.look_up(&child, !side).before(true));
            });
        }
        match captures {
            None => known,
            Some(captures) if placement.has_moves(side) => known.better(captures),
            Some(captures) => captures,
        }
    }

    fn look_up(&self, placement: &Placement<G>, side: Color) -> Entry {
        look_up(placement, side, |material| {
            if material == self.table.layout.material {
                Some(&self.table)
            } else {
                self.children.get(material).map(Arc::as_ref)
            }
        })
    }
}

/// What is known of a placement, from the table of its material or of the same with the
/// sides exchanged.
fn look_up<'a, G: TableBoard>(
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
