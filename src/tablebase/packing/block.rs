//! A block of a table, packed: a [`Grid`] or a [`Frame`].
//!
//! Distances to mate are numbers: zero for a draw, otherwise plies and one more; a win takes
//! an odd number of plies and a loss an even one, so nothing else needs to be said. Cells that
//! nobody asks for are zero. Distances to zeroing go beside them and are told with those to
//! mate known.
//!
//! Either is written as what surprises a model, by a range coder. What the model learns of the
//! whole table is kept with it, compressed by LZMA, and each block goes on learning from there.

use std::io::{self, Read};

use lzma_rust2::LzmaReader;

use super::evidence::{self, Evidence};
use super::frames::Frame;
use super::grid::Grid;
use super::ladder::{Ladder, Measure, Truth, Unknown};
use super::mate_coder::{KnownGrid, MateCoder};
use super::planes::Planes;
use super::range_coder::{BinaryCoder, RangeDecoder};
use super::zeroing_coder::ZeroingCoder;
use crate::board::table_board::TableBoard;
use crate::cell::{Cell, Entry};

/// LZMA sees as far back as there is evidence.
const DICTIONARY: u32 = 1 << 17;

/// The number for a distance to mate.
#[cfg(any(test, feature = "table-generator"))]
pub const fn dtm_number(cell: Cell) -> u16 {
    if cell.is_open() { 0 } else { cell.plies() + 1 }
}

/// What a number for a distance to mate says.
#[inline]
pub const fn dtm_cell(number: u16) -> Cell {
    match number {
        0 => Cell::DRAW,
        number if number % 2 == 0 => Cell::win(number - 1),
        number => Cell::loss(number - 1),
    }
}

/// What both numbers of a cell say.
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

/// Unpacks the distances to mate of a grid.
pub fn unpack_grid_mates<G: TableBoard>(
    packed: &[u8],
    grid: &Grid<G>,
    stepped: &[KnownGrid<G>],
    evidence: &Evidence,
    is_wide: bool,
) -> Planes {
    let mut evidence = evidence.clone();
    let mut decoder = RangeDecoder::new(packed);
    let numbers = MateCoder::new(&mut evidence, &mut decoder).code(grid, stepped, &|_| 0);
    Planes::of(numbers.into_iter(), is_wide)
}

/// Unpacks the distances to zeroing of a grid beside those to mate.
pub fn unpack_grid_zeroings<G: TableBoard>(
    packed: &[u8],
    grid: &Grid<G>,
    dtm: &Planes,
    evidence: &Evidence,
    is_wide: bool,
) -> Planes {
    let mut evidence = evidence.clone();
    let mut decoder = RangeDecoder::new(packed);
    let plies = ZeroingCoder::new(&mut evidence, &mut decoder).code(grid, dtm, &|_| 0);
    Planes::of(plies.into_iter(), is_wide)
}

/// Unpacks the distances to mate of a frame.
pub fn unpack_mates(packed: &[u8], frame: &Frame, evidence: &Evidence, is_wide: bool) -> Planes {
    let mut decoder = RangeDecoder::new(packed);
    mates(frame, &mut evidence.clone(), &mut decoder, &Unknown, is_wide)
}

/// Unpacks the distances to zeroing of a frame beside those to mate.
pub fn unpack_zeroings(
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
    let plies = Ladder::new(frame, Measure::Mate, evidence, coder, truth, is_wide).climb();
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
    let plies = Ladder::new(frame, measure, evidence, coder, truth, is_wide).climb();
    Planes::of(plies.into_iter(), is_wide)
}

/// Unpacks what a whole table teaches: of distances to mate and to zeroing. That is nothing
/// where nothing is packed.
pub fn unpack_evidence(packed: &[u8]) -> io::Result<[Evidence; 2]> {
    if packed.is_empty() {
        return Ok([Evidence::new(), Evidence::new()]);
    }
    let bytes = decompress(packed, 2 * evidence::SIZE)?;
    let (mate, zeroing) = bytes.split_at(evidence::SIZE);
    Ok([Evidence::from_bytes(mate), Evidence::from_bytes(zeroing)])
}

fn decompress(packed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; size];
    let mut reader = LzmaReader::new(packed, size as u64, 0, 0, 0, DICTIONARY, None)?;
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(any(test, feature = "table-generator"))]
pub use packing::{pack_evidence, pack_frame, pack_grid};

#[cfg(any(test, feature = "table-generator"))]
mod packing {
    use std::io::Write;

    use lzma_rust2::{EncodeMode, LzmaOptions, LzmaWriter, MfType};

    use super::*;
    use crate::packing::range_coder::RangeEncoder;

    /// Packs both measures of a grid, by cell, which teach the evidence.
    pub fn pack_grid<G: TableBoard>(
        grid: &Grid<G>,
        stepped: &[KnownGrid<G>],
        evidence: &mut [Evidence; 2],
        number: impl Fn(usize) -> u16,
        plies: impl Fn(usize) -> u16,
    ) -> [Vec<u8>; 2] {
        let [of_mates, of_zeroings] = evidence;
        let mut encoders = [RangeEncoder::new(), RangeEncoder::new()];
        let [mate, zeroing] = &mut encoders;
        let numbers = MateCoder::new(of_mates, mate).code(grid, stepped, &number);
        let dtm = Planes::of(numbers.into_iter(), true);
        ZeroingCoder::new(of_zeroings, zeroing).code(grid, &dtm, &plies);
        encoders.map(RangeEncoder::finish)
    }

    /// Packs both measures of a frame, which teach the evidence.
    pub fn pack_frame(
        frame: &Frame,
        evidence: &mut [Evidence; 2],
        [mate_truth, zeroing_truth]: &[impl Truth; 2],
        is_wide: [bool; 2],
    ) -> [Vec<u8>; 2] {
        let [of_mates, of_zeroings] = evidence;
        let mut encoders = [RangeEncoder::new(), RangeEncoder::new()];
        let [mate, zeroing] = &mut encoders;
        let dtm = mates(frame, of_mates, mate, mate_truth, is_wide[0]);
        zeroings(frame, &dtm, of_zeroings, zeroing, zeroing_truth, is_wide[1]);
        encoders.map(RangeEncoder::finish)
    }

    /// Packs what a whole table teaches.
    pub fn pack_evidence(evidence: &[Evidence; 2]) -> io::Result<Vec<u8>> {
        compress(&evidence.each_ref().map(Evidence::to_bytes).concat())
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
    use crate::board::layout::Layout;
    use crate::packing::grids::Grids;
    use qirkat_game::splitmix::splitmix64;
    use qirkat_rules::chesquerque::{Color, Position};

    /// Whatever is read, reading ends; and what is read is read again once it is written.
    #[test]
    fn what_is_read_is_written_and_read_again() {
        let mut state = 3;
        for name in ["KRvKP", "KRvKN", "KBBvK", "KPvKP", "KPvK", "KQvK"] {
            let layout = Layout::<Position>::new(name.parse().expect("a material"));
            let grids = Grids::of(&layout, Color::White);
            let numbers = 0..grids.count(&layout);
            let mut grids = numbers.filter_map(|number| grids.grid(&layout, number)).skip(7);
            let grid = grids.next().expect("a grid");
            let nothing = || [Evidence::new(), Evidence::new()];
            for length in [0, 300, 3000] {
                let noise: Vec<u8> = (0..length).map(|_| splitmix64(&mut state) as u8).collect();
                let read = |packed: &[Vec<u8>; 2]| {
                    let [of_mates, of_zeroings] = nothing();
                    let dtm = unpack_grid_mates(&packed[0], &grid, &[], &of_mates, true);
                    let dtz = unpack_grid_zeroings(&packed[1], &grid, &dtm, &of_zeroings, true);
                    [dtm, dtz]
                };
                let [dtm, dtz] = read(&[noise.clone(), noise]);
                let evidence = &mut nothing();
                let number = |cell| dtm.get(cell);
                let packed = pack_grid(&grid, &[], evidence, number, |cell| dtz.get(cell));
                let again = read(&packed);
                assert!(again[0].bytes() == dtm.bytes(), "{name}: distances to mate");
                assert!(again[1].bytes() == dtz.bytes(), "{name}: distances to zeroing");
            }
        }
    }
}
