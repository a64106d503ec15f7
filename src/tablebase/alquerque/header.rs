//! The header of a file with a table of Alquerque.
//!
//! It begins as those of the chess games do; the page about the [format](crate::alquerque) says
//! the rest.

use qirkat_game::byte_reader::ByteReader;
use qirkat_rules::variant::Variant;

use super::material::MenMaterial;
use crate::error::TableError;
use crate::file::header::{CHECKSUM, Extent, read_start, room_for, sound_content, start_of};
use crate::statistics::Statistics;

/// Bytes before the runs.
pub const FIXED: usize = 8 + 2 + 1 + 2 + Statistics::SIZE + 4 + 4 + 4 + 2;
/// The size and checksum of a block.
const PER_BLOCK: usize = 4 + 2;

/// The header of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    pub material: MenMaterial,
    pub statistics: Statistics,
    /// The models that the whole table teaches.
    pub models: Extent,
    /// For each rank profile, the most plies to the next jump, step forward or end where a side
    /// wins and hurries.
    pub runs: Vec<u8>,
    /// Where the blocks lie, those of one profile after another.
    pub blocks: Vec<Extent>,
}

impl Header {
    /// How many bytes a header takes.
    pub const fn size(profiles: usize, blocks: usize) -> usize {
        FIXED + profiles + PER_BLOCK * blocks + CHECKSUM
    }

    /// What the first [`FIXED`] bytes of a header say: the material, and how many profiles and
    /// blocks there are.
    ///
    /// # Errors
    /// When it is no header that this program can read.
    pub fn start(bytes: &[u8]) -> Result<(MenMaterial, usize, usize), TableError> {
        let mut reader = ByteReader(bytes);
        let (found, wanted) = (read_start(&mut reader)?, Variant::Alquerque);
        if found != wanted {
            return Err(TableError::Game { found, wanted });
        }
        let men: [u8; 2] = reader.take();
        let material = MenMaterial::new(men.map(usize::from));
        let material = material.ok_or_else(TableError::damaged_header)?;
        let _statistics = reader.take::<{ Statistics::SIZE }>();
        let (profiles, blocks) = (reader.u32() as usize, reader.u32() as usize);
        Ok((material, profiles, blocks))
    }

    /// Reads a whole header.
    ///
    /// # Errors
    /// When it is damaged, or of another game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header, TableError> {
        let (material, profiles, blocks) = Header::start(bytes)?;
        let size = Header::size(profiles, blocks);
        let mut reader = ByteReader(sound_content(bytes, size)?);
        read_start(&mut reader)?;
        let _men = reader.take::<2>();
        let statistics = Statistics::from_bytes(&reader.take());
        let _profiles_and_blocks = reader.take::<8>();
        let mut offset = size as u64;
        let mut extent = |size: u32, checksum| {
            let extent = Extent { offset, size, checksum };
            offset += u64::from(size);
            extent
        };
        let models = extent(reader.u32(), reader.u16());
        let runs = reader.slice(profiles).to_vec();
        let mut all = room_for(blocks)?;
        all.extend((0..blocks).map(|_| extent(reader.u32(), reader.u16())));
        Ok(Header { material, statistics, models, runs, blocks: all })
    }

    /// The bytes of the header.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = start_of(Variant::Alquerque);
        bytes.extend(self.material.sides().map(|men| men as u8));
        bytes.extend(self.statistics.to_bytes());
        for number in [self.runs.len() as u32, self.blocks.len() as u32, self.models.size] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.models.checksum.to_le_bytes());
        bytes.extend(&self.runs);
        for extent in &self.blocks {
            bytes.extend(extent.size.to_le_bytes());
            bytes.extend(extent.checksum.to_le_bytes());
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// How many bytes the whole file has.
    pub fn file_size(&self) -> u64 {
        let packed: u64 = self.blocks.iter().map(|extent| u64::from(extent.size)).sum();
        let header = Header::size(self.runs.len(), self.blocks.len()) as u64;
        header + u64::from(self.models.size) + packed
    }
}
