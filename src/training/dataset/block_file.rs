//! Reads and writes files of training data, block by block.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use qirkat_rules::variant::Variant;

use super::DatasetError;
use super::block::{
    BLOCK_HEADER, Block, BlockHeader, FILE_HEADER, Form, begins_as_header, file_header, read_header,
};

/// Reads the blocks of a file one by one.
pub struct BlockReader<R> {
    pub(super) input: R,
    pub(super) variant: Variant,
    pub(super) form: Form,
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
        let there = read_fully(&mut input, &mut header)?;
        if there < FILE_HEADER && begins_as_header(&header[..there]) {
            return Err(DatasetError::Short(there));
        }
        let (variant, form) = read_header(&header)?;
        Ok(BlockReader { input, variant, form, blocks: 0, offset: FILE_HEADER as u64 })
    }

    pub const fn variant(&self) -> Variant {
        self.variant
    }

    pub const fn form(&self) -> Form {
        self.form
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
        let Some(header) = BlockHeader::read(&header, self.form) else { return Err(damaged) };
        // Memory is taken for what is there, not for what the header says.
        let mut content = Vec::new();
        self.input.by_ref().take(header.bytes as u64).read_to_end(&mut content)?;
        if content.len() != header.bytes || crc32fast::hash(&content) != header.checksum {
            return Err(damaged);
        }
        self.blocks += 1;
        self.offset += (BLOCK_HEADER + content.len()) as u64;
        let BlockHeader { games, next_game, .. } = header;
        Ok(Some(Block { form: self.form, content, games, next_game }))
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
    pub(super) form: Form,
    /// Positions so far.
    pub positions: u64,
    /// Games so far.
    pub games: u64,
}

impl<W: Write> BlockWriter<W> {
    /// Begins a file of this form, of a game.
    ///
    /// # Errors
    /// When its header cannot be written.
    pub fn new(
        mut output: W,
        variant: Variant,
        form: Form,
    ) -> Result<BlockWriter<W>, DatasetError> {
        output.write_all(&file_header(variant, form))?;
        Ok(BlockWriter { output, form, positions: 0, games: 0 })
    }

    /// Writes a block.
    ///
    /// # Errors
    /// [`DatasetError::Form`] for a block of the other form; or when writing fails: part of it
    /// may be written then.
    pub fn write(&mut self, block: &Block) -> Result<(), DatasetError> {
        if block.form != self.form {
            return Err(DatasetError::Form);
        }
        self.output.write_all(&[&block.header()[..], &block.content].concat())?;
        self.positions += block.count();
        self.games += u64::from(block.games);
        Ok(())
    }
}
