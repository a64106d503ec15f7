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
use crate::packing::block::unpack_models;
use crate::packing::context_model::ContextModel;
use crate::statistics::Statistics;
use crate::table_game::TableGame;

const MAGIC: [u8; 8] = *b"QIRKTAB\0";
const VERSION: u16 = 3;
/// Bytes of what every file begins with, up to the game.
const START: usize = MAGIC.len() + 2 + 1;
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
    if reader.0.len() < START - MAGIC.len() {
        let there = MAGIC.len() + reader.0.len();
        return Err(TableError::Damaged(format!("it breaks off after {there} bytes")));
    }
    let version = reader.u16();
    if version != VERSION {
        return Err(TableError::Version { found: version, known: VERSION });
    }
    let [game] = reader.take();
    game_of(game).ok_or_else(TableError::damaged_header)
}

/// The first bytes of a file, which tell how many its whole header takes.
///
/// # Errors
/// When there are fewer, or it is no table.
pub fn read_fixed(bytes: &dyn TableBytes, size: usize) -> Result<Vec<u8>, TableError> {
    let there = bytes.size()?.min(size as u64) as usize;
    let front = read_front(bytes, there)?;
    if there < size {
        read_start(&mut ByteReader(&front))?;
        return Err(TableError::Short);
    }
    Ok(front)
}

/// So many bytes from the beginning of a file on, for which memory is taken if they are there.
///
/// # Errors
/// When there are fewer, or no memory for them.
pub fn read_front(bytes: &dyn TableBytes, size: usize) -> Result<Vec<u8>, TableError> {
    if bytes.size()? < size as u64 {
        return Err(TableError::Short);
    }
    let mut front = room_for(size)?;
    front.resize(size, 0);
    bytes.read_at(0, &mut front)?;
    Ok(front)
}

/// Room for so many, or an error where there is none.
pub fn room_for<T>(count: usize) -> Result<Vec<T>, TableError> {
    let mut room = Vec::new();
    room.try_reserve_exact(count).map_err(std::io::Error::from)?;
    Ok(room)
}

/// What stands before the checksum of a header of so many bytes.
///
/// # Errors
/// When bytes are missing, or others than were written.
pub fn sound_content(bytes: &[u8], size: usize) -> Result<&[u8], TableError> {
    let header = bytes.get(..size).ok_or(TableError::Short)?;
    let (content, checksum) = header.split_last_chunk::<CHECKSUM>().ok_or(TableError::Short)?;
    if crc32fast::hash(content).to_le_bytes() != *checksum {
        return Err(TableError::Damaged("the checksum of its header does not fit".to_owned()));
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

    /// More bytes than any models or block of a table take packed.
    const MOST: u32 = 1 << 20;

    /// The bytes that were written.
    ///
    /// # Errors
    /// When they are others, or cannot be read.
    pub fn read(&self, bytes: &dyn TableBytes) -> Result<Vec<u8>, TableError> {
        if self.size > Extent::MOST {
            return Err(TableError::damaged_at(self.offset, "a block is too large"));
        }
        let mut packed = vec![0; self.size as usize];
        bytes.read_at(self.offset, &mut packed)?;
        if checksum(&packed) != self.checksum {
            return Err(TableError::damaged_at(self.offset, "a checksum does not fit"));
        }
        Ok(packed)
    }

    /// The models that were written.
    ///
    /// # Errors
    /// When these bytes are others, cannot be read, or hold no models.
    pub fn read_models(&self, bytes: &dyn TableBytes) -> Result<[ContextModel; 2], TableError> {
        let damaged = || TableError::damaged_at(self.offset, "no models can be unpacked");
        unpack_models(&self.read(bytes)?).map_err(|_| damaged())
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
    pub block_cells: usize,
    /// The models that the whole table teaches.
    pub models: Extent,
    /// For each block, its distances to mate and to zeroing.
    pub blocks: Vec<[Extent; 2]>,
}

/// What a header begins with, and tells how many bytes it takes.
pub struct Start<G: TableGame> {
    pub material: Material<G::Kind>,
    /// The side to move that is kept.
    pub side: Color,
    /// Cells of a block.
    pub block_cells: usize,
    pub blocks: usize,
}

impl<G: TableGame> Header<G> {
    /// How many bytes a header with this many blocks takes.
    pub const fn size(blocks: usize) -> usize {
        FIXED + PER_BLOCK * blocks + CHECKSUM
    }

    /// What the first [`FIXED`] bytes of a header say: the material, the side to move that is
    /// kept, the cells of a block and the blocks.
    ///
    /// # Errors
    /// When it is no header that this program can read.
    pub fn start(bytes: &[u8]) -> Result<Start<G>, TableError> {
        let mut reader = ByteReader(bytes);
        let found = read_start(&mut reader)?;
        if found != G::VARIANT {
            return Err(TableError::Game { found, wanted: G::VARIANT });
        }
        let [side, _width] = reader.take();
        let name = reader.take::<NAME>();
        let name: String = name
            .iter()
            .take_while(|&&letter| letter != 0)
            .map(|&letter| char::from(letter))
            .collect();
        let material = name.parse().map_err(|_| TableError::damaged_header())?;
        let _statistics = reader.take::<{ Statistics::SIZE }>();
        let (block_cells, blocks) = (reader.u32() as usize, reader.u32() as usize);
        let side = if side == 0 { Color::White } else { Color::Black };
        Ok(Start { material, side, block_cells, blocks })
    }

    /// Reads a whole header.
    ///
    /// # Errors
    /// When it is damaged, or of another game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header<G>, TableError> {
        let Start { material, side, block_cells, blocks } = Self::start(bytes)?;
        let size = Self::size(blocks);
        let mut reader = ByteReader(sound_content(bytes, size)?);
        read_start(&mut reader)?;
        let [_side, wide] = reader.take();
        let _name = reader.take::<NAME>();
        let statistics = Statistics::from_bytes(&reader.take());
        let _cells_and_blocks = reader.take::<8>();
        let mut offset = size as u64;
        let mut extent = |size: u32, checksum| {
            let extent = Extent { offset, size, checksum };
            offset += u64::from(size);
            extent
        };
        let models = extent(reader.u32(), reader.u16());
        let mut block = || extent(u32::from(reader.u16()), reader.u16());
        let mut all = room_for(blocks)?;
        all.extend((0..blocks).map(|_| [(); 2].map(|()| block())));
        let is_wide = [wide & 1 != 0, wide & 2 != 0];
        Ok(Header { material, side, is_wide, statistics, block_cells, models, blocks: all })
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
        bytes.extend((self.block_cells as u32).to_le_bytes());
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
