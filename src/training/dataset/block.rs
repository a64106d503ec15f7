//! The format of files of training data: the file's header, and blocks with checksums.

use qirkat_rules::variant::Variant;

use super::DatasetError;
use super::game_record::{pack_game, quiet_positions};
use super::packed_position::PackedPosition;
use qirkat_arena::FinishedGame;
use qirkat_system::format_version::OtherVersion;

const MAGIC: [u8; 8] = *b"QIRKDATA";
/// Bytes of the file's header.
pub(super) const FILE_HEADER: usize = 16;
/// Bytes of the header of a block.
pub(super) const BLOCK_HEADER: usize = 24;
/// The most bytes of a block; a larger number is damage. Games become positions of twelve times
/// their size, which have to lie in memory.
pub(crate) const MAX_BYTES: u32 = 1 << 25;

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Whole games with the scores of their moves, as `datagen` writes them.
    Games,
    /// Positions, the working form: all positions in any order.
    Positions,
}

impl Form {
    pub(super) const ALL: [Form; 2] = [Form::Games, Form::Positions];

    /// The version of the format that has it.
    const fn version(self) -> u16 {
        match self {
            Form::Positions => 1,
            Form::Games => 2,
        }
    }

    /// Bytes of what a block's header counts.
    const fn unit(self) -> usize {
        match self {
            Form::Games => 1,
            Form::Positions => PackedPosition::SIZE,
        }
    }
}

/// Games, or records of positions, that were written together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    pub form: Form,
    /// Its content as it stands in the file.
    pub(super) content: Vec<u8>,
    /// How many games it is from.
    pub games: u32,
    /// One more than the highest number of these games.
    pub next_game: u64,
}

impl Block {
    /// A block of positions, of so many games.
    pub fn of_positions(positions: &[PackedPosition], games: u32, next_game: u64) -> Block {
        let content = positions.iter().flat_map(|packed| packed.0).collect();
        Block { form: Form::Positions, content, games, next_game }
    }

    /// An empty block of games, to which they are added.
    pub(super) fn of_games() -> Block {
        // How many positions the games have comes first.
        let content = vec![0; COUNT_BYTES];
        Block { form: Form::Games, content, games: 0, next_game: 0 }
    }

    /// Adds a game of this number, and gives back how many of its positions are quiet.
    pub(super) fn add_game(&mut self, game: &FinishedGame, number: u64) -> usize {
        let positions = pack_game(game, &mut self.content);
        let count = (self.count() + positions as u64) as u32;
        self.content[..COUNT_BYTES].copy_from_slice(&count.to_le_bytes());
        self.games += 1;
        self.next_game = self.next_game.max(number + 1);
        positions
    }

    /// Bytes of its content.
    pub(crate) fn bytes(&self) -> usize {
        self.content.len()
    }

    /// How many positions it holds; of games the quiet ones.
    pub fn count(&self) -> u64 {
        match self.form {
            Form::Positions => (self.content.len() / PackedPosition::SIZE) as u64,
            Form::Games => {
                self.content.first_chunk().map_or(0, |&count| u32::from_le_bytes(count).into())
            }
        }
    }

    /// Its positions, those of games derived from their moves: the quiet ones, since others are
    /// no use to a trainer.
    ///
    /// # Errors
    /// [`DatasetError::Game`] when a move of a game is not legal.
    pub fn positions(&self, variant: Variant) -> Result<Vec<PackedPosition>, DatasetError> {
        self.positions_with_returns(variant, 0.0)
    }

    /// The same with λ-returns for the scores of games: see [`TrainingData::read`](crate::TrainingData::read).
    pub(crate) fn positions_with_returns(
        &self,
        variant: Variant,
        td_lambda: f64,
    ) -> Result<Vec<PackedPosition>, DatasetError> {
        match self.form {
            Form::Positions => {
                let (positions, _) = self.content.as_chunks::<{ PackedPosition::SIZE }>();
                Ok(positions.iter().copied().map(PackedPosition).collect())
            }
            Form::Games => {
                let games = self.content.get(COUNT_BYTES..).unwrap_or_default();
                quiet_positions(games, variant, td_lambda).ok_or(DatasetError::Game)
            }
        }
    }

    /// The header that stands before the content.
    pub(super) fn header(&self) -> [u8; BLOCK_HEADER] {
        let mut header = [0; BLOCK_HEADER];
        let size = (self.content.len() / self.form.unit()) as u32;
        header[..4].copy_from_slice(&size.to_le_bytes());
        header[4..8].copy_from_slice(&crc32fast::hash(&self.content).to_le_bytes());
        header[8..16].copy_from_slice(&self.next_game.to_le_bytes());
        header[16..20].copy_from_slice(&self.games.to_le_bytes());
        let check = crc32fast::hash(&header[..20]);
        header[20..].copy_from_slice(&check.to_le_bytes());
        header
    }
}

/// Bytes of the number of positions at the beginning of a block of games.
const COUNT_BYTES: usize = 4;

#[cfg(test)]
impl Block {
    /// A block as large as this many positions, all of whose bytes are its number.
    pub(super) fn numbered(form: Form, number: u8, count: usize) -> Block {
        let content = vec![number; count * PackedPosition::SIZE];
        Block { form, content, games: u32::from(number), next_game: u64::from(number) * 100 }
    }
}

pub(super) struct BlockHeader {
    /// Bytes of the content.
    pub bytes: usize,
    /// CRC-32 of the content.
    pub checksum: u32,
    pub next_game: u64,
    pub games: u32,
}

impl BlockHeader {
    /// Reads a header in a file of this form, if the bytes are one.
    #[inline]
    pub fn read(bytes: &[u8; BLOCK_HEADER], form: Form) -> Option<BlockHeader> {
        let u32_at = |place: usize| {
            u32::from_le_bytes([bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3]])
        };
        let header = BlockHeader {
            bytes: (u32_at(0) as usize).saturating_mul(form.unit()),
            checksum: u32_at(4),
            next_game: u64::from(u32_at(8)) | u64::from(u32_at(12)) << 32,
            games: u32_at(16),
        };
        let is_sound =
            header.bytes <= MAX_BYTES as usize && u32_at(20) == crc32fast::hash(&bytes[..20]);
        is_sound.then_some(header)
    }
}

const VARIANT_AT: usize = 12;

/// The byte of a game in the header. These bytes differ in more than one bit, so
/// that damage does not make one of the other.
const fn variant_byte(variant: Variant) -> u8 {
    match variant {
        Variant::Chesquerque => 0,
        Variant::Masonic => b'M',
        Variant::Alquerque => b'A',
    }
}

/// The header of a file of this form, of a game.
pub(super) fn file_header(variant: Variant, form: Form) -> [u8; FILE_HEADER] {
    let mut header = [0; FILE_HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&form.version().to_le_bytes());
    header[10..VARIANT_AT].copy_from_slice(&(form.unit() as u16).to_le_bytes());
    header[VARIANT_AT] = variant_byte(variant);
    header
}

/// Whether a file of these bytes, too few for a header, is one that was cut off.
pub(super) fn begins_as_header(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}

/// The game and the form of a file with this header.
///
/// # Errors
/// When it is no header, or one of another version of the format.
pub(super) fn read_header(header: &[u8; FILE_HEADER]) -> Result<(Variant, Form), DatasetError> {
    let found = u16::from_le_bytes([header[8], header[9]]);
    let Some(form) = Form::ALL.into_iter().find(|form| form.version() == found) else {
        let (found, known) = (found.into(), Form::Games.version().into());
        let is_one = header.starts_with(&MAGIC);
        return Err(if is_one {
            DatasetError::Version(OtherVersion { found, known })
        } else {
            DatasetError::Format
        });
    };
    let variant = Variant::ALL.into_iter().find(|&variant| file_header(variant, form) == *header);
    variant.map(|variant| (variant, form)).ok_or(DatasetError::Format)
}
