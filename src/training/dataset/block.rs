//! The format of files of packed positions: the file's header, and blocks with checksums.

use qirkat_rules::variant::Variant;

use super::DatasetError;
use super::packed_position::PackedPosition;
use qirkat_system::format_version::OtherVersion;

const MAGIC: [u8; 8] = *b"QIRKDATA";
const VERSION: u16 = 1;
/// Bytes of the file's header.
pub(super) const FILE_HEADER: usize = 16;
/// Bytes of the header of a block.
pub(super) const BLOCK_HEADER: usize = 24;
/// More positions than any block holds; a larger number is damage.
const MAX_POSITIONS: u32 = 1 << 22;

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
    /// The header that stands before the positions.
    pub(super) fn header(&self) -> [u8; BLOCK_HEADER] {
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

#[cfg(test)]
impl Block {
    /// A block with this many positions, all of whose bytes are its number.
    pub(super) fn numbered(number: u8, count: usize) -> Block {
        let positions = vec![PackedPosition([number; PackedPosition::SIZE]); count];
        Block { positions, games: u32::from(number), next_game: u64::from(number) * 100 }
    }
}

/// The header of a block.
pub(super) struct BlockHeader {
    pub positions: u32,
    /// CRC-32 of the positions.
    pub checksum: u32,
    pub next_game: u64,
    pub games: u32,
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

/// The header of a file with positions of a game.
pub(super) fn file_header(variant: Variant) -> [u8; FILE_HEADER] {
    let mut header = [0; FILE_HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&VERSION.to_le_bytes());
    header[10..VARIANT_AT].copy_from_slice(&(PackedPosition::SIZE as u16).to_le_bytes());
    header[VARIANT_AT] = variant_byte(variant);
    header
}

/// The game of a file with this header.
///
/// # Errors
/// When it is no header, or one of another version of the format.
pub(super) fn variant_of(header: &[u8; FILE_HEADER]) -> Result<Variant, DatasetError> {
    let found = u16::from_le_bytes([header[8], header[9]]);
    if header.starts_with(&MAGIC) && found != VERSION {
        let (found, known) = (found.into(), VERSION.into());
        return Err(DatasetError::Version(OtherVersion { found, known }));
    }
    let variant = Variant::ALL.into_iter().find(|&variant| file_header(variant) == *header);
    variant.ok_or(DatasetError::Format)
}
