//! One table of Alquerque, read block by block.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use once_cell::race::OnceBox;

use super::header::{FIXED, Header};
use super::material::MenMaterial;
use super::packing::{BOARDS, Models, blocks, code_block};
use super::ranks::{Profile, View};
use super::slice::{Slice, cell_of};
use crate::cell::Cell;
use crate::error::TableError;
use crate::file::header::{Extent, read_fixed, read_front};
use crate::file::kept::Kept;
use crate::file::table::TableBytes;
use crate::packing::range_coder::RangeDecoder;
use crate::statistics::Statistics;

/// A table of which blocks are unpacked as they are asked for.
pub struct Table {
    header: Header,
    profiles: Vec<PlacedProfile>,
    models: OnceBox<Models>,
    bytes: Box<dyn TableBytes>,
    blocks: Vec<Kept<Slice>>,
    /// Bytes that all tables of a set have unpacked.
    unpacked: Arc<AtomicUsize>,
}

/// A rank profile and where it lies in the table.
pub struct PlacedProfile {
    number: usize,
    pub profile: Profile,
    first_block: usize,
    /// The most plies to the next jump, step forward or end where a side wins and hurries.
    pub run: u8,
}

/// What a table holds of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The distance to the end, without a clock.
    pub distance: Cell,
    /// At most so many plies to the next jump, step forward or end if a side wins and hurries,
    /// whatever the other does.
    pub run: u8,
}

impl Table {
    /// Opens a table; its header is read and checked, its blocks are when they are needed.
    pub fn open(
        bytes: Box<dyn TableBytes>,
        unpacked: Arc<AtomicUsize>,
    ) -> Result<Table, TableError> {
        let (material, profile_count, block_count) = Header::start(&read_fixed(&*bytes, FIXED)?)?;
        // What takes memory comes after what shows that the file has so much to say.
        let head = Header::size(profile_count, block_count);
        if bytes.size()? < head as u64 {
            return Err(TableError::Short);
        }
        let all = Profile::all(material);
        let all_blocks: usize = all.iter().map(|profile| blocks(profile).count()).sum();
        if (all.len(), all_blocks) != (profile_count, block_count) {
            return Err(TableError::damaged_header());
        }
        let header = Header::from_bytes(&read_front(&*bytes, head)?)?;
        TableError::expect_size(bytes.size()?, header.file_size())?;
        let mut first_block = 0;
        let mut profiles = Vec::with_capacity(all.len());
        for (profile, &run) in all.into_iter().zip(&header.runs) {
            profiles.push(PlacedProfile { number: profile.number(), profile, first_block, run });
            first_block += blocks(&profile).count();
        }
        profiles.sort_by_key(|placed| placed.number);
        let blocks = header.blocks.iter().map(|_| Kept::default()).collect();
        Ok(Table { header, profiles, models: OnceBox::new(), bytes, blocks, unpacked })
    }

    /// The material of the table.
    pub fn material(&self) -> MenMaterial {
        self.header.material
    }

    /// The statistics of the table.
    pub fn statistics(&self) -> &Statistics {
        &self.header.statistics
    }

    /// What is known of a position of this material.
    pub fn find(&self, view: &View) -> Result<Option<Found>, TableError> {
        let number = view.profile();
        let Ok(at) = self.profiles.binary_search_by_key(&number, |placed| placed.number) else {
            return Ok(None);
        };
        let placed = &self.profiles[at];
        let block = placed.first_block + view.board() / BOARDS;
        let slice = self.blocks[block]
            .get(&self.unpacked, Slice::bytes, || self.unpack(placed, view.board() / BOARDS))?;
        Ok(Some(Found { distance: cell_of(slice.distance(view)), run: placed.run }))
    }

    /// Forgets what was unpacked.
    pub fn forget_all(&self) {
        self.blocks.iter().for_each(Kept::forget);
    }

    /// The profiles of the table.
    pub fn profiles(&self) -> &[PlacedProfile] {
        &self.profiles
    }

    /// A block of a profile, by its number there.
    pub fn unpack(&self, placed: &PlacedProfile, number: usize) -> Result<Slice, TableError> {
        let boards = blocks(&placed.profile).nth(number).ok_or_else(TableError::damaged_header)?;
        let packed = self.read(self.header.blocks[placed.first_block + number])?;
        let mut models = self.models()?.clone();
        let mut decoder = RangeDecoder::new(&packed);
        Ok(code_block(&placed.profile, boards, &mut models, &mut decoder, &[]))
    }

    fn read(&self, extent: Extent) -> Result<Vec<u8>, TableError> {
        extent.read(&*self.bytes).map_err(|error| error.of(self.material(), &*self.bytes))
    }

    /// The models that the whole table teaches.
    fn models(&self) -> Result<&Models, TableError> {
        self.models.get_or_try_init(|| {
            let models = self.header.models.read_models(&*self.bytes);
            Ok(Box::new(models.map_err(|error| error.of(self.material(), &*self.bytes))?))
        })
    }
}
