//! The header of a table's file, which holds its [`Statistics`] and says where each block
//! lies. What is in a block is said in [`packing`](crate::packing).
//!
#![doc = include_str!("../../../docs/reference/table-format.md")]

use qirkat_game::Color;
use qirkat_game::byte_reader::ByteReader;
use qirkat_rules::variant::Variant;

use super::table::TableBytes;
use crate::error::TableError;
use crate::indexing::material::Material;
use crate::statistics::Statistics;
use crate::table_game::TableGame;

const MAGIC: [u8; 8] = *b"QIRKTAB\0";
const VERSION: u16 = 3;
const NAME: usize = 16;
/// Bytes before the sizes of the blocks.
pub const FIXED: usize = 8 + 2 + 1 + 1 + 1 + NAME + Statistics::SIZE + 4 + 4 + EXTENT;
/// The size and checksum of the models.
const EXTENT: usize = 4 + 2;
/// Blocks are small, and there are many.
const PER_BLOCK: usize = 2 * (2 + 2);
/// Bytes of the checksum at the end of a header.
pub const CHECKSUM: usize = 4;

/// The number that a game has in files.
const fn number_of(game: Variant) -> u8 {
    match game {
        Variant::Chesquerque => 0,
        Variant::Masonic => 1,
        Variant::Alquerque => 2,
    }
}

fn game_of(number: u8) -> Option<Variant> {
    Variant::ALL.into_iter().find(|&game| number_of(game) == number)
}

/// What every file begins with, up to the game.
pub fn start_of(game: Variant) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.push(number_of(game));
    bytes
}

/// Reads what every file begins with, and tells the game.
///
/// # Errors
/// When it is no table, or one of another version.
pub fn read_start(reader: &mut ByteReader<'_>) -> Result<Variant, TableError> {
    if reader.take() != MAGIC {
        return Err(TableError::Format);
    }
    let version = reader.u16();
    if version != VERSION {
        return Err(TableError::Version { found: version, known: VERSION });
    }
    let [game] = reader.take();
    game_of(game).ok_or(TableError::Damaged)
}

/// The whole header of a file, of which so many first bytes tell how many it takes.
///
/// # Errors
/// When it is no header that this program can read, or shorter than it should be.
pub fn read_header(
    bytes: &dyn TableBytes,
    fixed: usize,
    size_of: &dyn Fn(&[u8]) -> Result<usize, TableError>,
) -> Result<Vec<u8>, TableError> {
    let mut head = vec![0; fixed];
    if bytes.size()? < fixed as u64 {
        return Err(TableError::Format);
    }
    bytes.read_at(0, &mut head)?;
    head.resize(size_of(&head)?, 0);
    if bytes.size()? < head.len() as u64 {
        return Err(TableError::Short);
    }
    bytes.read_at(0, &mut head)?;
    Ok(head)
}

/// What stands before the checksum of a header of so many bytes.
///
/// # Errors
/// When bytes are missing, or others than were written.
pub fn sound_content(bytes: &[u8], size: usize) -> Result<&[u8], TableError> {
    let header = bytes.get(..size).ok_or(TableError::Short)?;
    let (content, checksum) = header.split_last_chunk::<CHECKSUM>().ok_or(TableError::Short)?;
    if crc32fast::hash(content).to_le_bytes() != *checksum {
        return Err(TableError::Damaged);
    }
    Ok(content)
}

/// Where a packed row of numbers lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    pub offset: u64,
    pub size: u32,
    pub checksum: u16,
}

impl Extent {
    /// For bytes whose place is not known yet.
    pub fn of(bytes: &[u8]) -> Extent {
        Extent { offset: 0, size: bytes.len() as u32, checksum: checksum(bytes) }
    }

    /// The bytes that were written.
    ///
    /// # Errors
    /// When they are others, or cannot be read.
    pub fn read(&self, bytes: &dyn TableBytes) -> Result<Vec<u8>, TableError> {
        let mut packed = vec![0; self.size as usize];
        bytes.read_at(self.offset, &mut packed)?;
        if checksum(&packed) == self.checksum { Ok(packed) } else { Err(TableError::Damaged) }
    }
}

/// The lower half of the CRC-32.
fn checksum(bytes: &[u8]) -> u16 {
    crc32fast::hash(bytes) as u16
}

/// The header of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header<G: TableGame> {
    pub material: Material<G::Kind>,
    /// The side to move that is kept.
    pub side: Color,
    /// Whether distances to mate and to zeroing take 16 bits.
    pub is_wide: [bool; 2],
    pub statistics: Statistics,
    /// Cells of a block.
    pub block_cells: u32,
    /// The models that the whole table teaches.
    pub models: Extent,
    /// For each block, its distances to mate and to zeroing.
    pub blocks: Vec<[Extent; 2]>,
}

impl<G: TableGame> Header<G> {
    /// How many bytes a header with this many blocks takes.
    pub const fn size(blocks: usize) -> usize {
        FIXED + PER_BLOCK * blocks + CHECKSUM
    }

    /// How many bytes the header takes whose first [`FIXED`] bytes these are.
    ///
    /// # Errors
    /// When it is no header that this program can read.
    pub fn size_of(bytes: &[u8]) -> Result<usize, TableError> {
        let mut reader = ByteReader(bytes);
        let found = read_start(&mut reader)?;
        if found != G::VARIANT {
            return Err(TableError::Game { found, wanted: G::VARIANT });
        }
        let _side_and_width = reader.take::<2>();
        let (_name, _statistics) = (reader.take::<NAME>(), reader.take::<{ Statistics::SIZE }>());
        let (_cells, blocks) = (reader.u32(), reader.u32());
        // No table of six pieces has more.
        const MOST: u32 = 1 << 25;
        if blocks > MOST {
            return Err(TableError::Damaged);
        }
        Ok(Self::size(blocks as usize))
    }

    /// Reads a whole header.
    ///
    /// # Errors
    /// When it is damaged, or of another game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header<G>, TableError> {
        let size = Self::size_of(bytes)?;
        let mut reader = ByteReader(sound_content(bytes, size)?);
        read_start(&mut reader)?;
        let [side, wide] = reader.take();
        let name = reader.take::<NAME>();
        let name: String = name
            .iter()
            .take_while(|&&letter| letter != 0)
            .map(|&letter| char::from(letter))
            .collect();
        let material = name.parse().map_err(|_| TableError::Damaged)?;
        let statistics = Statistics::from_bytes(&reader.take());
        let (block_cells, blocks) = (reader.u32(), reader.u32());
        let mut offset = size as u64;
        let mut extent = |size: u32, checksum| {
            let extent = Extent { offset, size, checksum };
            offset += u64::from(size);
            extent
        };
        let models = extent(reader.u32(), reader.u16());
        let mut block = || extent(u32::from(reader.u16()), reader.u16());
        let blocks = (0..blocks).map(|_| [(); 2].map(|()| block())).collect();
        let side = if side == 0 { Color::White } else { Color::Black };
        let is_wide = [wide & 1 != 0, wide & 2 != 0];
        Ok(Header { material, side, is_wide, statistics, block_cells, models, blocks })
    }

    /// The bytes of the header.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = start_of(G::VARIANT);
        bytes.push(self.side as u8);
        bytes.push(u8::from(self.is_wide[0]) | (u8::from(self.is_wide[1]) << 1));
        let mut name = [0; NAME];
        for (letter, byte) in name.iter_mut().zip(self.material.to_string().bytes()) {
            *letter = byte;
        }
        bytes.extend(name);
        bytes.extend(self.statistics.to_bytes());
        bytes.extend(self.block_cells.to_le_bytes());
        bytes.extend((self.blocks.len() as u32).to_le_bytes());
        bytes.extend(self.models.size.to_le_bytes());
        bytes.extend(self.models.checksum.to_le_bytes());
        for extent in self.blocks.iter().flatten() {
            bytes.extend((extent.size as u16).to_le_bytes());
            bytes.extend(extent.checksum.to_le_bytes());
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// How many bytes the whole file has.
    pub fn file_size(&self) -> u64 {
        let packed: u64 = self.blocks.iter().flatten().map(|extent| u64::from(extent.size)).sum();
        Self::size(self.blocks.len()) as u64 + u64::from(self.models.size) + packed
    }
}
