//! Solves a table cell by cell, backwards, whatever it is about: out of the smaller ones that
//! captures and promotions lead to.
//!
//! `slice_solver` works backwards through a slice by taking moves back; here it is given what
//! captures and pawn moves lead to, by move rules of its own (`moves`).

mod moves;
mod slice_solver;

use std::sync::Arc;

use qirkat_game::Color;

use self::moves::DoubleStep;
use self::slice_solver::{SliceSolver, best};
use super::king_steps::KingSteps;
use super::solved_table::{SolvedTable, SolvedTables, look_up};
use crate::cell::{Cell, Entry};
use crate::chess_game::ChessTableGame;
use crate::indexing::layout::Layout;
use crate::indexing::material::Material;
use crate::indexing::placement::Placement;

struct Making<'a, G: ChessTableGame> {
    table: SolvedTable<G>,
    steps: KingSteps<G>,
    children: &'a SolvedTables<G>,
}

/// Cells between two calls of `progress`.
const STEP: usize = 1 << 14;

/// Solves a table cell by cell, whatever it is about.
pub fn solve_by_cells<G: ChessTableGame>(
    material: Material<G::Kind>,
    children: &SolvedTables<G>,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<SolvedTable<G>> {
    let table = SolvedTable {
        layout: Layout::new(material),
        dtm: [Vec::new(), Vec::new()],
        dtz: [Vec::new(), Vec::new()],
    };
    let mut making = Making { table, steps: KingSteps::new(!material.has_pawns()), children };
    for slice in 0..making.table.layout.slices.count() {
        let [dtm, dtz] = making.solve_slice(slice, progress)?;
        let SolvedTable { dtm: all_dtm, dtz: all_dtz, .. } = &mut making.table;
        for (all, mut slice) in all_dtm.iter_mut().chain(all_dtz).zip(dtm.into_iter().chain(dtz)) {
            // The only slice is not copied.
            if all.is_empty() {
                *all = slice;
            } else {
                all.append(&mut slice);
            }
        }
    }
    Some(making.table)
}

impl<G: ChessTableGame> Making<'_, G> {
    /// Both measures of a slice.
    fn solve_slice(
        &self,
        slice: usize,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<[[Vec<Cell>; 2]; 2]> {
        let layout = &self.table.layout;
        let pawns = layout.slices.points(slice);
        let mut dtm = SliceSolver::new(layout, pawns, &self.steps);
        let mut dtz = SliceSolver::new(layout, pawns, &self.steps);
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

    /// The value of the best zeroing move, if there is one.
    fn best_exit(&self, placement: &Placement<G>, side: Color) -> Option<Entry> {
        let mut found = None;
        placement.zeroing_moves(side, &mut |child, double_step| {
            let value = self.value(&child, !side, double_step);
            found = best(found, value.before(true));
        });
        found
    }

    /// The entry of a placement after a zeroing move, perhaps a double step.
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
