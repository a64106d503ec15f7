//! Reads and writes training data files block by block. Reading can skip damaged parts; appending
//! survives a power cut.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use qirkat_rules::variant::Variant;
use qirkat_system::input_file::open_regular_file;
use qirkat_system::output_file::open_exclusive;

use crate::dataset::DatasetError;
use crate::dataset::block::{
    BLOCK_HEADER, Block, BlockHeader, FILE_HEADER, Form, MAGIC, file_header, read_header,
};

pub struct BlockReader<R> {
    input: R,
    pub variant: Variant,
    pub form: Form,
    /// Blocks so far, including damaged ones.
    blocks: u64,
    /// In bytes.
    offset: u64,
}

impl BlockReader<BufReader<File>> {
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
        if there < FILE_HEADER && header[..there].starts_with(&MAGIC) {
            return Err(DatasetError::Short(there));
        }
        let (variant, form) = read_header(&header)?;
        Ok(BlockReader { input, variant, form, blocks: 0, offset: FILE_HEADER as u64 })
    }

    /// The next block; `None` at the end.
    ///
    /// # Errors
    /// If the block is damaged or incomplete.
    pub fn next_block(&mut self) -> Result<Option<Block>, DatasetError> {
        let damaged = DatasetError::Damaged { number: self.blocks + 1, offset: self.offset };
        let mut header = [0; BLOCK_HEADER];
        match read_fully(&mut self.input, &mut header)? {
            0 => return Ok(None),
            BLOCK_HEADER => {}
            _ => return Err(damaged),
        }
        let Some(header) = BlockHeader::read(&header, self.form) else { return Err(damaged) };
        // Allocate for the bytes that exist, not for what the header claims.
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

fn read_fully(input: &mut impl Read, mut buffer: &mut [u8]) -> io::Result<usize> {
    let mut wanted = input.take(buffer.len() as u64);
    Ok(io::copy(&mut wanted, &mut buffer)? as usize)
}

pub struct BlockWriter<W> {
    output: W,
    form: Form,
    pub positions: u64,
    pub games: u64,
}

impl<W: Write> BlockWriter<W> {
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
    /// [`DatasetError::Form`] for a block of the other form; or when writing fails, possibly
    /// midway.
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

/// Bytes scanned at a time.
const WINDOW: usize = 1 << 20;

/// An unreadable part of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Number of its first block, from 1.
    pub block: u64,
    /// In bytes.
    pub offset: u64,
    /// In bytes, up to the next valid block or the end.
    pub bytes: u64,
}

/// The next part of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FilePart {
    Block(Block),
    /// Damage before the next block.
    Damage(Damage),
}

impl BlockReader<BufReader<File>> {
    /// Opens a file whose header may be damaged too; if so, it is read as Chesquerque, in the form
    /// in which a valid block is found.
    pub fn open_damaged(path: &Path) -> Result<Self, DatasetError> {
        let mut input = BufReader::new(open_regular_file(path)?);
        let mut header = [0; FILE_HEADER];
        read_fully(&mut input, &mut header)?;
        if let Ok((variant, form)) = read_header(&header) {
            return Ok(BlockReader { input, variant, form, blocks: 0, offset: FILE_HEADER as u64 });
        }
        let (variant, mut form) = (Variant::default(), Form::Games);
        for guess in Form::ALL {
            input.rewind()?;
            let mut reader = BlockReader { input, variant, form: guess, blocks: 0, offset: 0 };
            let mut is_right = false;
            while !is_right && let Some(found) = reader.next_part()? {
                is_right = matches!(found, FilePart::Block(block) if !block.content.is_empty());
            }
            BlockReader { input, .. } = reader;
            if is_right {
                form = guess;
                break;
            }
        }
        input.rewind()?;
        Ok(BlockReader { input, variant, form, blocks: 0, offset: 0 })
    }

    /// The next block, or the damage in its place; `None` at the end.
    pub fn next_part(&mut self) -> Result<Option<FilePart>, DatasetError> {
        match self.next_block() {
            Ok(block) => Ok(block.map(FilePart::Block)),
            Err(DatasetError::Damaged { number, offset }) => {
                self.find_sound_block()?;
                let bytes = self.offset - offset;
                Ok(Some(FilePart::Damage(Damage { block: number, offset, bytes })))
            }
            Err(error) => Err(error),
        }
    }

    /// Skips from a damaged block to the next valid one or the end. Bytes may have been lost or
    /// inserted, so every offset is tried.
    fn find_sound_block(&mut self) -> Result<(), DatasetError> {
        let mut window = vec![0; WINDOW];
        let mut start = self.offset + 1;
        self.blocks += 1;
        loop {
            self.input.seek(SeekFrom::Start(start))?;
            let length = read_fully(&mut self.input, &mut window)?;
            for (offset, bytes) in (0..).zip(window[..length].array_windows::<BLOCK_HEADER>()) {
                if BlockHeader::read(bytes, self.form).is_some()
                    && self.has_block_at(start + offset)?
                {
                    return Ok(());
                }
            }
            if length < window.len() {
                self.offset = self.input.seek(SeekFrom::End(0))?;
                return Ok(());
            }
            // A header may cross the end of this window.
            start += (length + 1 - BLOCK_HEADER) as u64;
        }
    }

    /// Whether a valid block starts at this offset; if so, it is read next.
    fn has_block_at(&mut self, offset: u64) -> Result<bool, DatasetError> {
        let (before, blocks) = (self.offset, self.blocks);
        self.input.seek(SeekFrom::Start(offset))?;
        self.offset = offset;
        let read = self.next_block();
        self.blocks = blocks;
        let is_sound = match read {
            Ok(block) => block.is_some(),
            Err(DatasetError::Damaged { .. }) => false,
            Err(error) => return Err(error),
        };
        self.offset = if is_sound { offset } else { before };
        self.input.seek(SeekFrom::Start(self.offset))?;
        Ok(is_sound)
    }
}

/// Appends blocks to a file in such a way that it survives a power cut.
pub struct DatasetWriter {
    /// What is in the file; in games, only quiet positions count.
    pub blocks: BlockWriter<File>,
    /// One more than the highest game number in the file.
    pub next_game: u64,
    /// Length of the valid part.
    length: u64,
    /// Bytes of an incomplete block that were cut off on opening.
    pub cut_off: u64,
}

/// More bytes than a power cut can leave incomplete: `qirkat datagen` writes one block at a time.
const MAX_TORN_BYTES: u64 = 1 << 18;

impl DatasetWriter {
    /// Opens and locks a new or existing file for this variant and form. An incomplete last block
    /// is cut off.
    ///
    /// # Errors
    /// If another process has it open, if it cannot be read and written, has another format,
    /// variant or form, or has damage that no power cut explains: before a valid block, or further
    /// from the end than one block.
    pub fn open(path: &Path, variant: Variant, form: Form) -> Result<DatasetWriter, DatasetError> {
        let file = open_exclusive(path, OpenOptions::new().create(true).read(true).write(true))?;
        let file_length = file.metadata()?.len();
        if file_length == 0 {
            log::info!("{}: made, for {form:?}", path.display());
            let blocks = BlockWriter::new(file, variant, form)?;
            blocks.output.sync_all()?;
            return Ok(DatasetWriter {
                blocks,
                next_game: 0,
                length: FILE_HEADER as u64,
                cut_off: 0,
            });
        }
        let mut reader = BlockReader::new(BufReader::new(file.try_clone()?))?;
        if reader.variant != variant {
            return Err(DatasetError::Variant { found: reader.variant, wanted: variant });
        }
        if reader.form != form {
            return Err(DatasetError::Form);
        }
        let (mut positions, mut games, mut next_game) = (0, 0, 0);
        let mut cut_off = 0;
        while let Some(found) = reader.next_part()? {
            match found {
                FilePart::Block(block) => {
                    positions += block.count();
                    games += u64::from(block.games);
                    next_game = block.next_game.max(next_game);
                }
                FilePart::Damage(damage)
                    if damage.bytes <= MAX_TORN_BYTES
                        && damage.offset + damage.bytes == file_length =>
                {
                    cut_off = damage.bytes;
                }
                FilePart::Damage(Damage { block: number, offset, .. }) => {
                    return Err(DatasetError::Damaged { number, offset });
                }
            }
        }
        let blocks = BlockWriter { output: file, form, positions, games };
        let mut writer =
            DatasetWriter { blocks, next_game, length: reader.offset - cut_off, cut_off };
        log::info!("{}: {positions} positions of {games} games", path.display());
        writer.cut()?;
        Ok(writer)
    }

    fn cut(&mut self) -> Result<(), DatasetError> {
        let file = &mut self.blocks.output;
        file.set_len(self.length)?;
        file.seek(SeekFrom::Start(self.length))?;
        Ok(())
    }

    /// Writes a block and flushes it to disk.
    ///
    /// # Errors
    /// If that fails; the file is then unchanged.
    pub fn write(&mut self, block: &Block) -> Result<(), DatasetError> {
        let (positions, games) = (self.blocks.positions, self.blocks.games);
        let written = self.blocks.write(block).and_then(|()| Ok(self.blocks.output.sync_data()?));
        if let Err(error) = written {
            (self.blocks.positions, self.blocks.games) = (positions, games);
            self.cut()?;
            return Err(error);
        }
        self.length += (BLOCK_HEADER + block.content.len()) as u64;
        self.next_game = self.next_game.max(block.next_game);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use qirkat_testing::effort;
    use tempfile::TempDir;

    use super::*;
    use crate::dataset::PackedPosition;

    fn numbered(form: Form, number: u8, count: usize) -> Block {
        let content = vec![number; count * PackedPosition::SIZE];
        Block { form, content, games: u32::from(number), next_game: u64::from(number) * 100 }
    }

    fn written(variant: Variant, form: Form, blocks: &[Block]) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("data");
        let mut writer = DatasetWriter::open(&path, variant, form).expect("a new file");
        blocks.iter().for_each(|block| writer.write(block).expect("room on the disk"));
        (folder, path)
    }

    fn found(bytes: &[u8]) -> (Vec<Block>, u64) {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("data");
        std::fs::write(&path, bytes).expect("room on the disk");
        let mut reader = BlockReader::open_damaged(&path).expect("it is there");
        let (mut blocks, mut lost) = (Vec::new(), 0);
        while let Some(found) = reader.next_part().expect("it can be read") {
            match found {
                FilePart::Block(block) => blocks.push(block),
                FilePart::Damage(damage) => {
                    assert!(damage.offset + damage.bytes <= bytes.len() as u64, "{damage:?}");
                    lost += damage.bytes;
                }
            }
        }
        (blocks, lost)
    }

    #[test]
    fn valid_blocks_are_found_after_any_damage() {
        Form::ALL.into_iter().for_each(find_after_damage);
    }

    fn find_after_damage(form: Form) {
        let blocks =
            [(1, 3), (2, 5), (3, 0), (4, 2)].map(|(number, count)| numbered(form, number, count));
        let (_folder, path) = written(Variant::Chesquerque, form, &blocks);
        let mut starts = vec![FILE_HEADER];
        for block in &blocks {
            starts.push(starts[starts.len() - 1] + BLOCK_HEADER + block.content.len());
        }
        let whole = std::fs::read(&path).expect("the file is there");
        assert_eq!(found(&whole), (blocks.to_vec(), 0));
        let offsets = (0..whole.len()).step_by(effort([7, 1, 1]));
        for offset in offsets.chain(starts.clone()).filter(|&offset| offset < whole.len()) {
            let hit = starts.iter().filter(|&&start| start <= offset).count().checked_sub(1);
            let left: Vec<Block> = (0..blocks.len())
                .filter(|&index| Some(index) != hit)
                .map(|index| blocks[index].clone())
                .collect();
            let mut changed = whole.clone();
            changed[offset] ^= 1;
            let mut shorter = whole.clone();
            shorter.remove(offset);
            let mut longer = whole.clone();
            longer.insert(offset, 77);
            for damaged in [changed, shorter] {
                let (blocks, lost) = found(&damaged);
                assert_eq!(blocks, left, "byte {offset}");
                assert!(lost > 0, "byte {offset}");
            }
            // An inserted byte before a block does not damage it.
            let (kept, lost) = found(&longer);
            let at_start = starts.contains(&offset);
            assert_eq!(kept, if at_start { blocks.to_vec() } else { left }, "byte {offset}");
            assert!(lost > 0 && (!at_start || lost == 1), "byte {offset}");
        }
    }

    #[test]
    fn blocks_across_windows_are_found() {
        let block = numbered(Form::Games, 9, 4);
        let (_folder, path) =
            written(Variant::Chesquerque, Form::Games, std::slice::from_ref(&block));
        let whole = std::fs::read(&path).expect("the file is there");
        for shift in [WINDOW - 30, WINDOW - 23, WINDOW - 1, WINDOW, WINDOW + 1] {
            let mut bytes = vec![0xA5; shift];
            bytes.extend_from_slice(&whole[FILE_HEADER..]);
            assert_eq!(found(&bytes), (vec![block.clone()], shift as u64), "{shift}");
        }
        assert_eq!(found(&[]), (vec![], 0));
    }

    #[test]
    fn torn_and_damaged_blocks_are_detected() {
        let blocks = [(1, 3), (2, 5), (3, 0)]
            .map(|(number, count)| numbered(Form::Positions, number, count));
        let (_folder, path) = written(Variant::Masonic, Form::Positions, &blocks);
        let open = || DatasetWriter::open(&path, Variant::Masonic, Form::Positions);
        let writer = open().expect("nobody writes");
        assert!(open().is_err(), "one at a time");
        drop(writer);
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
        let other = DatasetWriter::open(&path, Variant::Alquerque, Form::Positions);
        assert!(matches!(other, Err(DatasetError::Variant { found: Variant::Masonic, .. })));
        for offset in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[offset] ^= 1;
            assert!(read(&damaged).is_err(), "byte {offset}");
        }

        let second = FILE_HEADER + BLOCK_HEADER + 3 * PackedPosition::SIZE;
        for torn in [second, second + 1, second + BLOCK_HEADER, second + BLOCK_HEADER + 40] {
            std::fs::write(&path, &whole[..torn]).expect("room on the disk");
            let mut writer = open().expect("the file is there");
            let counts = (writer.blocks.positions, writer.blocks.games, writer.next_game);
            assert_eq!(counts, (3, 1, 100));
            writer.write(&blocks[1]).expect("room on the disk");
            let bytes = std::fs::read(&path).expect("the file is there");
            assert_eq!(read(&bytes).expect("it is sound"), blocks[..2]);
        }

        std::fs::write(&path, []).expect("room on the disk");
        let mut writer = open().expect("cut at the very beginning");
        writer.write(&blocks[0]).expect("room on the disk");
        let bytes = std::fs::read(&path).expect("the file is there");
        assert_eq!(read(&bytes).expect("it is sound"), blocks[..1]);
    }

    /// Resuming a file cuts off what a power cut can have torn, but never valid blocks after a
    /// damaged one, nor more than one block.
    #[test]
    fn damage_unlike_a_power_cut_is_rejected() {
        let large = MAX_TORN_BYTES as usize / PackedPosition::SIZE + 1;
        let second = FILE_HEADER + BLOCK_HEADER + PackedPosition::SIZE;
        for (last, offset, number) in [(1, FILE_HEADER, 1), (large, second, 2)] {
            let blocks = [1, last].map(|count| numbered(Form::Positions, 2, count));
            let (_folder, path) = written(Variant::Masonic, Form::Positions, &blocks);
            let mut bytes = std::fs::read(&path).expect("the file is there");
            bytes[offset] ^= 1;
            std::fs::write(&path, &bytes).expect("room on the disk");
            let resumed = DatasetWriter::open(&path, Variant::Masonic, Form::Positions);
            let Err(DatasetError::Damaged { number: found, .. }) = resumed else {
                panic!("block {number} is not seen to be damaged");
            };
            assert_eq!(found, number);
            assert_eq!(std::fs::read(&path).expect("the file is there"), bytes);
        }
    }
}
