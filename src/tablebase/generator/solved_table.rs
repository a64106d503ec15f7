//! Solved tables in memory: every cell, for both sides to move.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use qirkat_game::{Color, DRAWING_PLIES};
use qirkat_rules::chess::{ChessPosition, EnPassant, Geometry, Square};
use qirkat_system::parallel;

use super::buildable_game::BuildableGame;
use super::moves::last_rank;
use crate::chess_game::{ChessBoardGame, IDENTITY, Symmetries};
use crate::chess_index::Layout;
use crate::chess_material::{Material, Placement};
use crate::chess_tables::{ChessNumbering, ChessTableGame};
use crate::header::TableForm;
use crate::packing::cell_coder::Numbers;
use crate::statistics::Statistics;
use crate::value::{Cell, Entry, TableResult};

pub struct SolvedTable<G: ChessBoardGame> {
    pub layout: Layout<G>,
    pub values: Values,
}

pub enum Values {
    /// Distances to mate and to zeroing by index, each with White to move and with Black to move.
    Distances {
        dtm: [Vec<Cell>; 2],
        dtz: [Vec<Cell>; 2],
    },
    Results(Results),
}

/// Results by index, three to a byte, so that tables with five pieces fit into memory.
pub struct Results {
    slice_cells: usize,
    /// The bytes of each slice, with White to move and with Black to move.
    slices: Vec<[Vec<u8>; 2]>,
    /// For each side to move, if only some cells are kept.
    kept: Option<[KeptCells; 2]>,
    /// The statistics, if they were counted while solving. The results alone do not tell the
    /// longest distances to zeroing.
    pub statistics: Option<Box<Statistics>>,
}

/// The cells of each pair of kings that are kept: see [`Results::keep`].
struct KeptCells {
    /// For each cell of a pair its index among those that are kept, or [`NOT_KEPT`].
    indices: Vec<u32>,
    count: usize,
}

const NOT_KEPT: u32 = u32::MAX;

/// The units of a byte's three digits. A digit is the index of a result in [`RESULTS`], or
/// [`INVALID`].
const UNITS: [u8; 3] = [1, 6, 36];
const RESULTS: [TableResult; 5] = [
    TableResult::Loss,
    TableResult::BlessedLoss,
    TableResult::Draw,
    TableResult::CursedWin,
    TableResult::Win,
];
const INVALID: u8 = RESULTS.len() as u8;
const ALL_INVALID: u8 = (UNITS[0] + UNITS[1] + UNITS[2]) * INVALID;

/// Divides by constants: dividing by `UNITS[index]` is slower.
#[inline]
const fn digit(byte: u8, index: usize) -> u8 {
    match index {
        0 => byte % UNITS[1],
        1 => byte / UNITS[1] % UNITS[1],
        _ => byte / UNITS[2],
    }
}

/// Puts the result of a cell that has none yet.
#[inline]
fn put(bytes: &mut [u8], cell: usize, result: TableResult) {
    let byte = &mut bytes[cell / UNITS.len()];
    debug_assert_eq!(digit(*byte, cell % UNITS.len()), INVALID);
    *byte -= UNITS[cell % UNITS.len()] * (INVALID - result as u8);
}

impl Results {
    /// Without slices.
    pub fn new(slice_cells: usize) -> Results {
        Results { slice_cells, slices: Vec::new(), kept: None, statistics: None }
    }

    /// Adds a slice of invalid positions.
    pub fn add_slice(&mut self) {
        let invalid = vec![ALL_INVALID; self.slice_cells.div_ceil(UNITS.len())];
        self.slices.push([invalid.clone(), invalid]);
    }

    /// Adds the slices of another part of the table, which follows this one.
    pub fn append(&mut self, more: Results) {
        self.slices.extend(more.slices);
        if let Some(more) = &more.statistics {
            self.statistics.get_or_insert_default().add(more);
        }
    }

    /// Keeps only the needed cells of each pair of kings.
    fn keep(
        mut self,
        pairs: usize,
        pair_stride: usize,
        is_needed: impl Fn(Color, usize) -> bool,
    ) -> Results {
        let kept = Color::ALL.map(|side| {
            let needed: Vec<usize> = (0..pair_stride).filter(|&it| is_needed(side, it)).collect();
            let count = needed.len();
            for slice in 0..self.slices.len() {
                let mut bytes = vec![ALL_INVALID; (pairs * count).div_ceil(UNITS.len())];
                for pair in 0..pairs {
                    for (at, cell) in needed.iter().enumerate() {
                        let result = self.get(side, slice, pair * pair_stride + cell);
                        result.into_iter().for_each(|it| put(&mut bytes, pair * count + at, it));
                    }
                }
                self.slices[slice][side.index()] = bytes;
            }
            let mut indices = vec![NOT_KEPT; pair_stride];
            needed.iter().enumerate().for_each(|(at, &cell)| indices[cell] = at as u32);
            KeptCells { indices, count }
        });
        Results { kept: Some(kept), ..self }
    }

    /// The result of a cell, which must be one of those kept; none if it is invalid.
    #[inline]
    fn get(&self, side: Color, slice: usize, mut cell: usize) -> Option<TableResult> {
        if let Some(kept) = &self.kept {
            let KeptCells { indices, count } = &kept[side.index()];
            let index = indices[cell % indices.len()];
            debug_assert!(index != NOT_KEPT, "no parent needs it");
            cell = cell / indices.len() * count + index as usize;
        }
        let byte = self.slices[slice][side.index()][cell / UNITS.len()];
        RESULTS.get(usize::from(digit(byte, cell % UNITS.len()))).copied()
    }

    /// Puts the result of a cell that has none yet.
    #[inline]
    pub fn put(&mut self, side: Color, index: usize, result: TableResult) {
        let (slice, cell) = (index / self.slice_cells, index % self.slice_cells);
        put(&mut self.slices[slice][side.index()], cell, result);
    }
}

impl<G: ChessBoardGame> SolvedTable<G> {
    #[inline]
    pub fn entry(&self, side: Color, index: usize) -> Entry {
        let cells = self.layout.slice_cells();
        self.entry_in(side, index / cells, index % cells)
    }

    #[inline]
    fn entry_in(&self, side: Color, slice: usize, cell: usize) -> Entry {
        match &self.values {
            Values::Distances { dtm, dtz } => {
                let index = slice * self.layout.slice_cells() + cell;
                Entry { dtm: dtm[side.index()][index], dtz: dtz[side.index()][index] }
            }
            // While solving, the distance to zeroing matters only after a zeroing move.
            Values::Results(results) => match results.get(side, slice, cell) {
                Some(result) => Entry::of_result(result, 1, DRAWING_PLIES + 1),
                None => Entry { dtm: Cell::INVALID, dtz: Cell::INVALID },
            },
        }
    }

    /// A table in which nothing is put yet.
    pub fn invalid(layout: Layout<G>, form: TableForm) -> SolvedTable<G> {
        let sides = || [(); 2].map(|()| vec![Cell::INVALID; layout.cells()]);
        let values = match form {
            TableForm::Distances => Values::Distances { dtm: sides(), dtz: sides() },
            TableForm::Wdl => {
                let mut results = Results::new(layout.slice_cells());
                (0..layout.slices.count()).for_each(|_| results.add_slice());
                Values::Results(results)
            }
        };
        SolvedTable { layout, values }
    }

    pub fn put(&mut self, side: Color, index: usize, entry: Entry) {
        match &mut self.values {
            Values::Distances { dtm, dtz } => {
                dtm[side.index()][index] = entry.dtm;
                dtz[side.index()][index] = entry.dtz;
            }
            Values::Results(results) => {
                entry.result().into_iter().for_each(|it| results.put(side, index, it));
            }
        }
    }

    pub fn find(&self, placement: &Placement<G>, side: Color) -> Option<Entry> {
        Some(self.entry(side, self.layout.index(placement)?))
    }

    /// Keeps only what promotions to these pieces lead to, if there are only results: positions
    /// with one of them on the last rank or, with the kings folded, on any edge, and the other side
    /// to move.
    #[must_use]
    pub fn keep_promotions(self, promotions: &[(Color, G::Kind)]) -> SolvedTable<G> {
        let SolvedTable { layout, values } = self;
        let values = match values {
            Values::Results(results) => {
                let is_needed = |side: Color, cell| layout.is_promotion(cell, !side, promotions);
                Values::Results(results.keep(layout.kings.count(), layout.pair_stride, is_needed))
            }
            distances => distances,
        };
        SolvedTable { layout, values }
    }

    /// The statistics, on all threads of the current rayon pool.
    pub fn statistics(&self) -> Statistics {
        const GRAIN: usize = 1 << 20;
        if let Values::Results(Results { statistics: Some(counted), .. }) = &self.values {
            return **counted;
        }
        let parts = parallel::map_ranges(self.layout.cells(), GRAIN, &|cells| {
            self.layout.statistics_of(cells, &|side, index| self.entry(side, index))
        });
        let mut statistics = Statistics::default();
        parts.iter().for_each(|part| statistics.add(part));
        if matches!(self.values, Values::Results(_)) {
            statistics.forget_distances_to_mate();
        }
        statistics
    }
}

impl<G: ChessBoardGame> Layout<G> {
    /// Whether a cell of a pair of kings may follow this side's promotion to one of these pieces.
    fn is_promotion(&self, cell: usize, side: Color, promotions: &[(Color, G::Kind)]) -> bool {
        let mut pieces = self.pieces.iter().zip(&self.strides).filter(|(it, _)| it.0 == side);
        pieces.any(|(piece, &stride)| {
            let point = G::Square::from_index(cell / stride % G::Square::COUNT);
            promotions.contains(piece) && point.is_some_and(|it| self.is_after_promotion(side, it))
        })
    }

    /// Whether a piece may stand here after a promotion: on the last rank, or an image of it.
    pub fn is_after_promotion(&self, color: Color, point: G::Square) -> bool {
        if self.material.has_pawns() {
            return point.rank() == last_rank::<G::Square>(color);
        }
        point.rank() % (G::Square::RANKS - 1) == 0 || point.file() % (G::Square::FILES - 1) == 0
    }

    /// The statistics of some positions.
    pub fn statistics_of(
        &self,
        cells: Range<usize>,
        entry: &dyn Fn(Color, usize) -> Entry,
    ) -> Statistics {
        let mut statistics = Statistics::default();
        for index in cells {
            let entries = Color::ALL.map(|side| entry(side, index));
            if entries.iter().all(|entry| entry.dtm.is_invalid()) || !self.is_canonical(index) {
                continue;
            }
            let (number, weight) = (|| index as u64, self.weight(index));
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

/// A table that is being solved, with those that its captures and promotions lead to.
#[derive(Clone, Copy)]
pub struct KnownTables<'a, G: ChessBoardGame> {
    pub table: &'a SolvedTable<G>,
    pub children: &'a SolvedTables<G>,
}

impl<'a, G: ChessBoardGame> KnownTables<'a, G> {
    pub fn table(self, material: Material<G::Kind>) -> Option<&'a SolvedTable<G>> {
        if material == self.table.layout.material {
            Some(self.table)
        } else {
            self.children.get(&material).map(Arc::as_ref)
        }
    }

    pub fn look_up(self, placement: &Placement<G>, side: Color) -> Entry {
        look_up(placement, side, |material| self.table(material))
    }

    /// The entry of a placement after a double step, which may be captured en passant.
    pub fn after_double_step(
        self,
        placement: &Placement<G>,
        side: Color,
        double_step: EnPassant<G::Square>,
    ) -> Entry {
        let known = self.look_up(placement, side);
        let mut captures: Option<Entry> = None;
        placement.en_passant(side, double_step, &mut |child| {
            captures = Entry::best(captures, self.look_up(&child, !side).before(true));
        });
        match captures {
            None => known,
            Some(captures) if placement.has_moves(side) => known.better(captures),
            Some(captures) => captures,
        }
    }

    /// Adds one piece to a placement on each of these points and visits the entries with this side
    /// to move, except where it could capture the king.
    #[inline]
    pub fn look_up_line(
        self,
        placement: &Placement<G>,
        added: (Color, G::Kind),
        side: Color,
        points: impl Iterator<Item = G::Square>,
        mut visit: impl FnMut(G::Square, Entry),
    ) {
        let (color, kind) = added;
        let material = placement.material().with(color, kind);
        let is_flipped = !material.is_canonical();
        let found = if is_flipped {
            let table = self.table(material.flipped());
            table.map(|table| {
                (table, table.layout.line(&placement.flipped(), (!color, kind)), !side)
            })
        } else {
            self.table(material).map(|table| (table, table.layout.line(placement, added), side))
        };
        let Some((table, Some(line), side)) = found else { return };
        let symmetries = Symmetries::<G>::get();
        for point in points {
            let seen = if is_flipped { G::Geometry::flipped(point) } else { point };
            let entry = table.entry_in(side, line.slice, line.cell(symmetries, seen));
            if !entry.dtm.is_invalid() {
                visit(point, entry);
            }
        }
    }
}

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

/// The value of the best capture, if there is one. `entry` looks up a placement after it.
pub fn best_capture<G: ChessBoardGame>(
    placement: &Placement<G>,
    side: Color,
    entry: &impl Fn(&Placement<G>, Color) -> Entry,
) -> Option<Entry> {
    let mut best: Option<Entry> = None;
    placement.zeroing_moves(side, &mut |child, _| {
        if child.pieces.len() < placement.pieces.len() {
            best = Entry::best(best, entry(&child, !side).before(true));
        }
    });
    best
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
                // If the identity maps the image to its slice, the image is the slice's own
                // arrangement: this symmetry keeps it.
                self.slices.find(&image.collect()).1 == IDENTITY
            });
        }
        let [white, black] = self.kings.kings(index % self.slice_cells() / self.pair_stride);
        images(G::SYMMETRIES, &|symmetry| {
            symmetries.image(symmetry, white) == white && symmetries.image(symmetry, black) == black
        })
    }
}

/// Solves a table slice by slice, on all threads of the current rayon pool. `solve` gets the slices
/// that a pawn move leads to, and the number of the slice. None if it returns none.
pub fn solve_slices<G: ChessBoardGame>(
    layout: Layout<G>,
    form: TableForm,
    solve: &(dyn Fn(&SolvedTable<G>, usize) -> Option<Values> + Sync),
) -> Option<SolvedTable<G>> {
    let values = match form {
        TableForm::Distances => {
            Values::Distances { dtm: Default::default(), dtz: Default::default() }
        }
        TableForm::Wdl => Values::Results(Results::new(layout.slice_cells())),
    };
    let mut table = SolvedTable { layout, values };
    let mut next = 0;
    while next < table.layout.slices.count() {
        // Slices that a pawn move leads to are all solved: see `PawnSlices`.
        let group = table.layout.slices.equally_advanced(next);
        let solved = parallel::map(group.len(), &|at| solve(&table, group.start + at));
        for slice in solved {
            match (&mut table.values, slice?) {
                (Values::Results(all), Values::Results(slice)) => all.append(slice),
                (
                    Values::Distances { dtm: all_dtm, dtz: all_dtz },
                    Values::Distances { dtm, dtz },
                ) => {
                    let slices = dtm.into_iter().chain(dtz);
                    for (all, mut slice) in all_dtm.iter_mut().chain(all_dtz).zip(slices) {
                        // Avoids a copy if there is only one slice.
                        if all.is_empty() {
                            *all = slice;
                        } else {
                            all.append(&mut slice);
                        }
                    }
                }
                _ => return None,
            }
        }
        next = group.end;
    }
    Some(table)
}

/// Gets the number of cells processed; returns whether to continue.
pub type Progress<'a> = &'a (dyn Fn(usize) -> bool + Sync);

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
    /// The most pieces, kings included, of a table that can be solved.
    const MAX_SOLVED_PIECES: usize;
    /// Bytes of memory for each cell of a slice that is being solved.
    const WORKING_BYTES: u64;

    /// Solves a table in the fastest way for the game. `children` holds the tables that
    /// [`Material::children`] lists, in the same form.
    fn solve(
        material: Material<Self::Kind>,
        form: TableForm,
        children: &SolvedTables<Self>,
        progress: Progress<'_>,
    ) -> Option<SolvedTable<Self>>;
}
