//! A table from its rows: cells for files and larger tables, or only statistics.
//!
//! A table with five pieces takes 1.7 GB per distance as cells, and a tenth of that as rows. So a
//! survey can count tables even if all their files would be too much. First all smaller tables that
//! captures lead to are solved and stay in memory. Then each thread takes one table at a time.
//! Tables with pawns are instead solved as results by `build::solve_all`, which drops what is no
//! longer needed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use qirkat_game::DRAWING_PLIES;
use qirkat_rules::chesquerque::{Color, Point, Position};

use super::exits::{Exits, find_exits};
use super::layout::{Decided, RowLayout, RowPlace};
use super::row::{ALL, Row, points};
use super::solver::{DecidedRow, RowSolver};
use super::{KnownTables, Layout, Placed};
use crate::chess_material::Material;
use crate::generator::build::{BYTES_PER_CELL, Resources, check_pieces, positions, solve_all};
use crate::generator::buildable_game::{
    BuildError, BuildableGame, MAX_SURVEYED_PIECES, SurveyOptions, SurveyStep, Surveyed,
    SurveyedGame, megabytes, with_dependencies,
};
use crate::generator::moves::KingSteps;
use crate::generator::solved_table::{
    Progress, Results, SolvableGame, SolvedTable, SolvedTables, Values, solve_slices,
};
use crate::header::TableForm;
use crate::statistics::{SideStatistics, Statistics};
use crate::value::{Cell, Entry, TableResult};

/// Plies to mate, and to the next zeroing move or mate.
const DISTANCES: [fn(Entry) -> Cell; 2] = [|entry| entry.dtm, |entry| entry.dtz];

/// Solves a table that has rows; none if it has none, or if `progress` returns false.
pub fn solve_by_rows(
    table_layout: Layout,
    form: TableForm,
    children: &SolvedTables<Position>,
    progress: Progress<'_>,
) -> Option<SolvedTable<Position>> {
    let layout = RowLayout::new(&table_layout)?;
    let steps = KingSteps::new(!table_layout.material.has_pawns());
    solve_slices(table_layout, form, &|table, slice| {
        let slice = SliceTask {
            known: KnownTables { table, children },
            layout: &layout,
            steps: &steps,
            slice,
        };
        let values = match form {
            TableForm::Distances => {
                let [mates, zeroings] = slice.exits(&slice.solver(), DISTANCES, progress)?;
                Values::Distances {
                    dtm: slice.solve_cells(mates, progress)?,
                    dtz: slice.solve_cells(zeroings, progress)?,
                }
            }
            TableForm::Wdl => Values::Results(slice.solve_results(progress)?),
        };
        progress(table.layout.slice_cells()).then_some(values)
    })
}

/// A slice of a table, of which the slices that pawn moves lead to are solved.
struct SliceTask<'a> {
    known: KnownTables<'a>,
    layout: &'a RowLayout,
    steps: &'a KingSteps<Position>,
    slice: usize,
}

impl SliceTask<'_> {
    fn pawns(&self) -> Vec<Placed> {
        let slices = &self.known.table.layout.slices;
        slices.placed(slices.points(self.slice)).collect()
    }

    fn solver(&self) -> RowSolver<'_> {
        RowSolver::new(self.layout, self.steps, &self.pawns())
    }

    /// The exits, for each of these distances; nothing is solved yet.
    fn exits<const N: usize>(
        &self,
        solver: &RowSolver<'_>,
        distances: [fn(Entry) -> Cell; N],
        progress: Progress<'_>,
    ) -> Option<[Exits; N]> {
        let go_on = &mut || progress(0);
        find_exits(self.known, self.layout, self.pawns(), &solver.legal, distances, go_on)
    }

    fn cells(&self) -> usize {
        self.known.table.layout.slice_cells()
    }

    fn solve_cells(&self, exits: Exits, progress: Progress<'_>) -> Option<[Vec<Cell>; 2]> {
        let layout = self.layout;
        let mut solver = self.solver();
        let mut cells = [(); 2].map(|()| vec![Cell::INVALID; self.cells()]);
        for (side, cells) in cells.iter_mut().enumerate() {
            for (place, &row) in layout.places().zip(&solver.legal[side]) {
                visit_cells(layout, place, row, |at| cells[at] = Cell::DRAW);
            }
        }
        let mut note = |DecidedRow { side, place, row, decided, plies }| {
            let cell = match decided {
                Decided::Won => Cell::win(plies),
                Decided::Lost => Cell::loss(plies),
            };
            visit_cells(layout, place, row, |at| cells[side.index()][at] = cell);
        };
        solver.solve(exits, &mut note, &mut || progress(0))?;
        Some(cells)
    }

    fn solve_results(&self, progress: Progress<'_>) -> Option<Results> {
        let mut solver = self.solver();
        let [zeroings] = self.exits(&solver, [|entry| entry.dtz], progress)?;
        let mut counter = Counter::new(self);
        solver.solve(zeroings, &mut |found| counter.note_zeroing(found), &mut || progress(0))?;
        let mut results = Results::new(self.cells());
        results.add_slice();
        counter.count(&solver, &mut |side, place, row, result| {
            visit_cells(self.layout, place, row, |at| results.put(side, at, result));
        });
        results.statistics = Some(Box::new(counter.statistics));
        Some(results)
    }
}

fn visit_cells(layout: &RowLayout, place: RowPlace, row: Row, mut visit: impl FnMut(usize)) {
    let [first, second] = layout.points(place.slot);
    for row_point in points(row) {
        visit(layout.cell(place.pair, [first, second], row_point));
        if layout.has_equal_others {
            visit(layout.cell(place.pair, [second, first], row_point));
        }
    }
}

/// The statistics of a table without pawns, as its cells would give them, but without storing
/// these. None if it has too many pieces, or if `progress` returns false.
fn count_by_rows(
    material: Material,
    children: &SolvedTables<Position>,
    progress: Progress<'_>,
) -> Option<Statistics> {
    let table =
        SolvedTable { layout: Layout::new(material), values: Values::Results(Results::new(0)) };
    let layout = &RowLayout::new(&table.layout)?;
    let steps = &KingSteps::new(true);
    let slice =
        SliceTask { known: KnownTables { table: &table, children }, layout, steps, slice: 0 };
    let mut solver = slice.solver();
    let [mates, zeroings] = slice.exits(&solver, DISTANCES, progress)?;
    let mut counter = Counter::new(&slice);
    let half = slice.cells() / 2;
    let mut note_mate = |found| {
        counter.keep_longest(found, |side, decided| match decided {
            Decided::Won => &mut side.longest_win,
            Decided::Lost => &mut side.longest_loss,
        })
    };
    solver.solve(mates, &mut note_mate, &mut || progress(0)).filter(|()| progress(half))?;
    solver = slice.solver();
    solver.solve(zeroings, &mut |found| counter.note_zeroing(found), &mut || progress(0))?;
    counter.count(&solver, &mut |_, _, _, _| ());
    progress(half).then_some(counter.statistics)
}

/// Counts the positions of a slice.
struct Counter<'a> {
    layout: &'a RowLayout,
    /// The index of the slice's first cell.
    first: usize,
    /// How many positions one position represents, by pair of kings.
    weights: Vec<u64>,
    /// The positions decided too late for the 100-ply rule, by side and row.
    late: BTreeMap<(usize, usize), Row>,
    statistics: Statistics,
}

impl<'a> Counter<'a> {
    fn new(slice: &SliceTask<'a>) -> Counter<'a> {
        let table_layout = &slice.known.table.layout;
        let first = slice.slice * table_layout.slice_cells();
        let weight = |pair| table_layout.weight(first + pair * table_layout.pair_stride);
        Counter {
            layout: slice.layout,
            first,
            weights: (0..table_layout.kings.count()).map(weight).collect(),
            late: BTreeMap::new(),
            statistics: Statistics::default(),
        }
    }

    /// How many positions a row represents.
    fn weigh(&self, place: RowPlace, row: Row) -> u64 {
        u64::from(row.count_ones()) * self.weights[place.pair]
    }

    /// Counts the results of a solved slice, of which it visits each row, and its mutual zugzwangs.
    fn count(
        &mut self,
        solver: &RowSolver<'_>,
        visit: &mut dyn FnMut(Color, RowPlace, Row, TableResult),
    ) {
        let mut first: [Option<u64>; 2] = [None; 2];
        for (at, place) in self.layout.places().enumerate() {
            let canonical = self.canonical(place, ALL);
            for side in Color::ALL {
                let [legal, open, not_yet_won] = [&solver.legal, &solver.open, &solver.not_yet_won]
                    .map(|it| it[side.index()][at]);
                let (won, lost) = (legal & !not_yet_won, not_yet_won & !open);
                let late = self.late.get(&(side.index(), at)).copied().unwrap_or_default();
                for (row, result) in [
                    (open, TableResult::Draw),
                    (won & !late, TableResult::Win),
                    (won & late, TableResult::CursedWin),
                    (lost & !late, TableResult::Loss),
                    (lost & late, TableResult::BlessedLoss),
                ] {
                    visit(side, place, row, result);
                    let positions = self.weigh(place, row & canonical);
                    *self.statistics.sides[side.index()].count_of(result) += positions;
                }
            }
            let [lost_by_white, lost_by_black] = Color::ALL
                .map(|side| solver.not_yet_won[side.index()][at] & !solver.open[side.index()][at]);
            let not_yet_won = solver.not_yet_won[0][at] & solver.not_yet_won[1][at] & canonical;
            let zugzwangs = not_yet_won & (lost_by_white | lost_by_black);
            if zugzwangs == 0 {
                continue;
            }
            let full = not_yet_won & lost_by_white & lost_by_black;
            self.statistics.zugzwangs += self.weigh(place, zugzwangs);
            self.statistics.full_zugzwangs += self.weigh(place, full);
            for (first, row) in first.iter_mut().zip([full, zugzwangs]) {
                if let Some(lowest) = self.lowest(place, row) {
                    *first = Some(first.map_or(lowest, |first| first.min(lowest)));
                }
            }
        }
        self.statistics.zugzwang = first[0].or(first[1]);
    }

    fn note_zeroing(&mut self, found: DecidedRow) {
        let DecidedRow { side, place, row, plies, .. } = found;
        self.keep_longest(found, |side, _| &mut side.longest_zeroing);
        if plies > DRAWING_PLIES {
            let at = place.pair * self.layout.slots() + place.slot;
            *self.late.entry((side.index(), at)).or_default() |= row;
        }
    }

    /// Keeps the longest distance with the lowest index.
    fn keep_longest(
        &mut self,
        DecidedRow { side, place, row, decided, plies }: DecidedRow,
        longest: fn(&mut SideStatistics, Decided) -> &mut Option<(u16, u64)>,
    ) {
        let known = *longest(&mut self.statistics.sides[side.index()], decided);
        let bound = (self.first + place.pair * self.layout.pair_stride) as u64;
        if known.is_some_and(|(most, index)| most > plies || most == plies && index < bound) {
            return;
        }
        if let Some(lowest) = self.lowest(place, self.canonical(place, row)) {
            let equal = known.filter(|known| known.0 == plies);
            let index = equal.map_or(lowest, |(_, index)| index.min(lowest));
            *longest(&mut self.statistics.sides[side.index()], decided) = Some((plies, index));
        }
    }

    /// Those of a row's bits by which its positions are looked up: see [`RowLayout::canonical`].
    fn canonical(&self, place: RowPlace, row: Row) -> Row {
        row & self.layout.canonical(self.layout.points(place.slot))
    }

    /// The lowest index of a row's positions.
    fn lowest(&self, place: RowPlace, row: Row) -> Option<u64> {
        let row_point = Point::from_index(row.trailing_zeros() as usize)?;
        let cell = self.layout.cell(place.pair, self.layout.points(place.slot), row_point);
        Some((self.first + cell) as u64)
    }
}

/// Bytes per row of a slice being solved: for each side to move four rows, two exits, and what was
/// decided in the last two plies, with its slot number.
pub const BYTES_PER_ROW: u64 = 2 * (4 * 16 + 2 * 16 + 2 * 32);

impl SurveyedGame for Position {
    const SURVEYED_PIECES: (usize, usize) = (MAX_SURVEYED_PIECES, MAX_SURVEYED_PIECES);

    fn to_survey(pieces: usize) -> Vec<Material> {
        let mut materials = Material::all(pieces);
        materials.sort_by_key(|it| (it.pawns(), it.leaves_one_king_bare()));
        materials
    }

    fn survey(
        options: &SurveyOptions<Material>,
        stop: &AtomicBool,
        report: &(dyn Fn(SurveyStep<Material>) + Sync),
    ) -> Result<(), BuildError<Material>> {
        check_pieces::<Position>(&options.materials)?;
        let (with_pawns, pawnless): (Vec<Material>, Vec<Material>) =
            options.materials.iter().partition(|it| it.has_pawns());
        let children: Vec<Material> =
            pawnless.iter().flat_map(|&it| Position::children(it)).collect();
        let smaller = with_dependencies::<Position>(&children);
        let threads = threads_that_fit(options, &pawnless, &smaller)?;
        let needed = with_dependencies::<Position>(&with_pawns);
        let all = smaller.iter().chain(&pawnless).chain(&needed).copied();
        report(SurveyStep::Total(all.map(positions::<Position>).sum()));

        let progress = |cells: usize| {
            report(SurveyStep::Positions(2 * cells as u64));
            !stop.load(Ordering::Relaxed)
        };
        let mut solved = SolvedTables::new();
        for pieces in 3..MAX_SURVEYED_PIECES {
            let level: Vec<Material> =
                smaller.iter().copied().filter(|it| it.pieces() == pieces).collect();
            let tables = Mutex::new(Vec::new());
            share(&level, options.threads, stop, &|material| {
                let table = Position::solve(material, TableForm::Distances, &solved, &progress);
                tables.lock().unwrap_or_else(PoisonError::into_inner).extend(table);
            });
            let tables = tables.into_inner().unwrap_or_else(PoisonError::into_inner);
            solved.extend(tables.into_iter().map(|it| (it.layout.material, Arc::new(it))));
        }
        share(&pawnless, threads, stop, &|material| {
            if let Some(statistics) = count_by_rows(material, &solved, &progress) {
                report(SurveyStep::Surveyed(Box::new(Surveyed { material, statistics })));
            }
        });
        drop(solved);
        survey_results(&with_pawns, options, stop, report)?;
        if stop.load(Ordering::Relaxed) { Err(BuildError::Stopped) } else { Ok(()) }
    }
}

/// Surveys tables by their results, without distances to mate.
fn survey_results(
    materials: &[Material],
    options: &SurveyOptions<Material>,
    stop: &AtomicBool,
    report: &(dyn Fn(SurveyStep<Material>) + Sync),
) -> Result<(), BuildError<Material>> {
    let resources = Resources {
        form: TableForm::Wdl,
        threads: options.threads,
        memory: options.memory,
        stop,
        progress: &|positions| report(SurveyStep::Positions(positions)),
    };
    let needed = with_dependencies::<Position>(materials).into_iter();
    let jobs = needed.map(|it| (it, materials.contains(&it))).collect();
    solve_all::<Position>(&resources, jobs, &|table, _| {
        let (material, statistics) = (table.layout.material, table.statistics());
        report(SurveyStep::Surveyed(Box::new(Surveyed { material, statistics })));
        Ok(())
    })
}

fn threads_that_fit(
    options: &SurveyOptions<Material>,
    materials: &[Material],
    smaller: &[Material],
) -> Result<usize, BuildError<Material>> {
    let cells = |it: &Material| Layout::new(*it).cells() as u64;
    let largest = materials.iter().max_by_key(|&it| cells(it));
    let Some(&material) = largest else { return Ok(options.threads) };
    let kept = smaller.iter().map(cells).sum::<u64>() * BYTES_PER_CELL;
    let each = cells(&material) / Point::COUNT as u64 * BYTES_PER_ROW;
    let fit = options.memory.saturating_sub(kept) / each;
    if fit == 0 {
        let (needed, given) = megabytes(kept + each, options.memory);
        return Err(BuildError::Memory { material, needed, given });
    }
    Ok(options.threads.clamp(1, usize::try_from(fit).unwrap_or(usize::MAX)))
}

/// Solves these tables, one at a time on each of so many threads.
fn share(
    materials: &[Material],
    threads: usize,
    stop: &AtomicBool,
    solve: &(dyn Fn(Material) + Sync),
) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1).min(materials.len()) {
            scope.spawn(|| {
                while let Some(&material) = materials.get(next.fetch_add(1, Ordering::Relaxed))
                    && !stop.load(Ordering::Relaxed)
                {
                    solve(material);
                }
            });
        }
    });
}
