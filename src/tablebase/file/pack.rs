//! Writes a solved table as the bytes of a file.

use std::io;

use super::header::{Extent, Header};
use super::order::Order;
use crate::packing::block::{dtm_number, pack_evidence, pack_grid, unpack_evidence};
use crate::packing::evidence::Evidence;
use crate::packing::framing::{Framing, PackedFrame};
use crate::packing::grid::Grid;
use crate::packing::grids::Grids;
use crate::packing::mate_coder::KnownGrid;
use crate::packing::planes::Planes;
use crate::solving::generator::SolvedTable;
use crate::table_game::TableGame;
use qirkat_game::Color;

/// Every so many grids are tried to see which side to move packs better.
const SAMPLE: usize = 23;
/// One of so many grids teaches.
const LESSON: usize = 5;
/// The greatest number that fits 8 bits.
const NARROW: u16 = 255;

/// Bytes of a table that may be too small to teach anything.
const SMALL: usize = 50_000;

impl<G: TableGame> SolvedTable<G> {
    /// The bytes of a file with this table.
    ///
    /// # Errors
    /// When the compressor fails.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let frames = G::Frames::of(&self.layout);
        let is_settled = frames.is_some()
            || self.layout.material.has_pawns()
            || self.layout.material.is_symmetric();
        let side = if is_settled { Color::White } else { self.side_to_keep() };
        let order =
            frames.map_or_else(|| Order::Grids(Grids::of(&self.layout, side)), Order::Frames);
        let is_wide = [&self.dtm, &self.dtz].map(|cells| {
            let known = cells[side.index()].iter().filter(|cell| !cell.is_broken());
            known.map(|&cell| dtm_number(cell)).max().unwrap_or_default() > NARROW
        });
        let (evidence, packed) = match &order {
            Order::Grids(grids) => self.pack_grids(grids, side)?,
            Order::Frames(frames) => frames.pack(self, is_wide)?,
        };
        let header: Header<G> = Header {
            material: self.layout.material,
            side,
            is_wide,
            statistics: self.statistics(),
            block_cells: order.block_cells() as u32,
            evidence: Extent::of(&evidence),
            blocks: packed.iter().map(|pair| pair.each_ref().map(|it| Extent::of(it))).collect(),
        };
        if packed.iter().flatten().any(|packed| packed.len() > usize::from(u16::MAX)) {
            return Err(io::Error::other("a block is too large"));
        }
        let mut bytes = header.to_bytes();
        bytes.extend(evidence);
        packed.iter().flatten().for_each(|packed| bytes.extend_from_slice(packed));
        Ok(bytes)
    }

    /// The side to move whose distances take less room, by a sample.
    fn side_to_keep(&self) -> Color {
        let [white, black] = Color::ALL.map(|side| {
            let grids = Grids::of(&self.layout, side);
            let mut evidence = [Evidence::new(), Evidence::new()];
            let sample = (0..grids.count(&self.layout)).step_by(SAMPLE);
            let packed = sample.map(|number| self.pack_number(&grids, side, number, &mut evidence));
            packed.flatten().map(|packed| packed.len()).sum::<usize>()
        });
        if black < white { Color::Black } else { Color::White }
    }

    /// What the table teaches and both measures of each grid, packed. Small tables teach
    /// nothing that would be worth its room.
    fn pack_grids(&self, grids: &Grids<G>, side: Color) -> io::Result<(Vec<u8>, Vec<PackedFrame>)> {
        let count = grids.count(&self.layout);
        let mut evidence = [Evidence::new(), Evidence::new()];
        for number in (0..count).step_by(LESSON) {
            self.pack_number(grids, side, number, &mut evidence);
        }
        let taught = self.pack_with(grids, side, pack_evidence(&evidence)?)?;
        if size(&taught) > SMALL {
            return Ok(taught);
        }
        let untaught = self.pack_with(grids, side, Vec::new())?;
        Ok(if size(&untaught) < size(&taught) { untaught } else { taught })
    }

    fn pack_with(
        &self,
        grids: &Grids<G>,
        side: Color,
        packed_evidence: Vec<u8>,
    ) -> io::Result<(Vec<u8>, Vec<PackedFrame>)> {
        let evidence = unpack_evidence(&packed_evidence)?;
        let packed = (0..grids.count(&self.layout))
            .map(|number| self.pack_number(grids, side, number, &mut evidence.clone()))
            .collect();
        Ok((packed_evidence, packed))
    }

    fn pack_number(
        &self,
        grids: &Grids<G>,
        side: Color,
        number: usize,
        evidence: &mut [Evidence; 2],
    ) -> PackedFrame {
        let Some(grid) = grids.grid(&self.layout, number) else { return PackedFrame::default() };
        let entries = self.entries(grids, &grid, side);
        let stepped = grids.after_pawn_steps(&self.layout, number).into_iter();
        let stepped: Vec<(Grid<G>, Planes)> = stepped
            .filter_map(|number| {
                let grid = grids.grid(&self.layout, number)?;
                let entries = self.entries(grids, &grid, side);
                Some((grid, Planes::of(entries.into_iter().map(|it| it[0]), true)))
            })
            .collect();
        let stepped: Vec<KnownGrid<G>> =
            stepped.iter().map(|(grid, mates)| KnownGrid { grid, mates }).collect();
        pack_grid(&grid, &stepped, evidence, |cell| entries[cell][0], |cell| entries[cell][1])
    }

    /// The numbers for the distances to mate and to zeroing of each cell.
    fn entries(&self, grids: &Grids<G>, grid: &Grid<G>, side: Color) -> Vec<[u16; 2]> {
        let index = |cell| {
            let asked = grid.is_asked(cell).then(|| grids.placement(grid, cell)).flatten();
            asked.and_then(|placement| self.layout.index(&placement))
        };
        (0..Grids::<G>::CELLS)
            .map(|cell| {
                let entry = index(cell).map(|index| self.entry(side, index));
                entry.map_or([0; 2], |it| [dtm_number(it.dtm), it.dtz.plies()])
            })
            .collect()
    }
}

fn size((evidence, packed): &(Vec<u8>, Vec<PackedFrame>)) -> usize {
    evidence.len() + packed.iter().flatten().map(Vec::len).sum::<usize>()
}
