//! A table without pawns from its rows: cells for files and larger tables, or only statistics.
//!
//! A table with five pieces takes 1.7 GB per distance as cells, and a tenth of that as rows. So a
//! survey can count tables even if all their files would be too much. First all smaller tables that
//! captures lead to are solved and stay in memory. Then each thread takes one table at a time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use qirkat_rules::chesquerque::{Color, Point, Position};

use super::Layout;
use super::layout::{AfterCapture, Decided, Metric, RowLayout, RowPlace};
use super::row::{Row, points};
use super::solver::{DecidedRow, RowSolver};
use crate::chess_material::Material;
use crate::generator::build::{Resources, positions, solve_all};
use crate::generator::buildable_game::{
    BuildError, BuildableGame, MAX_SURVEYED_PIECES, SurveyError, SurveyOptions, SurveyStep,
    Surveyed, SurveyedGame, with_children,
};
use crate::generator::solved_table::{
    Progress, Results, SolvableGame, SolvedTable, SolvedTables, Values,
};
use crate::header::TableForm;
use crate::statistics::Statistics;
use crate::value::{CLOCK, Cell, TableResult};

/// Solves a table that has rows; none if `progress` returns false.
pub fn solve_by_rows(
    layout: RowLayout,
    form: TableForm,
    children: &SolvedTables<Position>,
    progress: Progress<'_>,
) -> Option<SolvedTable<Position>> {
    let [mates, zeroings] = AfterCapture::all(&layout, children);
    let values = match form {
        TableForm::Distances => Values::Distances {
            dtm: solve_cells(&layout, mates, progress)?,
            dtz: solve_cells(&layout, zeroings, progress)?,
        },
        TableForm::Wdl => Values::Results(solve_results(&layout, zeroings, progress)?),
    };
    Some(SolvedTable { layout: layout.cells, values })
}

fn solve_cells(
    layout: &RowLayout,
    after: Vec<AfterCapture>,
    progress: Progress<'_>,
) -> Option<[Vec<Cell>; 2]> {
    let mut solver = RowSolver::new(layout, after);
    let count = layout.cells.cells();
    let mut cells = [vec![Cell::INVALID; count], vec![Cell::INVALID; count]];
    visit_legal(layout, &solver, |side, at| cells[side.index()][at] = Cell::DRAW);
    let mut note = |DecidedRow { side, place, row, decided, plies }| {
        let cell = match decided {
            Decided::Won => Cell::win(plies),
            Decided::Lost => Cell::loss(plies),
        };
        visit_cells(layout, place, row, |at| cells[side.index()][at] = cell);
    };
    solver.solve(&mut note, &mut || progress(0)).filter(|()| progress(count / 2))?;
    Some(cells)
}

fn solve_results(
    layout: &RowLayout,
    zeroings: Vec<AfterCapture>,
    progress: Progress<'_>,
) -> Option<Results> {
    let mut solver = RowSolver::new(layout, zeroings);
    let mut results = Results::new(layout.cells.cells());
    results.add_slice();
    visit_legal(layout, &solver, |side, at| results.put(side, at, Some(TableResult::Draw)));
    let mut note = |DecidedRow { side, place, row, decided, plies }| {
        let result = match decided {
            Decided::Won if plies > CLOCK => TableResult::CursedWin,
            Decided::Won => TableResult::Win,
            Decided::Lost if plies > CLOCK => TableResult::BlessedLoss,
            Decided::Lost => TableResult::Loss,
        };
        visit_cells(layout, place, row, |at| results.put(side, at, Some(result)));
        let canonical = row & layout.canonical(layout.points(place.slot));
        let bound = (place.pair * layout.cells.pair_stride) as u64;
        let longest = &mut results.longest_zeroing[side.index()];
        update_longest(longest, plies, bound, || lowest(layout, place, canonical));
    };
    let count = layout.cells.cells();
    solver.solve(&mut note, &mut || progress(0)).filter(|()| progress(count))?;
    Some(results)
}

/// Visits the cells of all positions in which the side to move could not capture the king.
fn visit_legal(layout: &RowLayout, solver: &RowSolver<'_>, mut visit: impl FnMut(Color, usize)) {
    for side in Color::ALL {
        for (place, &row) in layout.places().zip(&solver.open[side.index()]) {
            visit_cells(layout, place, row, |at| visit(side, at));
        }
    }
}

fn visit_cells(layout: &RowLayout, place: RowPlace, row: Row, mut visit: impl FnMut(usize)) {
    let [first, second] = layout.points(place.slot);
    for row_point in points(row) {
        visit(layout.cell(place.pair, [first, second], row_point));
        if layout.is_folded {
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

/// Updates `longest`, the greatest distance and its lowest index. `lowest` finds the lowest index
/// of the new positions, which is at least `bound`.
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
    /// How many positions one position represents, by pair of kings.
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

    /// How many positions a row represents.
    fn weigh(&self, place: RowPlace, row: Row) -> u64 {
        u64::from(row.count_ones()) * self.weights[place.pair]
    }

    /// Counts all undecided positions as draws, and the mutual zugzwangs.
    fn count_draws_and_zugzwangs(&mut self, solver: &RowSolver<'_>) {
        let mut first: [Option<u64>; 2] = [None; 2];
        for (at, place) in self.layout.places().enumerate() {
            let canonical = self.layout.canonical(self.layout.points(place.slot));
            for side in Color::ALL {
                let draws = self.weigh(place, solver.open[side.index()][at] & canonical);
                self.statistics.sides[side.index()].draws += draws;
            }
            let [white, black] = Color::ALL
                .map(|side| solver.not_yet_won[side.index()][at] & !solver.open[side.index()][at]);
            let not_yet_won = solver.not_yet_won[0][at] & solver.not_yet_won[1][at] & canonical;
            let zugzwangs = not_yet_won & (white | black);
            if zugzwangs == 0 {
                continue;
            }
            let full = not_yet_won & white & black;
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

    fn note(&mut self, DecidedRow { side, place, row, decided, plies }: DecidedRow) {
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
    let row_point = Point::from_index(row.trailing_zeros() as usize)?;
    Some(layout.cell(place.pair, layout.points(place.slot), row_point) as u64)
}

/// Bytes per cell of a smaller table, which stays in memory.
const BYTES_PER_CELL: u64 = 8;
/// Bytes per row of a table being solved: two rows for each side, and the rows decided in the last
/// two plies, each with its slot number.
pub const BYTES_PER_ROW: u64 = 4 * 16 + 4 * 32;

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
    ) -> Result<(), SurveyError<Material>> {
        let is_unfit = |it: &&Material| it.pieces() > MAX_SURVEYED_PIECES;
        if let Some(&unfit) = options.materials.iter().find(is_unfit) {
            return Err(SurveyError::Unfit(unfit));
        }
        let (with_pawns, pawnless): (Vec<Material>, Vec<Material>) =
            options.materials.iter().partition(|it| it.has_pawns());
        let children: Vec<Material> =
            pawnless.iter().flat_map(|&it| Position::children(it)).collect();
        let smaller = with_children::<Position>(&children);
        let threads = threads_that_fit(options, &pawnless, &smaller)?;
        let needed = with_pawns.iter().flat_map(|&it| with_children::<Position>(&[it]));
        let all = smaller.iter().chain(&pawnless).copied().chain(needed);
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
        // One after another, since each needs gigabytes with those that it leads to.
        for material in with_pawns {
            survey_results(material, options, stop, report)?;
        }
        if stop.load(Ordering::Relaxed) { Err(SurveyError::Stopped) } else { Ok(()) }
    }
}

/// Surveys a table by its results, without distances to mate.
fn survey_results(
    material: Material,
    options: &SurveyOptions<Material>,
    stop: &AtomicBool,
    report: &(dyn Fn(SurveyStep<Material>) + Sync),
) -> Result<(), SurveyError<Material>> {
    let resources = Resources {
        form: TableForm::Wdl,
        threads: options.threads,
        memory: options.memory,
        stop,
        progress: &|positions| report(SurveyStep::Positions(positions)),
    };
    let needed = with_children::<Position>(&[material]).into_iter();
    let jobs = needed.map(|it| (it, it == material)).collect();
    let solved = solve_all::<Position>(&resources, jobs, &|table, _| {
        let statistics = table.statistics();
        report(SurveyStep::Surveyed(Box::new(Surveyed { material, statistics })));
        Ok(())
    });
    solved.map_err(|error| match error {
        BuildError::Memory { needed, given, .. } => SurveyError::Memory { needed, given },
        BuildError::Threads(error) => error.into(),
        _ => SurveyError::Stopped,
    })
}

fn threads_that_fit(
    options: &SurveyOptions<Material>,
    materials: &[Material],
    smaller: &[Material],
) -> Result<usize, SurveyError<Material>> {
    let cells = |it: &Material| Layout::new(*it).cells() as u64;
    let kept = smaller.iter().map(cells).sum::<u64>() * BYTES_PER_CELL;
    let largest = materials.iter().map(cells).max().unwrap_or(0);
    let each = largest / Point::COUNT as u64 * BYTES_PER_ROW;
    let fit = options.memory.saturating_sub(kept) / each.max(1);
    if fit == 0 {
        let (needed, given) = ((kept + each).div_ceil(1 << 20), options.memory >> 20);
        return Err(SurveyError::Memory { needed, given });
    }
    Ok(options.threads.clamp(1, usize::try_from(fit).unwrap_or(usize::MAX)))
}

fn share(
    materials: &[Material],
    threads: usize,
    stop: &AtomicBool,
    solve: &(dyn Fn(Material) + Sync),
) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(materials.len()) {
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
