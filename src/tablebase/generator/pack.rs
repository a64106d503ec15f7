//! The file contents of a solved table: which side to move is stored, the models trained on the
//! table, and every block.

use std::io::{self, Write};
use std::sync::Arc;

use lzma_rust2::{EncodeMode, LzmaOptions, LzmaWriter, MfType};

use qirkat_game::Color;
use qirkat_rules::chess::{Geometry, Kind, Square, SquareSet};
use qirkat_system::parallel;

use super::solved_table::{KnownTables, SolvedTable, SolvedTables, Values, best_capture};
use crate::chess_game::{ChessBoardGame, points};
use crate::chess_index::Layout;
use crate::chess_material::Placement;
use crate::chess_tables::{material_bytes, sides_of};
use crate::header::{Extent, Header, TableForm, WDL_FLAG, WIDE_FLAGS};
use crate::packing::block::{
    DICTIONARY_SIZE, Models, code_mates, code_zeroings, dtm_number, new_models, pack_results,
    result_number, unpack_models,
};
use crate::packing::cell_coder::{KnownDistances, Numbers, SuccessorGrid};
use crate::packing::context_model::ContextModel;
use crate::packing::grids::{Grid, Grids};
use crate::packing::range_coder::RangeCoder;
use crate::value::Entry;

/// Every 23rd grid is packed to find which side to move packs better.
const SAMPLE_STRIDE: usize = 23;
/// Every fifth grid trains the models; of results, at most `MAX_TRAINING_GRIDS`.
const TRAINING_STRIDE: usize = 5;
const MAX_TRAINING_GRIDS: usize = 2000;
/// The largest number in one byte.
const MAX_NARROW: u16 = 255;
/// Packed bytes below which models may cost more than they save.
const SMALL_TABLE_BYTES: usize = 50_000;

type PackedGrid = [Vec<u8>; 2];

/// The file contents: a header with the models trained on the table, then all blocks. Small tables
/// have no models, which would cost more than they save.
pub fn file_with(
    mut header: Header,
    trained: &Models,
    pack_blocks: impl Fn(&Models) -> Vec<Vec<u8>>,
) -> io::Result<Vec<u8>> {
    let pack = |models: Vec<u8>| -> io::Result<(Vec<u8>, Vec<Vec<u8>>)> {
        let blocks = pack_blocks(&unpack_models(&models)?);
        Ok((models, blocks))
    };
    let size = |(models, blocks): &(Vec<u8>, Vec<Vec<u8>>)| {
        models.len() + blocks.iter().map(Vec::len).sum::<usize>()
    };
    let mut packed = pack(pack_models(trained)?)?;
    if size(&packed) <= SMALL_TABLE_BYTES {
        let untrained = pack(Vec::new())?;
        packed = if size(&untrained) < size(&packed) { untrained } else { packed };
    }
    let (models, blocks) = packed;
    header.models = Extent::of(&models);
    header.parts = blocks.iter().map(|packed| Extent::of(packed)).collect();
    let mut bytes = header.to_bytes()?;
    bytes.extend(models);
    blocks.iter().for_each(|packed| bytes.extend_from_slice(packed));
    Ok(bytes)
}

impl<G: ChessBoardGame> SolvedTable<G> {
    /// The file contents of this table, made on all threads of the current rayon pool. `children` are
    /// the tables that its captures lead to.
    ///
    /// # Errors
    /// If the compressor fails.
    pub fn to_bytes(&self, children: &SolvedTables<G>) -> io::Result<Vec<u8>> {
        match self.values {
            Values::Distances { .. } => self.distances_to_bytes(),
            Values::Results(_) => self.results_to_bytes(children),
        }
    }

    fn results_to_bytes(&self, children: &SolvedTables<G>) -> io::Result<Vec<u8>> {
        let sides = sides_of::<G>(self.layout.material, Color::White, TableForm::Wdl);
        let packers = sides.iter().zip(Color::ALL).map(|((layout, grids), side)| ResultPacker {
            known: KnownTables { table: self, children },
            layout,
            grids,
            side,
        });
        let packers: Vec<ResultPacker<'_, G>> = packers.collect();
        let mut trained = new_models();
        parallel::for_each_mut(&mut trained[..packers.len()], 1, &|side, model| {
            let packer = &packers[side];
            let stride = packer.count().div_ceil(MAX_TRAINING_GRIDS).max(TRAINING_STRIDE);
            (0..packer.count()).step_by(stride).for_each(|number| {
                packer.pack_grid(number, model);
            });
        });
        file_with(self.header(Color::White, WDL_FLAG), &trained, |models| {
            let sides = packers.iter().zip(models).map(|(packer, model)| {
                parallel::map(packer.count(), &|number| {
                    packer.pack_grid(number, &mut model.clone())
                })
            });
            sides.flatten().collect()
        })
    }

    fn distances_to_bytes(&self) -> io::Result<Vec<u8>> {
        let packer = self.smaller_packer();
        let flags =
            WIDE_FLAGS.into_iter().zip(packer.is_wide).filter(|it| it.1).map(|it| it.0).sum();
        let grids = packer.grids.count(&self.layout);
        let mut trained = new_models();
        for number in (0..grids).step_by(TRAINING_STRIDE) {
            packer.pack_grid(number, &mut trained);
        }
        file_with(self.header(packer.side, flags), &trained, |models| {
            let packed =
                parallel::map(grids, &|number| packer.pack_grid(number, &mut models.clone()));
            packed.into_iter().flatten().collect()
        })
    }

    fn header(&self, side: Color, flags: u8) -> Header {
        let material = material_bytes::<G>(self.layout.material, side, flags);
        Header::new(G::VARIANT, material, self.statistics(), Grids::<G>::CELLS, Vec::new())
    }

    /// The packer for the side to move whose distances take less space in a sample.
    fn smaller_packer(&self) -> DistancePacker<'_, G> {
        let [white, black] = Color::ALL.map(|side| DistancePacker::new(self, side));
        let is_settled =
            self.layout.material.is_symmetric() || !Grids::can_store(&self.layout, Color::Black);
        if is_settled || white.sample_size() <= black.sample_size() { white } else { black }
    }
}

struct DistancePacker<'a, G: ChessBoardGame> {
    table: &'a SolvedTable<G>,
    side: Color,
    grids: Grids<G>,
    is_wide: [bool; 2],
}

impl<'a, G: ChessBoardGame> DistancePacker<'a, G> {
    fn new(table: &'a SolvedTable<G>, side: Color) -> DistancePacker<'a, G> {
        let is_wide = match &table.values {
            Values::Distances { dtm, dtz } => [dtm, dtz].map(|cells| {
                let known = cells[side.index()].iter().filter(|cell| !cell.is_invalid());
                known.map(|&cell| dtm_number(cell)).max().unwrap_or_default() > MAX_NARROW
            }),
            Values::Results(_) => [false; 2],
        };
        let grids = Grids::of(&table.layout, side, TableForm::Distances);
        DistancePacker { table, side, grids, is_wide }
    }

    fn sample_size(&self) -> usize {
        let mut models = new_models();
        let numbers = (0..self.grids.count(&self.table.layout)).step_by(SAMPLE_STRIDE);
        let packed = numbers.flat_map(|number| self.pack_grid(number, &mut models));
        packed.map(|packed| packed.len()).sum()
    }

    /// Packs both distances of a grid, training the models.
    fn pack_grid(&self, number: usize, models: &mut Models) -> PackedGrid {
        let layout = &self.table.layout;
        let Some(grid) = self.grids.grid(layout, number) else { return PackedGrid::default() };
        let step_successors =
            self.grids.after_pawn_steps(layout, number).into_iter().filter_map(|number| {
                let grid = self.grids.grid(layout, number)?;
                let [mates, _] = self.distances(&grid);
                Some((grid, Arc::new(Numbers::of(mates.numbers, true))))
            });
        let step_successors: Vec<SuccessorGrid<G>> = step_successors.collect();
        let [mates, zeroings] = &self.distances(&grid);
        let [of_mates, of_zeroings] = models;
        let mut coders = [RangeCoder::writing(), RangeCoder::writing()];
        let [mate, zeroing] = &mut coders;
        let dtm = code_mates(&grid, &step_successors, of_mates, mate, mates, self.is_wide[0]);
        code_zeroings(&grid, &dtm, of_zeroings, zeroing, zeroings, self.is_wide[1]);
        coders.map(RangeCoder::finish)
    }

    fn distances(&self, grid: &Grid<G>) -> [KnownDistances<'static>; 2] {
        let table = self.table;
        let index = |cell| {
            let placement = grid.placement(cell, self.side)?;
            table.layout.index(&placement)
        };
        let mut both = [(); 2].map(|()| KnownDistances {
            numbers: vec![0; Grids::<G>::CELLS],
            losses: vec![None; if grid.is_retrograde { Grids::<G>::CELLS } else { 0 }],
            ..KnownDistances::NONE
        });
        for (attacker, king) in
            points::<G>().flat_map(|it| points::<G>().map(move |king| (it, king)))
        {
            let cell = grid.cell(attacker, king);
            let is_stored = grid.stored(attacker.index()).contains(king);
            let needs_loss = grid.is_retrograde
                && !grid.occupied.contains(attacker)
                && grid.can_stand(attacker, king);
            if !is_stored && !needs_loss {
                continue;
            }
            let Some(index) = index(cell) else { continue };
            if is_stored {
                let entry = table.entry(self.side, index);
                both[0].numbers[cell] = dtm_number(entry.dtm);
                both[1].numbers[cell] = entry.dtz.plies();
            }
            if needs_loss {
                let entry = table.entry(!self.side, index);
                for (distances, loss) in both.iter_mut().zip([entry.dtm, entry.dtz]) {
                    distances.losses[cell] = loss.is_loss().then_some(loss.plies());
                }
            }
        }
        both
    }
}

/// Packs the results with one side to move, as White's.
struct ResultPacker<'a, G: ChessBoardGame> {
    known: KnownTables<'a, G>,
    layout: &'a Layout<G>,
    grids: &'a Grids<G>,
    side: Color,
}

impl<G: ChessBoardGame> ResultPacker<'_, G> {
    fn count(&self) -> usize {
        self.grids.count(self.layout)
    }

    fn pack_grid(&self, number: usize, model: &mut ContextModel) -> Vec<u8> {
        let Some(grid) = self.grids.grid(self.layout, number) else { return Vec::new() };
        let mut numbers = vec![0; Grids::<G>::CELLS];
        points::<G>().for_each(|king| self.find_row(&grid, king, &mut numbers));
        let best_capture = |cell| {
            let look_up = |child: &Placement<G>, side| self.known.look_up(child, side);
            let best = best_capture(&grid.placement(cell, self.side)?, self.side, &look_up)?;
            best.result().map(result_number)
        };
        let best_capture = &best_capture;
        let known = KnownDistances { numbers, best_capture, ..KnownDistances::NONE };
        pack_results(&grid, model, &known)
    }

    /// The numbers of the cells with Black's king on this point.
    fn find_row(&self, grid: &Grid<G>, king: G::Square, numbers: &mut [u16]) {
        let mut put = |attacker, entry: Entry| {
            numbers[grid.cell(attacker, king)] = entry.result().map_or(0, result_number);
        };
        let row = grid.attackers(king);
        let Some(first) = row.clone().next() else { return };
        let Some(mut fixed) = grid.placement(grid.cell(first, king), self.side) else { return };
        let seen =
            |point| if self.side == Color::White { point } else { G::Geometry::flipped(point) };
        if grid.attacker == G::Kind::KING {
            let table = self.known.table;
            let index = table.layout.by_king(&fixed, self.side);
            for attacker in row {
                let found = index(seen(attacker)).map(|it| table.entry(self.side, it));
                found.into_iter().for_each(|it| put(attacker, it));
            }
            return;
        }
        // After the kings.
        let attacker = fixed.pieces.remove(2);
        let added = (attacker.color, attacker.kind);
        self.known.look_up_line(&fixed, added, self.side, row.map(seen), |point, entry| {
            put(seen(point), entry);
        });
    }
}

fn pack_models(models: &Models) -> io::Result<Vec<u8>> {
    let options = LzmaOptions {
        dict_size: DICTIONARY_SIZE,
        lc: 0,
        lp: 0,
        pb: 0,
        mode: EncodeMode::Normal,
        nice_len: 64,
        mf: MfType::Bt4,
        depth_limit: 16,
        preset_dict: None,
    };
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false)?;
    writer.write_all(&models.each_ref().map(ContextModel::to_bytes).concat())?;
    writer.finish()
}
