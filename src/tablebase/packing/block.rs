//! Reads or writes a block of a table: the distances of a [`Grid`].
//!
//! Distances to mate are stored as numbers: zero for a draw, otherwise plies + 1. A win takes an
//! odd number of plies and a loss an even one, so the number includes the result. Cells that are
//! never looked up are zero. Distances to zeroing are coded given those to mate.
//!
//! A table of results has numbers for results: see [`result_number`].
//!
//! All are coded with an adaptive model and a range coder. The model trained on a sample of the
//! table's blocks is stored with it, compressed by LZMA (small tables may do without); each block
//! starts from it and keeps adapting.

use std::io::{self, Read};

use lzma_rust2::LzmaReader;

use super::cell_coder::{CellCoder, KnownDistances, Numbers, ROUND, SuccessorGrid};
use super::context_model::{self, ContextModel};
use super::distance_coders::{NumberCoder, ZeroingCoder};
use super::grids::{Grid, Grids};
use super::range_coder::RangeCoder;
use super::retrograde_coder::{Measure, RetrogradeCoder};
use crate::chess_game::ChessBoardGame;
use crate::value::{Cell, Entry, TableResult};

/// The size of the LZMA dictionary; the models fit into it.
pub const DICTIONARY_SIZE: u32 = 1 << 17;

pub const fn dtm_number(cell: Cell) -> u16 {
    if cell.is_open() { 0 } else { cell.plies() + 1 }
}

#[inline]
pub const fn dtm_cell(number: u16) -> Cell {
    match number {
        0 => Cell::DRAW,
        number if number % 2 == 0 => Cell::win(number - 1),
        number => Cell::loss(number - 1),
    }
}

/// An entry of a table of distances: `dtm` is a number, `dtz` plies.
#[inline]
pub fn entry(dtm: u16, dtz: u16) -> Entry {
    let dtm = dtm_cell(dtm);
    let dtz = match dtm {
        cell if cell.is_win() => Cell::win(dtz),
        cell if cell.is_loss() => Cell::loss(dtz),
        cell => cell,
    };
    Entry { dtm, dtz }
}

/// The number of a result: those of wins are even, those of losses odd, as for distances.
pub const fn result_number(result: TableResult) -> u16 {
    match result {
        TableResult::Draw => 0,
        TableResult::Loss => 1,
        TableResult::Win => 2,
        TableResult::BlessedLoss => 3,
        TableResult::CursedWin => 4,
    }
}

/// The result of a number. Damaged bytes may give any number.
#[inline]
pub const fn result_of(number: u16) -> TableResult {
    match number {
        0 => TableResult::Draw,
        1 => TableResult::Loss,
        2 => TableResult::Win,
        number if number % 2 == 1 => TableResult::BlessedLoss,
        _ => TableResult::CursedWin,
    }
}

/// Writes the results of a grid: one byte, a number plus one, if all cells accept that number;
/// otherwise the bytes of the coder, the first of which is zero.
pub fn pack_results<G: ChessBoardGame>(
    grid: &Grid<G>,
    model: &mut ContextModel,
    known: &KnownDistances<'_>,
) -> Vec<u8> {
    let stored = grid.stored_cells();
    let first = stored.clone().next().map_or(0, |cell| known.number(cell));
    let is_uniform = stored.clone().all(|cell| known.number(cell) == first);
    let uniform = is_uniform.then_some(first).or_else(|| {
        (0..=result_number(TableResult::CursedWin))
            .find(|&number| stored.clone().all(|cell| known.accepts(cell, number)))
    });
    if let Some(number) = uniform {
        return vec![number as u8 + 1];
    }
    let mut coder = RangeCoder::writing();
    NumberCoder { model, coder: &mut coder, known, round: 0 }.code_all(grid, &[]);
    coder.finish()
}

/// Reads the results of a grid as numbers.
pub fn unpack_results<G: ChessBoardGame>(
    grid: &Grid<G>,
    model: &ContextModel,
    packed: &[u8],
) -> Numbers {
    if let Some(&uniform) = packed.first().filter(|&&first| first > 0) {
        return Numbers::Uniform(uniform - 1);
    }
    let (model, coder) = (&mut model.clone(), &mut RangeCoder::reading(packed));
    let known = &KnownDistances::NONE;
    Numbers::of(NumberCoder { model, coder, known, round: 0 }.code_all(grid, &[]), false)
}

/// Reads or writes the distances to mate of a grid.
pub fn code_mates<G: ChessBoardGame>(
    grid: &Grid<G>,
    step_successors: &[SuccessorGrid<G>],
    model: &mut ContextModel,
    coder: &mut RangeCoder<'_>,
    known: &KnownDistances<'_>,
    is_wide: bool,
) -> Numbers {
    let numbers = if grid.is_retrograde {
        let number = |plies: u16| if plies > 0 { plies + 1 } else { 0 };
        let plies =
            RetrogradeCoder::new(grid, Measure::Mate, model, coder, known, is_wide).code_all();
        plies.into_iter().map(number).collect()
    } else {
        NumberCoder { model, coder, known, round: ROUND }.code_all(grid, step_successors)
    };
    Numbers::of(numbers, is_wide)
}

/// Reads or writes the distances to zeroing of a grid, given those to mate.
pub fn code_zeroings<G: ChessBoardGame>(
    grid: &Grid<G>,
    dtm: &Numbers,
    model: &mut ContextModel,
    coder: &mut RangeCoder<'_>,
    known: &KnownDistances<'_>,
    is_wide: bool,
) -> Numbers {
    let plies = if grid.is_retrograde {
        RetrogradeCoder::new(grid, Measure::Zeroing(dtm), model, coder, known, is_wide).code_all()
    } else {
        let mates = (0..Grids::<G>::CELLS).map(|cell| dtm.get(cell)).collect();
        ZeroingCoder { mates, model, coder, known }.code_all(grid, &[])
    };
    Numbers::of(plies, is_wide)
}

/// The models trained on a table: of distances to mate and to zeroing, or of results with White and
/// with Black to move; in Alquerque of distances without and with forbidden steps.
pub type Models = [ContextModel; 2];

pub fn new_models() -> Models {
    [ContextModel::new(), ContextModel::new()]
}

/// Unpacks models; without bytes, returns new ones.
pub fn unpack_models(packed: &[u8]) -> io::Result<Models> {
    if packed.is_empty() {
        return Ok(new_models());
    }
    let mut bytes = vec![0; 2 * context_model::SIZE];
    let mut reader = LzmaReader::new(packed, bytes.len() as u64, 0, 0, 0, DICTIONARY_SIZE, None)?;
    reader.read_exact(&mut bytes)?;
    let (first, second) = bytes.split_at(context_model::SIZE);
    Ok([ContextModel::from_bytes(first), ContextModel::from_bytes(second)])
}
