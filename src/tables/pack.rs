//! Writes a solved table as the bytes of a file.

use std::io;

use super::block::{BLOCK, dtm_number, pack_dtm, pack_dtz};
use super::framing::Framing;
use super::generator::SolvedTable;
use super::header::{Extent, Header};
use super::order::Order;
use super::table_game::TableGame;
use crate::game::Color;

/// Every so many blocks are tried to see which side to move packs better.
const SAMPLE: usize = 8;
/// The greatest number that fits 8 bits.
const NARROW: u16 = 255;

impl<G: TableGame> SolvedTable<G> {
    /// The bytes of a file with this table.
    ///
    /// # Errors
    /// When the compressor fails.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let order = Order::of(&self.layout);
        let side = match order {
            Order::Rows => self.side_to_keep()?,
            Order::Frames(_) => Color::White,
        };
        let is_wide = [&self.dtm, &self.dtz].map(|cells| {
            let known = cells[side.index()].iter().filter(|cell| !cell.is_broken());
            known.map(|&cell| dtm_number(cell)).max().unwrap_or_default() > NARROW
        });
        let (evidence, packed) = match &order {
            Order::Rows => (Vec::new(), self.pack_rows(side, is_wide)?),
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
        let mut bytes = header.to_bytes();
        bytes.extend(evidence);
        packed.iter().flatten().for_each(|packed| bytes.extend_from_slice(packed));
        Ok(bytes)
    }

    fn pack_rows(&self, side: Color, is_wide: [bool; 2]) -> io::Result<Vec<[Vec<u8>; 2]>> {
        let blocks = 0..self.layout.cells().div_ceil(BLOCK);
        blocks.map(|block| self.pack_block(side, block, is_wide)).collect()
    }

    /// The side to move whose distances to mate take less room, by a sample.
    fn side_to_keep(&self) -> io::Result<Color> {
        if self.layout.material.is_symmetric() {
            return Ok(Color::White);
        }
        let mut sizes = [0; 2];
        for block in (0..self.layout.cells().div_ceil(BLOCK)).step_by(SAMPLE) {
            for side in Color::ALL {
                let numbers = self.asked(side, block, |table, side, index| {
                    dtm_number(table.dtm[side.index()][index])
                });
                sizes[side.index()] += pack_dtm(&numbers, true)?.0.len();
            }
        }
        Ok(if sizes[1] < sizes[0] { Color::Black } else { Color::White })
    }

    fn pack_block(
        &self,
        side: Color,
        block: usize,
        is_wide: [bool; 2],
    ) -> io::Result<[Vec<u8>; 2]> {
        let dtm = self
            .asked(side, block, |table, side, index| dtm_number(table.dtm[side.index()][index]));
        let dtz =
            self.asked(side, block, |table, side, index| table.dtz[side.index()][index].plies());
        let (packed, planes) = pack_dtm(&dtm, is_wide[0])?;
        Ok([packed, pack_dtz(&dtz, &planes, is_wide[1])])
    }

    /// The numbers of the cells that are asked for: those that are positions, each by the
    /// one index that it is looked up by.
    fn asked(
        &self,
        side: Color,
        block: usize,
        number: impl Fn(&SolvedTable<G>, Color, usize) -> u16,
    ) -> Vec<Option<u16>> {
        let first = block * BLOCK;
        let last = (first + BLOCK).min(self.layout.cells());
        let is_asked = |index: usize| {
            !self.dtm[side.index()][index].is_broken() && self.layout.is_asked(index)
        };
        (first..last).map(|index| is_asked(index).then(|| number(self, side, index))).collect()
    }
}
