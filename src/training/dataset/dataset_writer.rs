//! Adds blocks to a file of training data that must survive a power cut.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Seek, SeekFrom};
use std::path::Path;

use qirkat_rules::variant::Variant;
use qirkat_system::output_file::open_alone;

use super::DatasetError;
use super::block::{BLOCK_HEADER, Block, FILE_HEADER, Form};
use super::block_file::{BlockReader, BlockWriter};
use super::rescue::{Damage, Found};

/// Adds blocks to a file that must survive a power cut.
pub struct DatasetWriter {
    blocks: BlockWriter<File>,
    /// One more than the highest number of a game in the file.
    pub next_game: u64,
    /// Bytes of the file that are sound.
    length: u64,
    /// Bytes of an unfinished block that were cut off when the file was opened.
    pub cut_off: u64,
}

/// More bytes than a power cut can leave half written: only one block of
/// `qirkat datagen` is being written at a time.
const MOST_TORN_BYTES: u64 = 1 << 18;

impl DatasetWriter {
    /// Opens a file for data of a game in this form: a new one, or one that is gone on with. A last
    /// block that was not written to its end is cut off. Nobody else can open it meanwhile.
    ///
    /// # Errors
    /// When another process writes there, when it cannot be read and written, is something
    /// else or of another game or form, or is damaged otherwise than by a power cut: before a sound
    /// block, or farther from its end than one block reaches.
    pub fn open(path: &Path, variant: Variant, form: Form) -> Result<DatasetWriter, DatasetError> {
        let file = open_alone(path, OpenOptions::new().create(true).read(true).write(true))?;
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
        while let Some(found) = reader.next_found()? {
            match found {
                Found::Block(block) => {
                    positions += block.count();
                    games += u64::from(block.games);
                    next_game = block.next_game.max(next_game);
                }
                Found::Damage(damage)
                    if damage.bytes <= MOST_TORN_BYTES
                        && damage.offset + damage.bytes == file_length =>
                {
                    cut_off = damage.bytes;
                }
                Found::Damage(Damage { block: number, offset, .. }) => {
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
        self.length += (BLOCK_HEADER + block.content.len()) as u64;
        self.next_game = self.next_game.max(block.next_game);
        Ok(())
    }

    /// Positions in the file; of games the quiet ones.
    pub fn positions(&self) -> u64 {
        self.blocks.positions
    }

    pub fn games(&self) -> u64 {
        self.blocks.games
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::PackedPosition;

    /// Blocks come back; a torn one is left out and written over; a damaged
    /// byte is noticed wherever it is.
    #[test]
    fn torn_and_damaged_blocks_are_noticed() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("data");
        let blocks = [
            Block::numbered(Form::Positions, 1, 3),
            Block::numbered(Form::Positions, 2, 5),
            Block::numbered(Form::Positions, 3, 0),
        ];
        let mut writer =
            DatasetWriter::open(&path, Variant::Masonic, Form::Positions).expect("a new file");
        for block in &blocks {
            writer.write(block).expect("room on the disk");
        }
        assert!(
            DatasetWriter::open(&path, Variant::Masonic, Form::Positions).is_err(),
            "one at a time"
        );
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
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            assert!(read(&damaged).is_err(), "byte {place}");
        }

        let second = FILE_HEADER + BLOCK_HEADER + 3 * PackedPosition::SIZE;
        for torn in [second, second + 1, second + BLOCK_HEADER, second + BLOCK_HEADER + 40] {
            std::fs::write(&path, &whole[..torn]).expect("room on the disk");
            let mut writer = DatasetWriter::open(&path, Variant::Masonic, Form::Positions)
                .expect("the file is there");
            assert_eq!((writer.positions(), writer.games(), writer.next_game), (3, 1, 100));
            writer.write(&blocks[1]).expect("room on the disk");
            let bytes = std::fs::read(&path).expect("the file is there");
            assert_eq!(read(&bytes).expect("it is sound"), blocks[..2]);
        }

        std::fs::write(&path, []).expect("room on the disk");
        let mut writer = DatasetWriter::open(&path, Variant::Masonic, Form::Positions)
            .expect("cut at the very beginning");
        writer.write(&blocks[0]).expect("room on the disk");
        let bytes = std::fs::read(&path).expect("the file is there");
        assert_eq!(read(&bytes).expect("it is sound"), blocks[..1]);
    }

    /// Going on with a file cuts off what a power cut can have torn, and never
    /// the sound blocks behind a damaged one, nor more than one block.
    #[test]
    fn damage_otherwise_than_by_a_power_cut_is_refused() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("data");
        let large = MOST_TORN_BYTES as usize / PackedPosition::SIZE + 1;
        let second = FILE_HEADER + BLOCK_HEADER + PackedPosition::SIZE;
        for (last, place, number) in [(1, FILE_HEADER, 1), (large, second, 2)] {
            let _ = std::fs::remove_file(&path);
            let mut writer =
                DatasetWriter::open(&path, Variant::Masonic, Form::Positions).expect("a new file");
            for positions in [1, last] {
                let block = Block::numbered(Form::Positions, 2, positions);
                writer.write(&block).expect("room on the disk");
            }
            drop(writer);
            let mut bytes = std::fs::read(&path).expect("the file is there");
            bytes[place] ^= 1;
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
