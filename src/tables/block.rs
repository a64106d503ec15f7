//! A block of a table, packed.
//!
//! A block is [`BLOCK`] neighbouring cells for one side to move. Its distances to mate are
//! numbers: zero for a draw, otherwise plies and one more; a win takes an odd number of
//! plies and a loss an even one, so nothing else needs to be said. Cells that nobody asks
//! for hold what their neighbour holds.
//!
//! They are compressed by LZMA, each block by itself. Distances to zeroing go beside them
//! as what surprises a model that knows those to mate ([`ZeroingModel`]).

use std::io::{self, Read};

use lzma_rust2::LzmaReader;

use super::cell::{Cell, Entry};
use super::evidence::{self, Evidence};
use super::frames::Frame;
use super::ladder::{Ladder, Measure, Truth, Unknown};
use super::planes::Planes;
use super::range_coder::{BinaryCoder, RangeDecoder};
use super::zeroing_model::ZeroingModel;

/// Cells of a block.
pub(super) const BLOCK: usize = 1 << 17;

/// LZMA sees no further back than a block of 16-bit numbers.
const DICTIONARY: u32 = 2 * BLOCK as u32;

/// The number for a distance to mate.
#[cfg(any(test, feature = "table-generator"))]
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

/// Unpacks distances to mate.
pub(super) fn unpack_dtm(packed: &[u8], cells: usize, is_wide: bool) -> io::Result<Planes> {
    Ok(Planes::new(decompress(packed, Planes::size(cells, is_wide))?, is_wide))
}

/// Unpacks distances to zeroing beside those to mate.
pub(super) fn unpack_dtz(packed: &[u8], dtm: &Planes, is_wide: bool) -> Planes {
    code_dtz(&mut RangeDecoder::new(packed), dtm, is_wide, |_| None)
}

/// Reads distances to zeroing, or writes those that are given.
fn code_dtz(
    coder: &mut impl BinaryCoder,
    dtm: &Planes,
    is_wide: bool,
    plies: impl Fn(usize) -> Option<u16>,
) -> Planes {
    let mut dtz = Planes::new(vec![0; Planes::size(dtm.len(), is_wide)], is_wide);
    let mut model = ZeroingModel::new();
    for cell in (0..dtm.len()).filter(|&cell| has_dtz(dtm.get(cell))) {
        let coded = model.code(coder, cell, dtm.get(cell), &dtz, plies(cell));
        dtz.set(cell, coded);
    }
    dtz
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

/// Unpacks what a whole table teaches: of distances to mate and to zeroing.
pub(super) fn unpack_evidence(packed: &[u8]) -> io::Result<[Evidence; 2]> {
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
pub(super) use packing::{pack_dtm, pack_dtz, pack_evidence, pack_frame};

#[cfg(any(test, feature = "table-generator"))]
mod packing {
    use std::io::Write;

    use lzma_rust2::{EncodeMode, LzmaOptions, LzmaWriter, MfType};

    use super::super::range_coder::RangeEncoder;
    use super::*;

    /// Packs distances to mate; those of cells that nobody asks for are not given.
    pub fn pack_dtm(numbers: &[Option<u16>], is_wide: bool) -> io::Result<(Vec<u8>, Planes)> {
        let mut planes = Planes::new(vec![0; Planes::size(numbers.len(), is_wide)], is_wide);
        let mut last = 0;
        for (cell, number) in numbers.iter().enumerate() {
            last = number.unwrap_or(last);
            planes.set(cell, last);
        }
        Ok((compress(planes.bytes())?, planes))
    }

    /// Packs distances to zeroing beside those to mate.
    pub fn pack_dtz(plies: &[Option<u16>], dtm: &Planes, is_wide: bool) -> Vec<u8> {
        let mut encoder = RangeEncoder::new();
        code_dtz(&mut encoder, dtm, is_wide, |cell| plies[cell]);
        encoder.finish()
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
