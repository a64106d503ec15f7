//! A table without pawns from its rows: cells for files and larger tables, or only statistics.

use qirkat_rules::chesquerque::{Color, Point, Position};

use super::Layout;
use super::layout::{AfterCapture, Decided, Metric, RowLayout, RowPlace};
use super::row::{Row, points};
use super::solver::{Found, RowSolver};
use crate::generator::solved_table::{SolvedTable, SolvedTables};
use crate::indexing::material::Material;
use crate::statistics::Statistics;
use crate::value::{CLOCK, Cell};

/// Solves a table that has rows; none if `progress` returns false.
pub fn solve_by_rows(
    layout: RowLayout,
    children: &SolvedTables<Position>,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<SolvedTable<Position>> {
    let mut measures = AfterCapture::all(&layout, children).map(|after| {
        let mut solver = RowSolver::new(&layout, after);
        let mut cells = Cells::new(&layout, &solver);
        let half = layout.cells.cells() / 2;
        solver
            .solve(&mut |found| cells.note(found), &mut || progress(0))
            .filter(|()| progress(half))?;
        Some(cells.cells)
    });
    let [dtm, dtz] = [measures[0].take()?, measures[1].take()?];
    Some(SolvedTable { layout: layout.cells, dtm, dtz })
}

struct Cells<'a> {
    layout: &'a RowLayout,
    cells: [Vec<Cell>; 2],
}

impl<'a> Cells<'a> {
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

    fn note(&mut self, Found { side, place, row, decided, plies }: Found) {
        let cell = match decided {
            Decided::Won => Cell::win(plies),
            Decided::Lost => Cell::loss(plies),
        };
        self.put(side, place, row, cell);
    }
}

/// The statistics of a table without pawns, the same as from its cells, without storing these. None
/// if it has too many pieces, or if `progress` returns false.
pub fn count_by_rows(
    material: Material,
    children: &SolvedTables<Position>,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<Statistics> {
    let layout = RowLayout::new(Layout::new(material))?;
    let mut counter = Counter::new(&layout);
    let half = layout.cells.cells() / 2;
    for (metric, after) in Metric::ALL.into_iter().zip(AfterCapture::all(&layout, children)) {
        let mut solver = RowSolver::new(&layout, after);
        counter.metric = metric;
        solver.solve(&mut |found| counter.note(found), &mut || progress(0))?;
        if metric == Metric::Mate {
            counter.count_draws_and_zugzwangs(&solver);
        }
        if !progress(half) {
            return None;
        }
    }
    let mut statistics = counter.statistics;
    for side in &mut statistics.sides {
        side.wins -= side.cursed_wins;
        side.losses -= side.blessed_losses;
    }
    Some(statistics)
}

/// Updates `longest`, the greatest distance and the lowest position that has it. The new positions
/// start at `lowest`; none is below `bound`.
fn update_longest(
    longest: &mut Option<(u16, u64)>,
    plies: u16,
    bound: u64,
    lowest: impl FnOnce() -> Option<u64>,
) {
    let is_known = |(known, index)| known > plies || (known == plies && index < bound);
    if !longest.is_some_and(is_known)
        && let Some(lowest) = lowest()
    {
        let known = longest.filter(|&(known, _)| known == plies);
        *longest = Some((plies, known.map_or(lowest, |(_, known)| known.min(lowest))));
    }
}

struct Counter<'a> {
    layout: &'a RowLayout,
    metric: Metric,
    /// How many positions of the board one stands for, by the pair of kings.
    weights: Vec<u64>,
    statistics: Statistics,
}

impl<'a> Counter<'a> {
    fn new(layout: &'a RowLayout) -> Counter<'a> {
        let weight = |pair| layout.cells.weight(pair * layout.cells.pair_stride);
        Counter {
            layout,
            metric: Metric::Mate,
            weights: (0..layout.kings.count()).map(weight).collect(),
            statistics: Statistics::default(),
        }
    }

    /// How many positions of the board a row stands for.
    fn weigh(&self, place: RowPlace, row: Row) -> u64 {
        u64::from(row.count_ones()) * self.weights[place.pair]
    }

    /// Counts all positions that are still open as draws.
    fn count_draws_and_zugzwangs(&mut self, solver: &RowSolver<'_>) {
        let mut first: [Option<u64>; 2] = [None; 2];
        for (at, place) in self.layout.places().enumerate() {
            let canonical = self.layout.canonical(self.layout.points(place.slot));
            for side in Color::ALL {
                let draws = self.weigh(place, solver.open[side.index()][at] & canonical);
                self.statistics.sides[side.index()].draws += draws;
            }
            let [white, black] = Color::ALL
                .map(|side| solver.unwon[side.index()][at] & !solver.open[side.index()][at]);
            let unwon = solver.unwon[0][at] & solver.unwon[1][at] & canonical;
            let zugzwangs = unwon & (white | black);
            if zugzwangs == 0 {
                continue;
            }
            let full = unwon & white & black;
            self.statistics.zugzwangs += self.weigh(place, zugzwangs);
            self.statistics.full_zugzwangs += self.weigh(place, full);
            for (first, row) in first.iter_mut().zip([full, zugzwangs]) {
                if let Some(lowest) = lowest(self.layout, place, row) {
                    *first = Some(first.map_or(lowest, |first| first.min(lowest)));
                }
            }
        }
        self.statistics.zugzwang = first[0].or(first[1]);
    }

    fn note(&mut self, Found { side, place, row, decided, plies }: Found) {
        let row = row & self.layout.canonical(self.layout.points(place.slot));
        if row == 0 {
            return;
        }
        let positions = self.weigh(place, row);
        let side = &mut self.statistics.sides[side.index()];
        let (counter, late, longest) = match decided {
            Decided::Won => (&mut side.wins, &mut side.cursed_wins, &mut side.longest_win),
            Decided::Lost => (&mut side.losses, &mut side.blessed_losses, &mut side.longest_loss),
        };
        let bound = (place.pair * self.layout.cells.pair_stride) as u64;
        let lowest = || lowest(self.layout, place, row);
        match self.metric {
            Metric::Mate => {
                *counter += positions;
                update_longest(longest, plies, bound, lowest);
            }
            Metric::Zeroing => {
                *late += if plies > CLOCK { positions } else { 0 };
                update_longest(&mut side.longest_zeroing, plies, bound, lowest);
            }
        }
    }
}

/// The lowest index of a row's positions.
fn lowest(layout: &RowLayout, place: RowPlace, row: Row) -> Option<u64> {
    let along = Point::from_index(row.trailing_zeros() as usize)?;
    Some(layout.cell(place.pair, layout.points(place.slot), along) as u64)
}
