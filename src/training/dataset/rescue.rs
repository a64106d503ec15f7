//! Recovery: reads on after damage in a file of training data.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::Path;

use qirkat_rules::variant::Variant;

use super::DatasetError;
use super::block::{BLOCK_HEADER, Block, BlockHeader, FILE_HEADER, Form, read_header};
use super::block_file::{BlockReader, read_fully};

/// Bytes that are searched at a time.
const WINDOW: usize = 1 << 20;

/// A part of a file that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Which block it begins with, from 1.
    pub block: u64,
    /// Its offset in bytes.
    pub offset: u64,
    /// Its length in bytes, up to the next sound block or the end.
    pub bytes: u64,
}

/// The content of a file from one place on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    Block(Block),
    /// Damage before the next one.
    Damage(Damage),
}

impl BlockReader<BufReader<File>> {
    /// Opens a file whose header may be damaged too; it is then read as one of
    /// Chesquerque, in the form in which there is a sound block.
    ///
    /// # Errors
    /// When it cannot be read, or is no plain file.
    pub fn open_damaged(path: &Path) -> Result<Self, DatasetError> {
        // A device might never end, and nothing can be looked for in a pipe.
        if !path.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file").into());
        }
        let mut input = BufReader::new(File::open(path)?);
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
            while !is_right && let Some(found) = reader.next_found()? {
                is_right = matches!(found, Found::Block(block) if !block.content.is_empty());
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

    /// The next block, or the damage in its place; none at the end.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn next_found(&mut self) -> Result<Option<Found>, DatasetError> {
        match self.next_block() {
            Ok(block) => Ok(block.map(Found::Block)),
            Err(DatasetError::Damaged { number, offset }) => {
                self.find_sound_block()?;
                let bytes = self.offset - offset;
                Ok(Some(Found::Damage(Damage { block: number, offset, bytes })))
            }
            Err(error) => Err(error),
        }
    }

    /// Goes from a damaged block to the next sound one, or to the end. Bytes may have
    /// been lost or inserted, so that it can begin anywhere.
    fn find_sound_block(&mut self) -> Result<(), DatasetError> {
        let mut window = vec![0; WINDOW];
        let mut start = self.offset + 1;
        self.blocks += 1;
        loop {
            self.input.seek(SeekFrom::Start(start))?;
            let length = read_fully(&mut self.input, &mut window)?;
            for (place, bytes) in (0..).zip(window[..length].array_windows::<BLOCK_HEADER>()) {
                if BlockHeader::read(bytes, self.form).is_some()
                    && self.has_block_at(start + place)?
                {
                    return Ok(());
                }
            }
            if length < window.len() {
                self.offset = self.input.seek(SeekFrom::End(0))?;
                return Ok(());
            }
            // A header may begin in this window and end in the next.
            start += (length + 1 - BLOCK_HEADER) as u64;
        }
    }

    /// Whether a sound block begins there; if so it is the next to be read.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::DatasetWriter;

    /// The blocks found in a file of these bytes, and how many bytes are damaged.
    fn found(bytes: &[u8]) -> (Vec<Block>, u64) {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("data");
        std::fs::write(&path, bytes).expect("room on the disk");
        let mut reader = BlockReader::open_damaged(&path).expect("it is there");
        let (mut blocks, mut lost) = (Vec::new(), 0);
        while let Some(found) = reader.next_found().expect("it can be read") {
            match found {
                Found::Block(block) => blocks.push(block),
                Found::Damage(damage) => {
                    assert!(damage.offset + damage.bytes <= bytes.len() as u64, "{damage:?}");
                    lost += damage.bytes;
                }
            }
        }
        (blocks, lost)
    }

    /// Whatever byte is changed, missing or too many, the blocks it does not
    /// lie in are found.
    #[test]
    fn sound_blocks_are_found_behind_any_damage() {
        Form::ALL.into_iter().for_each(find_behind_damage);
    }

    fn find_behind_damage(form: Form) {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("data");
        let blocks = [
            Block::numbered(form, 1, 3),
            Block::numbered(form, 2, 5),
            Block::numbered(form, 3, 0),
            Block::numbered(form, 4, 2),
        ];
        let mut writer =
            DatasetWriter::open(&path, Variant::Chesquerque, form).expect("a new file");
        let mut starts = vec![FILE_HEADER];
        for block in &blocks {
            writer.write(block).expect("room on the disk");
            let size = BLOCK_HEADER + block.content.len();
            starts.push(starts[starts.len() - 1] + size);
        }
        let whole = std::fs::read(&path).expect("the file is there");
        assert_eq!(found(&whole), (blocks.to_vec(), 0));
        for place in 0..whole.len() {
            let hit = starts.iter().filter(|&&start| start <= place).count().checked_sub(1);
            let left: Vec<Block> = (0..blocks.len())
                .filter(|&index| Some(index) != hit)
                .map(|index| blocks[index].clone())
                .collect();
            let mut changed = whole.clone();
            changed[place] ^= 1;
            let mut shorter = whole.clone();
            shorter.remove(place);
            let mut longer = whole.clone();
            longer.insert(place, 77);
            for damaged in [changed, shorter] {
                let (blocks, lost) = found(&damaged);
                assert_eq!(blocks, left, "byte {place}");
                assert!(lost > 0, "byte {place}");
            }
            // A byte before a block harms nothing in it.
            let (kept, lost) = found(&longer);
            let at_start = starts.contains(&place);
            assert_eq!(kept, if at_start { blocks.to_vec() } else { left }, "byte {place}");
            assert!(lost > 0 && (!at_start || lost == 1), "byte {place}");
        }
    }

    /// A sound block that begins at the end of what is looked through at once.
    #[test]
    fn windows_overlap() {
        let whole = {
            let folder = tempfile::tempdir().expect("a folder for the test");
            let path = folder.path().join("data");
            let mut writer =
                DatasetWriter::open(&path, Variant::Chesquerque, Form::Games).expect("a new file");
            writer.write(&Block::numbered(Form::Games, 9, 4)).expect("room on the disk");
            std::fs::read(&path).expect("the file is there")
        };
        for shift in [WINDOW - 30, WINDOW - 23, WINDOW - 1, WINDOW, WINDOW + 1] {
            let mut bytes = vec![0xA5; shift];
            bytes.extend_from_slice(&whole[FILE_HEADER..]);
            assert_eq!(
                found(&bytes),
                (vec![Block::numbered(Form::Games, 9, 4)], shift as u64),
                "{shift}"
            );
        }
        assert_eq!(found(&[]), (vec![], 0));
    }
}
