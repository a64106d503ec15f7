//! The header of a table file: its [`Statistics`] and where each block is.
//! [`packing`](crate::packing) describes the contents of blocks.
//! `docs/reference/table-format.md` describes the file byte by byte.

use qirkat_game::byte_reader::ByteReader;
use qirkat_rules::variant::Variant;

use crate::error::{TableBytes, TableError};
use crate::statistics::Statistics;

const MAGIC: [u8; 8] = *b"QIRKTAB\0";
/// The newest version, for results only; tables with distances still have version 3.
const VERSION_OF_RESULTS: u16 = 4;
const VERSION_OF_DISTANCES: u16 = 3;
/// The size of the start that all files share: the magic, the version and the game.
const START_BYTES: usize = MAGIC.len() + 2 + 1;
const MODELS_BYTES: usize = 4 + 2;
const CHECKSUM_BYTES: usize = 4;

fn read_start(reader: &mut ByteReader<'_>, wanted: Variant) -> Result<(), TableError> {
    if reader.take() != MAGIC {
        return Err(TableError::Format);
    }
    if reader.0.len() < START_BYTES - MAGIC.len() {
        let there = MAGIC.len() + reader.0.len();
        return Err(TableError::Damaged(format!("it breaks off after {there} bytes")));
    }
    let version = reader.u16();
    if ![VERSION_OF_DISTANCES, VERSION_OF_RESULTS].contains(&version) {
        return Err(TableError::Version { found: version, known: VERSION_OF_RESULTS });
    }
    let [number] = reader.take();
    let game = Variant::ALL.get(usize::from(number)).copied();
    match game.ok_or_else(TableError::damaged_header)? {
        game if game == wanted => Ok(()),
        found => Err(TableError::Game { found, wanted }),
    }
}

/// Reads the first `size` bytes of a file, after checking that there are as many.
fn read_front(bytes: &dyn TableBytes, size: u64) -> Result<Vec<u8>, TableError> {
    if bytes.size()? < size {
        return Err(TableError::Short);
    }
    let mut front = Vec::new();
    front.try_reserve_exact(size as usize).map_err(std::io::Error::from)?;
    front.resize(size as usize, 0);
    bytes.read_at(0, &mut front)?;
    Ok(front)
}

/// Where packed bytes lie in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    pub offset: u64,
    pub size: u32,
    /// The lower half of the CRC-32.
    pub checksum: u16,
}

impl Extent {
    /// An upper limit for the packed size of models or a block.
    const MAX_SIZE: u32 = 1 << 20;

    /// An extent whose offset is not known yet.
    pub fn of(bytes: &[u8]) -> Extent {
        Extent { offset: 0, size: bytes.len() as u32, checksum: crc32fast::hash(bytes) as u16 }
    }

    pub fn read(&self, bytes: &dyn TableBytes) -> Result<Vec<u8>, TableError> {
        if self.size > Extent::MAX_SIZE {
            return Err(TableError::damaged_at(self.offset, "a block is too large"));
        }
        let mut packed = vec![0; self.size as usize];
        bytes.read_at(self.offset, &mut packed)?;
        if crc32fast::hash(&packed) as u16 != self.checksum {
            return Err(TableError::damaged_at(self.offset, "a checksum does not match"));
        }
        Ok(packed)
    }
}

/// What a table tells of each position.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TableForm {
    /// The distances to mate and to zeroing; in Alquerque, to the end.
    #[default]
    Distances,
    /// Only the result, in a fraction of the bytes.
    Wdl,
}

/// The index of the flags in the material of a chess game.
const FLAGS_AT: usize = 1;
/// The flags of wide distances, to mate and to zeroing.
pub const WIDE_FLAGS: [u8; 2] = [1 << 0, 1 << 1];
/// The flag of a table with results only.
pub const WDL_FLAG: u8 = 1 << 2;
/// The bytes of the name in the material of a chess game.
pub const NAME_BYTES: usize = 16;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    pub game: Variant,
    /// The material, encoded by its game.
    pub material: Vec<u8>,
    pub statistics: Statistics,
    /// The cells of a block; in Alquerque, the rank profiles of the table.
    pub units: usize,
    pub models: Extent,
    /// In Alquerque, for each rank profile the longest run of a won or lost position: the most plies
    /// to the next jump, step forward or end of the game, if the winner plays the shortest win.
    pub runs: Vec<u8>,
    /// The parts of all blocks. In the chess games a block has a part of distances to mate and one
    /// of distances to zeroing, or a single one of results.
    pub parts: Vec<Extent>,
}

/// The bytes of a game's material, and of the size of a part.
const fn sizes_of(game: Variant) -> (usize, usize) {
    match game {
        // The side to move, the flags and the name.
        Variant::Chesquerque | Variant::Masonic => (1 + 1 + NAME_BYTES, 2),
        // The men of both sides.
        Variant::Alquerque => (2, 4),
    }
}

impl Header {
    pub fn form(&self) -> TableForm {
        let is_wdl = self.game != Variant::Alquerque && self.material[FLAGS_AT] & WDL_FLAG != 0;
        if is_wdl { TableForm::Wdl } else { TableForm::Distances }
    }

    fn parts_per_block(&self) -> usize {
        match self.form() {
            TableForm::Distances if self.game != Variant::Alquerque => 2,
            _ => 1,
        }
    }

    pub fn new(
        game: Variant,
        material: Vec<u8>,
        statistics: Statistics,
        units: usize,
        runs: Vec<u8>,
    ) -> Header {
        let models = Extent::default();
        Header { game, material, statistics, units, models, runs, parts: Vec::new() }
    }

    /// Reads a header. `check` gets its first part, without models, runs and blocks, and the number
    /// of blocks. Memory is allocated only after that check, when the file is known to be long
    /// enough.
    ///
    /// # Errors
    /// If it is damaged, of another game, or rejected by `check`.
    pub fn read(
        bytes: &dyn TableBytes,
        game: Variant,
        check: &mut dyn FnMut(&Header, usize) -> Result<(), TableError>,
    ) -> Result<Header, TableError> {
        let (material_bytes, size_bytes) = sizes_of(game);
        let fixed = START_BYTES + material_bytes + Statistics::SIZE + 4 + 4;
        let there = bytes.size()?.min((fixed + MODELS_BYTES) as u64);
        let front = read_front(bytes, there)?;
        let mut reader = ByteReader(&front);
        read_start(&mut reader, game)?;
        if there < (fixed + MODELS_BYTES) as u64 {
            return Err(TableError::Short);
        }
        let material = reader.slice(material_bytes).to_vec();
        let statistics = Statistics::from_bytes(&reader.take());
        let (units, blocks) = (reader.u32() as usize, reader.u32() as usize);
        let mut header = Header::new(game, material, statistics, units, Vec::new());
        let runs = if game == Variant::Alquerque { units } else { 0 };
        let per_block = (header.parts_per_block() * (size_bytes + 2)) as u64;
        let content = (fixed + MODELS_BYTES + runs) as u64 + per_block * blocks as u64;
        let size = content + CHECKSUM_BYTES as u64;
        if bytes.size()? < size {
            return Err(TableError::Short);
        }
        check(&header, blocks)?;
        let whole = read_front(bytes, size)?;
        let (content, checksum) = whole.split_at(content as usize);
        if crc32fast::hash(content).to_le_bytes() != *checksum {
            return Err(TableError::Damaged(
                "the checksum of its header does not match".to_owned(),
            ));
        }
        let mut reader = ByteReader(&content[fixed..]);
        let mut offset = size;
        let mut extent = |size: u32, checksum| {
            let extent = Extent { offset, size, checksum };
            offset += u64::from(size);
            extent
        };
        header.models = extent(reader.u32(), reader.u16());
        header.runs = reader.slice(runs).to_vec();
        let parts = header.parts_per_block() * blocks;
        header.parts.try_reserve_exact(parts).map_err(std::io::Error::from)?;
        header.parts.extend((0..parts).map(|_| {
            let size = if size_bytes == 2 { u32::from(reader.u16()) } else { reader.u32() };
            extent(size, reader.u16())
        }));
        TableError::expect_size(bytes.size()?, offset)?;
        Ok(header)
    }

    /// The bytes of the header.
    ///
    /// # Errors
    /// If a block is too large for the format.
    pub fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let (_, size_bytes) = sizes_of(self.game);
        let mut bytes = MAGIC.to_vec();
        let version = match self.form() {
            TableForm::Distances => VERSION_OF_DISTANCES,
            TableForm::Wdl => VERSION_OF_RESULTS,
        };
        bytes.extend(version.to_le_bytes());
        bytes.push(self.game as u8);
        bytes.extend(&self.material);
        bytes.extend(self.statistics.to_bytes());
        for number in [
            self.units as u32,
            (self.parts.len() / self.parts_per_block()) as u32,
            self.models.size,
        ] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.models.checksum.to_le_bytes());
        bytes.extend(&self.runs);
        for extent in &self.parts {
            let size = extent.size.to_le_bytes();
            let (size, rest) = size.split_at(size_bytes);
            if rest.iter().any(|&byte| byte != 0) {
                return Err(std::io::Error::other("a block is too large"));
            }
            bytes.extend(size);
            bytes.extend(extent.checksum.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }
}
