//! A table without pawns from its rows: every cell for files and larger tables.

use qirkat_rules::chesquerque::{Color, Position};

use super::captures::{AfterCapture, Decided};
use super::layout::{RowLayout, RowPlace};
use super::row::{Row, points};
use super::solver::{RowSink, RowSolver};
use crate::cell::Cell;
use crate::generator::solved_table::{SolvedTable, SolvedTables};

/// Solves a table that has rows; none if `progress` says not to go on.
pub fn solve_by_rows(
    layout: RowLayout,
    children: &SolvedTables<Position>,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<SolvedTable<Position>> {
    let mut measures = AfterCapture::all(&layout, children).map(|after| {
        let mut solver = RowSolver::new(&layout, after);
        let mut cells = Cells::new(&layout, &solver);
        let half = layout.cells.cells() / 2;
        solver.solve(&mut cells, &mut || progress(0)).filter(|()| progress(half))?;
        Some(cells.cells)
    });
    let [dtm, dtz] = [measures[0].take()?, measures[1].take()?];
    Some(SolvedTable { layout: layout.cells, dtm, dtz })
}

/// The cells of a table by one measure.
struct Cells<'a> {
    layout: &'a RowLayout,
    cells: [Vec<Cell>; 2],
}

impl<'a> Cells<'a> {
    /// Draws wherever there is a position.
    fn new(layout: &'a RowLayout, solver: &RowSolver<'_>) -> Cells<'a> {
        let count = layout.cells.cells();
        let cells = [vec![Cell::BROKEN; count], vec![Cell::BROKEN; count]];
        let mut cells = Cells { layout, cells };
        for side in Color::ALL {
            for (at, &row) in solver.open[side.index()].iter().enumerate() {
                let (pair, slot) = (at / layout.slots(), at % layout.slots());
                cells.put(side, RowPlace { pair, slot }, row, Cell::DRAW);
            }
        }
        cells
    }

    fn put(&mut self, side: Color, place: RowPlace, row: Row, cell: Cell) {
        let beside = self.layout.points(place.slot);
        for along in points(row) {
            let at = self.layout.cell(place.pair, beside, along);
            self.cells[side.index()][at] = cell;
            if self.layout.is_folded {
                let [first, second] = beside;
                let at = self.layout.cell(place.pair, [second, first], along);
                self.cells[side.index()][at] = cell;
            }
        }
    }
}

impl RowSink for Cells<'_> {
    fn decided(&mut self, side: Color, place: RowPlace, row: Row, decided: Decided, plies: u16) {
        let cell = match decided {
            Decided::Won => Cell::win(plies),
            Decided::Lost => Cell::loss(plies),
        };
        self.put(side, place, row, cell);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use qirkat_game::Rules;
    use qirkat_game::splitmix::splitmix64;
    use qirkat_testing::effort;

    use super::*;
    use crate::cell::Entry;
    use crate::generator::add_solved;
    use crate::generator::cells::solve_by_cells;
    use crate::generator::rows::Placement;
    use crate::indexing::material::Material;

    fn named(name: &str) -> Material {
        name.parse().expect("a material")
    }

    /// Every fourth with four pieces in the long tests, two of a kind among them, all at
    /// night.
    #[test]
    fn rows_come_to_what_cells_do() {
        let pawnless = |pieces| Material::all(pieces).into_iter().filter(|it| !it.has_pawns());
        let four: Vec<Material> = effort([
            ["KBvKN"].map(named).to_vec(),
            ["KNNvK"].map(named).into_iter().chain(pawnless(4).step_by(4)).collect(),
            pawnless(4).collect(),
        ]);
        let mut tables = SolvedTables::<Position>::new();
        for material in pawnless(3).chain(four) {
            add_solved(&mut tables, material);
            let fast = tables.get(material).expect("added");
            let slow = solve_by_cells(material, &tables, &mut |_| true).expect("not stopped");
            for side in Color::ALL {
                for index in 0..fast.layout.cells() {
                    let (fast, slow) = (fast.entry(side, index), slow.entry(side, index));
                    assert_eq!(fast, slow, "{material}, {side} to move, {index}");
                }
            }
        }
    }

    /// The entry of a position as it follows from those that its moves lead to.
    fn derived(
        tables: &SolvedTables<Position>,
        placement: &Placement,
        side: Color,
    ) -> Option<Entry> {
        let position = placement.position(side)?;
        let moves = position.legal_moves();
        let values = moves.into_iter().map(|mv| {
            let next = position.after(mv);
            let after = Placement::of(&next).expect("few pieces");
            tables.find(&after, !side).before(next.halfmove_clock() == 0)
        });
        let stuck = || if position.checkers().any() { Cell::loss(0) } else { Cell::DRAW };
        Some(values.reduce(Entry::better).unwrap_or_else(|| Entry { dtm: stuck(), dtz: stuck() }))
    }

    /// Takes gigabytes of memory and minutes, so one at night, or those that `QIRKAT_ROWS`
    /// names.
    #[test]
    fn five_pieces_follow_from_their_successors() {
        let names = std::env::var("QIRKAT_ROWS").ok();
        let names = names.as_deref().or(effort([None, None, Some("KBNvKN")])).unwrap_or_default();
        for material in names.split_whitespace().map(named) {
            let mut tables = SolvedTables::<Position>::new();
            add_solved(&mut tables, material);
            let table = Arc::clone(tables.get(material).expect("added"));
            let mut state = 7;
            let mut compared = 0;
            for _ in 0..1_000_000 {
                let index = splitmix64(&mut state) as usize % table.layout.cells();
                let Some(placement) = table.layout.placement(index) else { continue };
                for side in Color::ALL {
                    let expected = derived(&tables, &placement, side);
                    let found = table.entry(side, index);
                    assert_eq!(
                        Some(found).filter(|it| !it.dtm.is_broken()),
                        expected,
                        "{material}, {side} to move, {placement:?}"
                    );
                    compared += usize::from(expected.is_some());
                }
            }
            assert!(compared > 500_000, "{compared}");
            let counted = super::super::counting::count_by_rows(material, &tables, &mut |_| true);
            assert_eq!(counted, Some(table.statistics()), "{material}");
        }
    }
}
