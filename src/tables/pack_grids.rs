//! Packs a table grid by grid: see [`neighbours`](super::neighbours).

use std::io;

use super::block::{GridBlock, Lessons, dtm_number, no_lessons, pack_lessons, unpack_lessons};
use super::generator::SolvedTable;
use super::grids::Grids;
use super::pack::PackedTable;
use super::pawn_file::PawnFile;
use crate::chesquerque::Color;

/// One of so many blocks teaches.
const LESSON: usize = 5;

impl SolvedTable {
    /// The side to move that is kept, what the table teaches and both measures of each block,
    /// packed.
    pub(super) fn pack_grids(
        &self,
        grids: &Grids,
        is_wide: [bool; 2],
    ) -> io::Result<(Color, PackedTable)> {
        let lone_king = self.layout.material.pieces() == 3;
        // Captures lead to tables of a lone king with the lone king to move.
        let sides = if lone_king { &Color::ALL[1..] } else { &Color::ALL };
        let is_file = PawnFile::is_for(&self.layout);
        let sides =
            if self.layout.material.is_symmetric() || is_file { &sides[..1] } else { sides };
        let lessons = sides.iter().map(|&side| (side, self.learn(grids, side, is_wide)));
        let Some((side, (_, evidence))) = lessons.min_by_key(|(_, (size, _))| *size) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let (packed_evidence, evidence) = if grids.blocks() == 1 {
            (Vec::new(), no_lessons())
        } else {
            let packed = pack_lessons(&evidence, &self.layout)?;
            let evidence = unpack_lessons(&packed, &self.layout)?;
            (packed, evidence)
        };
        let blocks = 0..grids.blocks();
        let packed = blocks
            .map(|block| self.pack_block(grids, side, block, &mut evidence.clone(), is_wide))
            .collect();
        Ok((side, (packed_evidence, packed)))
    }

    /// What a side to move teaches, and the bytes that it takes.
    fn learn(&self, grids: &Grids, side: Color, is_wide: [bool; 2]) -> (usize, Lessons) {
        let mut evidence = no_lessons();
        let lessons = (0..grids.blocks()).step_by(LESSON);
        let sizes = lessons.map(|block| {
            let packed = self.pack_block(grids, side, block, &mut evidence, is_wide);
            packed.iter().map(Vec::len).sum::<usize>()
        });
        (sizes.sum(), evidence)
    }

    fn pack_block(
        &self,
        grids: &Grids,
        side: Color,
        block: usize,
        evidence: &mut Lessons,
        is_wide: [bool; 2],
    ) -> [Vec<u8>; 2] {
        let [dtm, dtz] = [&self.dtm, &self.dtz].map(|cells| &cells[side.index()]);
        let block = GridBlock { layout: &self.layout, grids, block, side };
        let number = |index: usize| dtm.get(index).map_or(0, |&cell| dtm_number(cell));
        let plies = |index: usize| dtz.get(index).map_or(0, |cell| cell.plies());
        block.pack(evidence, number, plies, is_wide)
    }
}
