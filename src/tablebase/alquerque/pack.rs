//! The bytes of a file with a solved table.

use std::io;

use qirkat_rules::variant::Variant;
use qirkat_system::parallel;

use super::distance_tables::{DistanceTables, SolvedSlice};
use super::material::MenMaterial;
use super::packing::{blocks, code_block};
use crate::generator::pack::file_with;
use crate::header::Header;
use crate::packing::block::{Models, new_models};
use crate::packing::range_coder::RangeEncoder;
use crate::statistics::Statistics;

/// Of all blocks, so many teach the models, spread evenly: more take time and teach little.
const TEACHERS: usize = 400;

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
        let mut taught = new_models();
        let all: Vec<(&SolvedSlice, usize)> = slices
            .iter()
            .flat_map(|&solved| (0..blocks(&solved.profile).count()).map(move |it| (solved, it)))
            .collect();
        for &(solved, number) in all.iter().step_by(all.len().div_ceil(TEACHERS)) {
            pack_block(solved, number, &mut taught);
        }
        let men = material.sides().map(|men| men as u8).to_vec();
        let runs = slices.iter().map(|solved| solved.run).collect();
        let header = Header::new(Variant::Alquerque, men, statistics, slices.len(), runs);
        file_with(header, &taught, |models| {
            parallel::map(all.len(), &|at| {
                let (solved, number) = all[at];
                pack_block(solved, number, &mut models.clone())
            })
        })
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
