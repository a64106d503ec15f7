//! A block of a table, packed.
//!
//! Distances to mate are numbers: zero for a draw, otherwise plies and one more; a win takes
//! an odd number of plies and a loss an even one, so nothing else needs to be said. Cells
//! that nobody asks for are zero. Distances to zeroing go beside them, and are told with
//! those to mate known.
//!
//! A block is a [`Frame`] or a few [`grids`](super::grids). Either is written as what
//! surprises a model, by a range coder; what the models learn of the whole table is kept
//! with it, compressed by LZMA.

use std::io::{self, Read};

use lzma_rust2::LzmaReader;

use super::cell::{Cell, Entry};
use super::evidence::{self, Evidence};
use super::frames::Frame;
use super::grids::Grids;
use super::ladder::{Ladder, Measure, Nowhere, Truth, Unknown};
use super::layout::Layout;
use super::neighbours::Neighbours;
use super::outlook::Lookout;
use super::pawn_file::PawnFile;
use super::planes::Planes;
use super::range_coder::{BinaryCoder, RangeDecoder};
use crate::chesquerque::Color;

/// LZMA sees as far back as there is evidence.
const DICTIONARY: u32 = 1 << 17;

/// The number for a distance to mate.
pub(super) const fn dtm_number(cell: Cell) -> u16 {
    if cell.is_open() { 0 } else { cell.plies() + 1 }
}

/// What a number for a distance to mate says.
#[inline]
pub(super) const fn dtm_cell(number: u16) -> Cell {
    match number {
        0 => Cell::DRAW,
        number if number % 2 == 0 => Cell::win(number - 1),
        number => Cell::loss(number - 1),
    }
}

/// What both numbers of a cell say.
#[inline]
pub(super) fn entry(dtm: u16, dtz: u16) -> Entry {
    let dtm = dtm_cell(dtm);
    let dtz = match dtm {
        cell if cell.is_win() => Cell::win(dtz),
        cell if cell.is_loss() => Cell::loss(dtz),
        cell => cell,
    };
    Entry { dtm, dtz }
}

/// Whether a distance to mate leaves the distance to zeroing open: neither a draw nor a
/// mate on the board.
#[inline]
const fn has_dtz(dtm: u16) -> bool {
    dtm > 1
}

/// A block of grids of a table.
pub(super) struct GridBlock<'a> {
    pub layout: &'a Layout,
    pub grids: &'a Grids,
    pub block: usize,
    pub side: Color,
}

impl GridBlock<'_> {
    /// Unpacks distances to mate.
    pub fn unpack_mates(&self, packed: &[u8], lessons: &Lessons, is_wide: bool) -> Planes {
        let [mut evidence, _, mut of_rest] = lessons.clone();
        let evidence = [&mut evidence, &mut of_rest];
        self.mates(&mut RangeDecoder::new(packed), evidence, is_wide, None)
    }

    /// Unpacks distances to zeroing beside those to mate.
    pub fn unpack_zeroings(
        &self,
        packed: &[u8],
        dtm: &Planes,
        lessons: &Lessons,
        is_wide: bool,
    ) -> Planes {
        let mut evidence = lessons[1].clone();
        self.zeroings(&mut RangeDecoder::new(packed), dtm, &mut evidence, is_wide, |_| 0)
    }

    /// Reads distances to mate, or writes those that are given by number of the layout.
    fn mates(
        &self,
        coder: &mut impl BinaryCoder,
        [evidence, of_rest]: [&mut Evidence; 2],
        is_wide: bool,
        number: Option<&dyn Fn(usize) -> u16>,
    ) -> Planes {
        if PawnFile::is_for(self.layout) {
            let file = PawnFile { layout: self.layout, grids: self.grids, block: self.block };
            return file.mates(coder, [evidence, of_rest], is_wide, number);
        }
        let cells = self.grids.block_cells();
        let mut planes = Planes::of((0..cells).map(|_| 0), is_wide);
        let mut neighbours = Neighbours::new(cells, evidence, coder);
        let lookout = Lookout::new(self.layout, self.side);
        for cell in 0..cells {
            if let Some(index) = self.grids.index(self.layout, self.block, cell)
                && let Some(outlook) = lookout.see(index)
            {
                let number = number.map_or(0, |number| number(index));
                planes.set(cell, neighbours.mate(cell, &outlook, number));
            }
        }
        planes
    }

    /// The same for distances to zeroing.
    fn zeroings(
        &self,
        coder: &mut impl BinaryCoder,
        dtm: &Planes,
        evidence: &mut Evidence,
        is_wide: bool,
        plies: impl Fn(usize) -> u16,
    ) -> Planes {
        let cells = self.grids.block_cells();
        let mut planes = Planes::of((0..cells).map(|_| 0), is_wide);
        let mut neighbours = Neighbours::new(cells, evidence, coder);
        let lookout = Lookout::new(self.layout, self.side);
        for cell in (0..cells).filter(|&cell| has_dtz(dtm.get(cell))) {
            if let Some(index) = self.grids.index(self.layout, self.block, cell)
                && let Some(outlook) = lookout.see(index)
            {
                let plies = neighbours.zeroing(cell, &outlook, |at| dtm.get(at), plies(index));
                planes.set(cell, plies);
            }
        }
        planes
    }
}

/// Unpacks the distances to mate of a frame.
pub(super) fn unpack_mates(
    packed: &[u8],
    frame: &Frame,
    evidence: &Evidence,
    is_wide: bool,
) -> Planes {
    let mut decoder = RangeDecoder::new(packed);
    mates(frame, &mut evidence.clone(), &mut decoder, &Unknown, is_wide)
}

/// Unpacks the distances to zeroing of a frame beside those to mate.
pub(super) fn unpack_zeroings(
    packed: &[u8],
    frame: &Frame,
    dtm: &Planes,
    evidence: &Evidence,
    is_wide: bool,
) -> Planes {
    let mut decoder = RangeDecoder::new(packed);
    zeroings(frame, dtm, &mut evidence.clone(), &mut decoder, &Unknown, is_wide)
}

/// Reads or writes the distances to mate of a frame.
fn mates(
    frame: &Frame,
    evidence: &mut Evidence,
    coder: &mut impl BinaryCoder,
    truth: &impl Truth,
    is_wide: bool,
) -> Planes {
    let plies =
        Ladder::new(frame, Measure::Mate, evidence, coder, truth, &Nowhere, is_wide).climb().wins;
    let number = |plies: u16| if plies > 0 { plies + 1 } else { 0 };
    Planes::of(plies.into_iter().map(number), is_wide)
}

/// Reads or writes the distances to zeroing of a frame.
fn zeroings(
    frame: &Frame,
    dtm: &Planes,
    evidence: &mut Evidence,
    coder: &mut impl BinaryCoder,
    truth: &impl Truth,
    is_wide: bool,
) -> Planes {
    let measure = Measure::Zeroing(dtm);
    let plies = Ladder::new(frame, measure, evidence, coder, truth, &Nowhere, is_wide).climb().wins;
    Planes::of(plies.into_iter(), is_wide)
}

/// What a whole table teaches: of distances to mate, of those to zeroing, and of what is not
/// won where wins are told first.
pub(super) type Lessons = [Evidence; 3];

/// Nothing learned.
pub(super) fn no_lessons() -> Lessons {
    std::array::from_fn(|_| Evidence::new())
}

/// How many of the lessons a table needs.
fn needed_lessons(layout: &Layout) -> usize {
    if PawnFile::is_for(layout) { 3 } else { 2 }
}

/// Unpacks what a whole table teaches; that is nothing where nothing is packed.
pub(super) fn unpack_lessons(packed: &[u8], layout: &Layout) -> io::Result<Lessons> {
    let mut lessons = no_lessons();
    if packed.is_empty() {
        return Ok(lessons);
    }
    let bytes = decompress(packed, needed_lessons(layout) * evidence::SIZE)?;
    for (lesson, bytes) in lessons.iter_mut().zip(bytes.chunks(evidence::SIZE)) {
        *lesson = Evidence::from_bytes(bytes);
    }
    Ok(lessons)
}

fn decompress(packed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; size];
    let mut reader = LzmaReader::new(packed, size as u64, 0, 0, 0, DICTIONARY, None)?;
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(any(test, feature = "table-generator"))]
pub(super) use packing::{pack_frame, pack_lessons};

#[cfg(any(test, feature = "table-generator"))]
mod packing {
    use std::io::Write;

    use lzma_rust2::{EncodeMode, LzmaOptions, LzmaWriter, MfType};

    use super::super::range_coder::RangeEncoder;
    use super::*;

    impl GridBlock<'_> {
        /// Packs both measures of a block, by number of the layout, which teach the evidence.
        pub fn pack(
            &self,
            lessons: &mut Lessons,
            number: impl Fn(usize) -> u16,
            plies: impl Fn(usize) -> u16,
            is_wide: [bool; 2],
        ) -> [Vec<u8>; 2] {
            let [of_mates, of_zeroings, of_rest] = lessons;
            let mut encoders = [RangeEncoder::new(), RangeEncoder::new()];
            let [mate, zeroing] = &mut encoders;
            let dtm = self.mates(mate, [of_mates, of_rest], is_wide[0], Some(&number));
            self.zeroings(zeroing, &dtm, of_zeroings, is_wide[1], plies);
            encoders.map(RangeEncoder::finish)
        }
    }

    /// Packs both measures of a frame, which teach the evidence.
    pub fn pack_frame(
        frame: &Frame,
        [of_mates, of_zeroings, _]: &mut Lessons,
        [mate_truth, zeroing_truth]: &[impl Truth; 2],
        is_wide: [bool; 2],
    ) -> [Vec<u8>; 2] {
        let mut encoders = [RangeEncoder::new(), RangeEncoder::new()];
        let [mate, zeroing] = &mut encoders;
        let dtm = mates(frame, of_mates, mate, mate_truth, is_wide[0]);
        zeroings(frame, &dtm, of_zeroings, zeroing, zeroing_truth, is_wide[1]);
        encoders.map(RangeEncoder::finish)
    }

    /// Packs what a whole table teaches.
    pub fn pack_lessons(lessons: &Lessons, layout: &Layout) -> io::Result<Vec<u8>> {
        let needed = lessons.iter().take(needed_lessons(layout));
        compress(&needed.flat_map(Evidence::to_bytes).collect::<Vec<u8>>())
    }

    fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let options = LzmaOptions {
            dict_size: DICTIONARY,
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
        writer.write_all(bytes)?;
        writer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splitmix::splitmix64;

    /// Whatever is read, reading ends; and what is read is read again once it is written.
    #[test]
    fn what_is_read_is_written_and_read_again() {
        let mut state = 3;
        for name in ["KRvKP", "KNPvK", "KRvKN", "KBBvK", "KPvKP", "KPvK"] {
            let layout = Layout::new(name.parse().expect("a material"));
            let grids = Grids::of(&layout);
            let block = grids.blocks() / 2;
            let block = GridBlock { layout: &layout, grids: &grids, block, side: Color::White };
            let lessons = no_lessons();
            for length in [0, 300, 3000] {
                let noise: Vec<u8> = (0..length).map(|_| splitmix64(&mut state) as u8).collect();
                let read = |packed: &[Vec<u8>; 2]| {
                    let dtm = block.unpack_mates(&packed[0], &lessons, true);
                    let dtz = block.unpack_zeroings(&packed[1], &dtm, &lessons, true);
                    [dtm, dtz]
                };
                let [dtm, dtz] = read(&[noise.clone(), noise]);
                let at = |planes: &Planes, index| {
                    let (number, cell) = grids.place(&layout, index);
                    assert_eq!(number, block.block, "{name}");
                    planes.get(cell)
                };
                let packed = block.pack(
                    &mut no_lessons(),
                    |index| at(&dtm, index),
                    |index| at(&dtz, index),
                    [true, true],
                );
                let again = read(&packed);
                assert!(again[0].bytes() == dtm.bytes(), "{name}: distances to mate");
                assert!(again[1].bytes() == dtz.bytes(), "{name}: distances to zeroing");
            }
        }
    }
}
