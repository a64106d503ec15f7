//! The bytes of a file with a solved table.

use std::io;

use qirkat_system::parallel;

use super::distance_tables::{DistanceTables, SolvedSlice};
use super::header::Header;
use super::material::MenMaterial;
use super::packing::{Models, blocks, code_block, new_models};
use crate::file::header::Extent;
use crate::generator::pack_models;
use crate::packing::block::unpack_models;
use crate::packing::range_coder::RangeEncoder;
use crate::statistics::Statistics;

/// Of all blocks, so many teach the models, spread evenly: more take time and teach little.
const TEACHERS: usize = 400;
/// Bytes of a table that may be too small to teach anything.
const SMALL: usize = 50_000;

impl DistanceTables {
    /// The bytes of a file with the table of a material that has been solved, and what it comes
    /// to, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// When the compressor fails, or the material is not here.
    pub(crate) fn to_bytes(
        &self,
        material: MenMaterial,
        statistics: Statistics,
    ) -> io::Result<Vec<u8>> {
        let slices = self.slices(material).ok_or(io::ErrorKind::NotFound)?;
        let mut models = new_models();
        let all: Vec<(&SolvedSlice, usize)> = slices
            .iter()
            .flat_map(|&solved| (0..blocks(&solved.profile).count()).map(move |it| (solved, it)))
            .collect();
        for &(solved, number) in all.iter().step_by(all.len().div_ceil(TEACHERS)) {
            pack_block(solved, number, &mut models);
        }
        let pack_with = |packed_models: Vec<u8>| -> io::Result<(Vec<u8>, Vec<Vec<u8>>)> {
            let models = unpack_models(&packed_models)?;
            let packed = parallel::map(all.len(), &|at| {
                let (solved, number) = all[at];
                pack_block(solved, number, &mut models.clone())
            });
            Ok((packed_models, packed))
        };
        let size = |(models, packed): &(Vec<u8>, Vec<Vec<u8>>)| {
            models.len() + packed.iter().map(Vec::len).sum::<usize>()
        };
        let mut packed = pack_with(pack_models(&models)?)?;
        if size(&packed) < SMALL {
            let untaught = pack_with(Vec::new())?;
            packed = if size(&untaught) < size(&packed) { untaught } else { packed };
        }
        let (models, blocks) = packed;
        let header = Header {
            material,
            statistics,
            models: Extent::of(&models),
            runs: slices.iter().map(|solved| solved.run).collect(),
            blocks: blocks.iter().map(|packed| Extent::of(packed)).collect(),
        };
        let mut bytes = header.to_bytes();
        bytes.extend(models);
        blocks.iter().for_each(|packed| bytes.extend_from_slice(packed));
        Ok(bytes)
    }
}

/// A block, packed; it teaches the models.
fn pack_block(solved: &SolvedSlice, number: usize, models: &mut Models) -> Vec<u8> {
    let mut encoder = RangeEncoder::new();
    if let Some(boards) = blocks(&solved.profile).nth(number) {
        let known = solved.slice.part(&boards);
        code_block(&solved.profile, boards, models, &mut encoder, known);
    }
    encoder.finish()
}
