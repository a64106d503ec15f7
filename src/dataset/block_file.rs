//! Files of packed positions, in blocks with checksums.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use thiserror::Error;

use super::packed_position::PackedPosition;
use crate::variant::Variant;

const MAGIC: [u8; 8] = *b"QIRKDATA";
const VERSION: u16 = 1;
pub(super) const FILE_HEADER: usize = 16;
pub(super) const BLOCK_HEADER: usize = 24;
/// More positions than any block holds; a larger number is damage.
const MAX_POSITIONS: u32 = 1 << 22;

/// Why a file of positions cannot be read or written.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// Input or output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not such a file.
    #[error("not a file of positions, or of another version")]
    Format,
    /// The positions are of another game than those already there.
    #[error("positions of {}, not of {}", .found.title(), .wanted.title())]
    Variant {
        /// The game of the file.
        found: Variant,
        /// The game of the others.
        wanted: Variant,
    },
    /// A checksum is wrong, or a block is cut off.
    #[error("block {number} at byte {offset} is damaged; `qirkat data repair` saves the others")]
    Damaged {
        /// Which block, from 1.
        number: u64,
        /// Its offset in bytes.
        offset: u64,
    },
}

/// Records that were written together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The positions.
    pub positions: Vec<PackedPosition>,
    /// How many games they come from.
    pub games: u32,
    /// One more than the highest number of these games.
    pub next_game: u64,
}

impl Block {
    fn header(&self) -> [u8; BLOCK_HEADER] {
        let mut hasher = crc32fast::Hasher::new();
        for packed in &self.positions {
            hasher.update(&packed.0);
        }
        let mut header = [0; BLOCK_HEADER];
        header[..4].copy_from_slice(&(self.positions.len() as u32).to_le_bytes());
        header[4..8].copy_from_slice(&hasher.finalize().to_le_bytes());
        header[8..16].copy_from_slice(&self.next_game.to_le_bytes());
        header[16..20].copy_from_slice(&self.games.to_le_bytes());
        let check = crc32fast::hash(&header[..20]);
        header[20..].copy_from_slice(&check.to_le_bytes());
        header
    }
}

/// The header of a block.
pub(super) struct BlockHeader {
    positions: u32,
    checksum: u32,
    next_game: u64,
    games: u32,
}

impl BlockHeader {
    /// Reads a header, if the bytes are one.
    #[inline]
    pub fn read(bytes: &[u8; BLOCK_HEADER]) -> Option<BlockHeader> {
        let u32_at = |place: usize| {
            u32::from_le_bytes([bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3]])
        };
        let header = BlockHeader {
            positions: u32_at(0),
            checksum: u32_at(4),
            next_game: u64::from(u32_at(8)) | u64::from(u32_at(12)) << 32,
            games: u32_at(16),
        };
        let is_sound =
            header.positions <= MAX_POSITIONS && u32_at(20) == crc32fast::hash(&bytes[..20]);
        is_sound.then_some(header)
    }
}

/// Reads the blocks of a file one by one.
pub struct BlockReader<R> {
    pub(super) input: R,
    pub(super) variant: Variant,
    /// Blocks so far, damaged ones included.
    pub(super) blocks: u64,
    /// The offset of the next block in bytes.
    pub(super) offset: u64,
}

impl BlockReader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is something else.
    pub fn open(path: &Path) -> Result<Self, DatasetError> {
        let reader = BlockReader::new(BufReader::new(File::open(path)?))?;
        log::info!("{}: opened to read positions", path.display());
        Ok(reader)
    }
}

impl<R: Read> BlockReader<R> {
    fn new(mut input: R) -> Result<BlockReader<R>, DatasetError> {
        let mut header = [0; FILE_HEADER];
        read_fully(&mut input, &mut header)?;
        let variant = variant_of(&header).ok_or(DatasetError::Format)?;
        Ok(BlockReader { input, variant, blocks: 0, offset: FILE_HEADER as u64 })
    }

    /// The game.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The next block; none at the end.
    ///
    /// # Errors
    /// When it is damaged; a block that was not written to its end counts as damaged.
    pub fn next_block(&mut self) -> Result<Option<Block>, DatasetError> {
        let damaged = DatasetError::Damaged { number: self.blocks + 1, offset: self.offset };
        let mut header = [0; BLOCK_HEADER];
        match read_fully(&mut self.input, &mut header)? {
            0 => return Ok(None),
            BLOCK_HEADER => {}
            _ => return Err(damaged),
        }
        let Some(header) = BlockHeader::read(&header) else { return Err(damaged) };
        let mut bytes = vec![0; header.positions as usize * PackedPosition::SIZE];
        if read_fully(&mut self.input, &mut bytes)? != bytes.len()
            || crc32fast::hash(&bytes) != header.checksum
        {
            return Err(damaged);
        }
        let (positions, _) = bytes.as_chunks::<{ PackedPosition::SIZE }>();
        self.blocks += 1;
        self.offset += (BLOCK_HEADER + bytes.len()) as u64;
        Ok(Some(Block {
            positions: positions.iter().copied().map(PackedPosition).collect(),
            games: header.games,
            next_game: header.next_game,
        }))
    }
}

/// Reads until the buffer is full or the input ends, and returns the number of bytes.
pub(super) fn read_fully(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Writes blocks one after another, and counts what is in them.
pub struct BlockWriter<W> {
    output: W,
    /// Records so far.
    pub positions: u64,
    /// Games so far.
    pub games: u64,
}

impl<W: Write> BlockWriter<W> {
    /// Begins a file of positions of a game.
    ///
    /// # Errors
    /// When its header cannot be written.
    pub fn new(mut output: W, variant: Variant) -> Result<BlockWriter<W>, DatasetError> {
        output.write_all(&file_header(variant))?;
        Ok(BlockWriter { output, positions: 0, games: 0 })
    }

    /// Writes a block.
    ///
    /// # Errors
    /// When that fails; part of it may be written then.
    pub fn write(&mut self, block: &Block) -> Result<(), DatasetError> {
        let mut bytes = block.header().to_vec();
        bytes.extend(block.positions.iter().flat_map(|packed| packed.0));
        self.output.write_all(&bytes)?;
        self.positions += block.positions.len() as u64;
        self.games += u64::from(block.games);
        Ok(())
    }
}

/// Adds blocks to a file that must survive a power cut.
pub struct DatasetWriter {
    blocks: BlockWriter<File>,
    /// One more than the highest number of a game in the file.
    pub next_game: u64,
    /// Bytes of the file that are sound.
    length: u64,
}

/// More bytes than a power cut can leave half written: only one block of
/// `qirkat datagen` is being written at a time.
const MOST_TORN_BYTES: u64 = 1 << 18;

impl DatasetWriter {
    /// Makes a new file for positions of a game.
    ///
    /// # Errors
    /// When there is one already, or it cannot be written.
    pub fn create(path: &Path, variant: Variant) -> Result<DatasetWriter, DatasetError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        log::info!("{}: made, for positions", path.display());
        DatasetWriter::begin(file, variant)
    }

    fn begin(file: File, variant: Variant) -> Result<DatasetWriter, DatasetError> {
        let blocks = BlockWriter::new(file, variant)?;
        blocks.output.sync_all()?;
        Ok(DatasetWriter { blocks, next_game: 0, length: FILE_HEADER as u64 })
    }

    /// Continues a file of positions of a game. A last block that was not written to its end is cut off.
    ///
    /// # Errors
    /// When it cannot be read and written, is something else or of another game, or
    /// is damaged farther from its end than a power cut explains.
    pub fn resume(path: &Path, variant: Variant) -> Result<DatasetWriter, DatasetError> {
        let file_length = std::fs::metadata(path)?.len();
        let open = || OpenOptions::new().write(true).open(path);
        if file_length == 0 {
            return DatasetWriter::begin(open()?, variant);
        }
        let mut reader = BlockReader::open(path)?;
        if reader.variant != variant {
            return Err(DatasetError::Variant { found: reader.variant, wanted: variant });
        }
        let (mut positions, mut games, mut next_game) = (0, 0, 0);
        loop {
            match reader.next_block() {
                Ok(Some(block)) => {
                    positions += block.positions.len() as u64;
                    games += u64::from(block.games);
                    next_game = block.next_game.max(next_game);
                }
                Ok(None) => break,
                Err(DatasetError::Damaged { offset, .. })
                    if file_length.saturating_sub(offset) <= MOST_TORN_BYTES =>
                {
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let blocks = BlockWriter { output: open()?, positions, games };
        let mut writer = DatasetWriter { blocks, next_game, length: reader.offset };
        log::info!(
            "{}: {positions} positions of {games} games, {} bytes cut off behind them",
            path.display(),
            file_length.saturating_sub(writer.length)
        );
        writer.cut()?;
        Ok(writer)
    }

    /// Cuts off everything after the last sound block.
    fn cut(&mut self) -> Result<(), DatasetError> {
        let file = &mut self.blocks.output;
        file.set_len(self.length)?;
        file.seek(SeekFrom::Start(self.length))?;
        Ok(())
    }

    /// Writes a block and flushes it to the disk.
    ///
    /// # Errors
    /// When that fails; the file is as before then.
    pub fn write(&mut self, block: &Block) -> Result<(), DatasetError> {
        let (positions, games) = (self.positions(), self.games());
        let written = self.blocks.write(block).and_then(|()| Ok(self.blocks.output.sync_data()?));
        if let Err(error) = written {
            (self.blocks.positions, self.blocks.games) = (positions, games);
            self.cut()?;
            return Err(error);
        }
        self.length += (BLOCK_HEADER + block.positions.len() * PackedPosition::SIZE) as u64;
        self.next_game = self.next_game.max(block.next_game);
        Ok(())
    }

    /// Records in the file.
    pub fn positions(&self) -> u64 {
        self.blocks.positions
    }

    /// Games in the file.
    pub fn games(&self) -> u64 {
        self.blocks.games
    }
}

const VARIANT_AT: usize = 12;

/// What stands for a game in the header: bytes that differ in more than one bit, so
/// that damage does not make one of the other.
const fn variant_byte(variant: Variant) -> u8 {
    match variant {
        Variant::Chesquerque => 0,
        Variant::Masonic => b'M',
        Variant::Alquerque => b'A',
    }
}

fn file_header(variant: Variant) -> [u8; FILE_HEADER] {
    let mut header = [0; FILE_HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&VERSION.to_le_bytes());
    header[10..VARIANT_AT].copy_from_slice(&(PackedPosition::SIZE as u16).to_le_bytes());
    header[VARIANT_AT] = variant_byte(variant);
    header
}

/// The game of a file with this header; none if it is not a header.
pub(super) fn variant_of(header: &[u8; FILE_HEADER]) -> Option<Variant> {
    Variant::ALL.into_iter().find(|&variant| file_header(variant) == *header)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(number: u8, count: usize) -> Block {
        let positions = vec![PackedPosition([number; PackedPosition::SIZE]); count];
        Block { positions, games: u32::from(number), next_game: u64::from(number) * 100 }
    }

    /// Blocks come back; a torn one is left out and written over; a damaged
    /// byte is noticed wherever it is.
    #[test]
    fn torn_and_damaged_blocks_are_noticed() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("data");
        let blocks = [block(1, 3), block(2, 5), block(3, 0)];
        let mut writer = DatasetWriter::create(&path, Variant::Masonic).expect("a new file");
        for block in &blocks {
            writer.write(block).expect("room on the disk");
        }
        assert!(DatasetWriter::create(&path, Variant::Masonic).is_err(), "nothing is overwritten");
        let whole = std::fs::read(&path).expect("the file is there");
        let read = |bytes: &[u8]| {
            let mut reader = BlockReader::new(bytes)?;
            let mut found = Vec::new();
            while let Some(block) = reader.next_block()? {
                found.push(block);
            }
            Ok::<_, DatasetError>(found)
        };
        assert_eq!(read(&whole).expect("it is sound"), blocks);
        let other = DatasetWriter::resume(&path, Variant::Alquerque);
        assert!(matches!(other, Err(DatasetError::Variant { found: Variant::Masonic, .. })));
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            assert!(read(&damaged).is_err(), "byte {place}");
        }

        let second = FILE_HEADER + BLOCK_HEADER + 3 * PackedPosition::SIZE;
        for torn in [second, second + 1, second + BLOCK_HEADER, second + BLOCK_HEADER + 40] {
            std::fs::write(&path, &whole[..torn]).expect("room on the disk");
            let mut writer =
                DatasetWriter::resume(&path, Variant::Masonic).expect("the file is there");
            assert_eq!((writer.positions(), writer.games(), writer.next_game), (3, 1, 100));
            writer.write(&blocks[1]).expect("room on the disk");
            let bytes = std::fs::read(&path).expect("the file is there");
            assert_eq!(read(&bytes).expect("it is sound"), blocks[..2]);
        }

        std::fs::write(&path, []).expect("room on the disk");
        let mut writer =
            DatasetWriter::resume(&path, Variant::Masonic).expect("cut at the very beginning");
        writer.write(&blocks[0]).expect("room on the disk");
        let bytes = std::fs::read(&path).expect("the file is there");
        assert_eq!(read(&bytes).expect("it is sound"), blocks[..1]);
    }

    /// Going on with a file cuts off what a power cut can have torn, and never
    /// the sound blocks behind a damaged one.
    #[test]
    fn damage_far_from_the_end_is_no_torn_block() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("data");
        let mut writer = DatasetWriter::create(&path, Variant::Masonic).expect("a new file");
        let many = block(1, MOST_TORN_BYTES as usize / PackedPosition::SIZE);
        for block in [&block(2, 1), &many] {
            writer.write(block).expect("room on the disk");
        }
        let mut bytes = std::fs::read(&path).expect("the file is there");
        bytes[FILE_HEADER] ^= 1;
        std::fs::write(&path, &bytes).expect("room on the disk");
        let resumed = DatasetWriter::resume(&path, Variant::Masonic);
        assert!(matches!(resumed, Err(DatasetError::Damaged { number: 1, .. })));
        assert_eq!(std::fs::read(&path).expect("the file is there"), bytes);
    }
}
