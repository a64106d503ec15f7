//! Solves a table of any chess game cell by cell, from the smaller tables that captures and
//! promotions lead to.
//!
//! [`SliceSolver`] works backwards through a slice by taking moves back. The results of captures
//! and pawn moves come from a separate move generator (`moves`).

use qirkat_game::Color;
use qirkat_rules::chess::{Geometry, Square, SquareSet};

use super::moves::KingSteps;
use super::solved_table::{
    KnownTables, Progress, Results, SolvedTable, SolvedTables, Values, solve_slices,
};
use crate::chess_game::{ChessBoardGame, IDENTITY, Symmetries};
use crate::chess_index::{Layout, PawnPoints};
use crate::chess_material::Placement;
use crate::header::TableForm;
use crate::value::{Cell, Entry};

/// Cells between two calls of `progress`.
const STEP: usize = 1 << 14;

pub fn solve_by_cells<G: ChessBoardGame>(
    layout: Layout<G>,
    form: TableForm,
    children: &SolvedTables<G>,
    progress: Progress<'_>,
) -> Option<SolvedTable<G>> {
    let steps = KingSteps::new(!layout.material.has_pawns());
    solve_slices(layout, form, &|table, slice| {
        solve_slice(KnownTables { table, children }, &steps, slice, form, progress)
    })
}

fn solve_slice<G: ChessBoardGame>(
    known: KnownTables<'_, G>,
    steps: &KingSteps<G>,
    slice: usize,
    form: TableForm,
    progress: Progress<'_>,
) -> Option<Values> {
    let layout = &known.table.layout;
    let pawns = layout.slices.points(slice);
    let mut dtz = SliceSolver::new(layout, pawns, steps);
    let mut dtm = (form == TableForm::Distances).then(|| SliceSolver::new(layout, pawns, steps));
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
            let exit = best_exit(known, &placement, side);
            let quiet = placement.quiet_moves(side);
            let check = is_check[side.index()];
            if let Some(dtm) = &mut dtm {
                dtm.start(side, cell, quiet, exit.map(|exit| exit.dtm), check);
            }
            dtz.start(side, cell, quiet, exit.map(|exit| exit.dtz), check);
        }
    }
    let go_on = &mut |cells| progress(cells);
    Some(match dtm {
        Some(dtm) => Values::Distances { dtm: dtm.solve(go_on)?, dtz: dtz.solve(go_on)? },
        None => Values::Results(results(layout, slice, &dtz.solve(go_on)?)),
    })
}

/// The results of a slice, from its distances to zeroing.
fn results<G: ChessBoardGame>(layout: &Layout<G>, slice: usize, cells: &[Vec<Cell>; 2]) -> Results {
    let mut results = Results::new(layout.slice_cells());
    results.add_slice();
    // Of the distance to mate only whether it is a win or loss matters.
    let entry = |side: Color, at: usize| Entry {
        dtm: cells[side.index()][at],
        dtz: cells[side.index()][at],
    };
    for side in Color::ALL {
        for at in 0..layout.slice_cells() {
            if let Some(result) = entry(side, at).result() {
                results.put(side, at, result);
            }
        }
    }
    let first = slice * layout.slice_cells();
    let mut statistics = layout
        .statistics_of(first..first + layout.slice_cells(), &|side, index| {
            entry(side, index - first)
        });
    statistics.forget_distances_to_mate();
    results.statistics = Some(Box::new(statistics));
    results
}

/// The best capture or pawn move (*exit*: it leaves the slice).
fn best_exit<G: ChessBoardGame>(
    known: KnownTables<'_, G>,
    placement: &Placement<G>,
    side: Color,
) -> Option<Entry> {
    let mut best: Option<Entry> = None;
    placement.zeroing_moves(side, &mut |child, double_step| {
        let entry = match double_step {
            Some(step) => known.after_double_step(&child, !side, step),
            None => known.look_up(&child, !side),
        };
        best = Entry::best(best, entry.before(true));
    });
    best
}

/// Cells in a chunk, for which the distances that occur are recorded together.
const CHUNK: usize = 1024;
/// Distances that this record distinguishes; the last means it and all longer ones.
const DISTANCES: u16 = 256;

/// Retrograde analysis of one slice of a table: its cells for both sides to move, by one kind of
/// distance.
///
/// Within a slice there are no captures or pawn moves, so every move can be taken back by the
/// reverse move (see [`ChessBoardGame`]). Only zeroing moves leave the slice; their results are
/// known. From these, the mates and the number of moves in each position, all else follows
/// backwards, one ply at a time (T. Ströhlein, 1970; K. Thompson, 1986): a move to a lost position
/// wins; a position whose moves all lead to won ones is lost.
///
/// The same algorithm finds both distances: moves that leave the slice count their whole distance
/// for DTM, and one ply for DTZ.
pub struct SliceSolver<'a, G: ChessBoardGame> {
    layout: &'a Layout<G>,
    steps: &'a KingSteps<G>,
    pawns: G::Bitboard,
    cells: [Vec<Cell>; 2],
    /// The distances that occur in each chunk.
    distances: [Vec<[u64; DISTANCES as usize / 64]>; 2],
    /// Losing moves out of the slice: plies, side and cell.
    losing_exits: Vec<(u16, u8, u32)>,
    longest: u16,
}

impl<'a, G: ChessBoardGame> SliceSolver<'a, G> {
    pub fn new(
        layout: &'a Layout<G>,
        pawns: &PawnPoints<G::Square>,
        steps: &'a KingSteps<G>,
    ) -> SliceSolver<'a, G> {
        let cells = layout.slice_cells();
        let chunks = cells.div_ceil(CHUNK);
        SliceSolver {
            layout,
            steps,
            pawns: pawns.iter().copied().collect(),
            cells: [vec![Cell::INVALID; cells], vec![Cell::INVALID; cells]],
            distances: [vec![Default::default(); chunks], vec![Default::default(); chunks]],
            losing_exits: Vec::new(),
            longest: 0,
        }
    }

    /// Initialises a cell: the number of moves within the slice, the value of the best other move
    /// if there is one, and whether the side to move is in check.
    pub fn start(&mut self, side: Color, cell: usize, quiet: u32, exit: Option<Cell>, check: bool) {
        let start = match exit {
            Some(exit) if exit.is_win() => exit,
            Some(exit) if exit.is_loss() => {
                let plies = exit.plies() - 1;
                self.losing_exits.push((plies, side as u8, cell as u32));
                self.longest = self.longest.max(plies);
                Cell::undecided(quiet as u16 + 1)
            }
            Some(_) => Cell::NOT_LOST,
            None if quiet > 0 => Cell::undecided(quiet as u16),
            None if check => Cell::loss(0),
            None => Cell::NOT_LOST,
        };
        self.set(side.index(), cell, start);
    }

    /// Finds all distances and returns the cells for White and for Black to move; none if
    /// `progress` returns false.
    pub fn solve(mut self, progress: &mut dyn FnMut(usize) -> bool) -> Option<[Vec<Cell>; 2]> {
        let mut exits = std::mem::take(&mut self.losing_exits);
        exits.sort_unstable();
        let mut exits = exits.into_iter().peekable();
        let mut plies = 0;
        while plies <= self.longest {
            if !progress(0) {
                return None;
            }
            while let Some((_, side, cell)) = exits.next_if(|exit| exit.0 == plies) {
                self.count_down(usize::from(side), cell as usize, plies);
            }
            for side in Color::ALL {
                for chunk in 0..self.distances[side.index()].len() {
                    if self.has_distance(side.index(), chunk, plies) {
                        self.go_back_from(side, chunk, plies);
                    }
                }
            }
            plies += 1;
        }
        for cell in self.cells.iter_mut().flatten() {
            if cell.is_open() {
                *cell = Cell::DRAW;
            }
        }
        Some(self.cells)
    }

    /// Takes back the moves to all cells of a chunk that are decided in this many plies.
    fn go_back_from(&mut self, side: Color, chunk: usize, plies: u16) {
        let first = chunk * CHUNK;
        let last = (first + CHUNK).min(self.cells[side.index()].len());
        let (win, loss) = (Cell::win(plies), Cell::loss(plies));
        for cell in first..last {
            let found = self.cells[side.index()][cell];
            if found == win {
                self.take_back(side, cell, |solver, before| {
                    solver.count_down((!side).index(), before, plies);
                });
            } else if found == loss {
                self.take_back(side, cell, |solver, before| {
                    solver.wins((!side).index(), before, plies + 1);
                });
            }
        }
    }

    /// Counts one move fewer for this cell: it lets the opponent win in this many plies.
    #[inline]
    fn count_down(&mut self, side: usize, cell: usize, plies: u16) {
        let found = self.cells[side][cell];
        if found.is_open() && found != Cell::NOT_LOST {
            match found.plies() {
                0 | 1 => self.set(side, cell, Cell::loss(plies + 1)),
                more => self.cells[side][cell] = Cell::undecided(more - 1),
            }
        }
    }

    #[inline]
    fn wins(&mut self, side: usize, cell: usize, plies: u16) {
        let found = self.cells[side][cell];
        if found.is_open() || (found.is_win() && found.plies() > plies) {
            self.set(side, cell, Cell::win(plies));
        }
    }

    #[inline]
    fn set(&mut self, side: usize, cell: usize, value: Cell) {
        self.cells[side][cell] = value;
        if !value.is_open() {
            let distance = value.plies().min(DISTANCES - 1);
            self.distances[side][cell / CHUNK][usize::from(distance / 64)] |= 1 << (distance % 64);
            self.longest = self.longest.max(value.plies());
        }
    }

    fn has_distance(&self, side: usize, chunk: usize, plies: u16) -> bool {
        let distance = plies.min(DISTANCES - 1);
        self.distances[side][chunk][usize::from(distance / 64)] & (1 << (distance % 64)) != 0
    }

    /// Visits each predecessor of a cell in which `side` is to move.
    #[inline]
    fn take_back(&mut self, side: Color, cell: usize, visit: impl Fn(&mut Self, usize)) {
        let layout = self.layout;
        let mover = !side;
        let (pair, rest) = (cell / layout.pair_stride, cell % layout.pair_stride);
        let [white, black] = layout.kings.kings(pair);
        let mut occupied = self.pawns | G::Bitboard::of(white) | G::Bitboard::of(black);
        let mut points = [white; crate::chess_material::MAX_OTHERS];
        let mut left = rest;
        for (point, &stride) in points.iter_mut().zip(&layout.strides) {
            *point = point_at::<G::Square>(left / stride);
            left %= stride;
            occupied |= G::Bitboard::of(*point);
        }
        for (index, &(color, kind)) in layout.pieces.iter().enumerate() {
            if color == mover {
                let stride = layout.strides[index];
                let without = cell - points[index].index() * stride;
                for from in G::Geometry::attacks(kind, points[index], occupied) & !occupied {
                    visit(self, without + from.index() * stride);
                }
            }
        }
        let symmetries = Symmetries::<G>::get();
        for step in self.steps.to(pair, mover) {
            if occupied.contains(step.to) {
                continue;
            }
            let others = if step.symmetry == IDENTITY {
                rest
            } else {
                let offset = |(point, stride): (&G::Square, &usize)| {
                    symmetries.image(step.symmetry, *point).index() * stride
                };
                points.iter().zip(&layout.strides).map(offset).sum()
            };
            visit(self, step.pair as usize * layout.pair_stride + others);
        }
    }
}

#[inline]
fn point_at<S: Square>(index: usize) -> S {
    match S::from_index(index) {
        Some(point) => point,
        None => unreachable!("a remainder of the points"),
    }
}
