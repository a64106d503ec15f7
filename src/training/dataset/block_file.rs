//! Reads and writes files of packed positions, block by block.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use qirkat_rules::variant::Variant;

use super::DatasetError;
use super::block::{BLOCK_HEADER, Block, BlockHeader, FILE_HEADER, file_header, variant_of};
use super::packed_position::PackedPosition;

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
    pub(super) fn new(mut input: R) -> Result<BlockReader<R>, DatasetError> {
        let mut header = [0; FILE_HEADER];
        read_fully(&mut input, &mut header)?;
        let variant = variant_of(&header)?;
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
    pub(super) output: W,
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
