//! Writes a solved table as the bytes of a file.

use std::io;

use super::block::dtm_number;
use super::generator::SolvedTable;
use super::header::{Extent, Header};
use super::order::Order;
use crate::chesquerque::Color;

/// What the table teaches, and both measures of each block, packed.
pub(super) type PackedTable = (Vec<u8>, Vec<[Vec<u8>; 2]>);

/// The greatest number that fits 8 bits.
const NARROW: u16 = 255;

impl SolvedTable {
    /// The bytes of a file with this table.
    ///
    /// # Errors
    /// When the compressor fails.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let order = Order::of(&self.layout);
        let (side, is_wide, (evidence, packed)) = match &order {
            Order::Grids(grids) => {
                let is_wide = self.is_wide(&Color::ALL);
                let (side, packed) = self.pack_grids(grids, is_wide)?;
                (side, is_wide, packed)
            }
            Order::Frames(frames) => {
                let is_wide = self.is_wide(&[Color::White]);
                (Color::White, is_wide, self.pack_frames(frames, is_wide)?)
            }
        };
        let header = Header {
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

    /// Whether either measure takes 16 bits with one of these sides to move.
    fn is_wide(&self, sides: &[Color]) -> [bool; 2] {
        [&self.dtm, &self.dtz].map(|cells| {
            let all = sides.iter().flat_map(|side| &cells[side.index()]);
            let known = all.filter(|cell| !cell.is_broken());
            known.map(|&cell| dtm_number(cell)).max().unwrap_or_default() > NARROW
        })
    }
}
