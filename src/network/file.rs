//! A network's file. All numbers are little-endian:
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | `QIRKNET` and a zero |
//! | 2 | the version of the format: 1 |
//! | 2 + 2 + 2 | inputs, numbers of each sum, buckets |
//! | `i16` | the row of each input |
//! | `i16` | the sums of a side that sees nothing |
//! | `i16` | for each bucket: weights for the side to move, for the other |
//! | `i32` | for each bucket: what is added |
//! | `u32` | CRC-32 (ISO-HDLC) of all bytes before |

use thiserror::Error;

use super::accumulator::Row;
use super::{
    BUCKETS, HIDDEN, Input, Kernel, Network, NetworkNumbers, OutputWeights, UTMOST_OUTPUT_WEIGHT,
};
use crate::position::Point;

const MAGIC: [u8; 8] = *b"QIRKNET\0";
pub(super) const VERSION: u16 = 1;
const HEADER: usize = 16;
const CHECKSUM: usize = 4;
pub(super) const SIZE: usize =
    HEADER + 2 * HIDDEN * (Input::COUNT + 1 + 2 * BUCKETS) + 4 * BUCKETS + CHECKSUM;

/// Why bytes are no network of this program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// They are something else.
    #[error("not a network of Qirkat")]
    Format,
    /// Another version of the format.
    #[error("a network of format {0}, where this program reads format {VERSION}")]
    Version(u16),
    /// It is built otherwise.
    #[error(
        "a network of {inputs} inputs, {hidden} sums and {buckets} buckets, where this program has {}, {HIDDEN} and {BUCKETS}",
        Input::COUNT
    )]
    Shape {
        /// What a side can see.
        inputs: u16,
        /// Numbers of each sum.
        hidden: u16,
        /// Sets of output weights.
        buckets: u16,
    },
    /// Bytes are missing, or there are too many.
    #[error("{} than the {SIZE} bytes of a network", if .found < &SIZE { "shorter" } else { "longer" })]
    Length {
        /// How many there are.
        found: usize,
    },
    /// It is not as it was written.
    #[error("damaged: its checksum does not fit")]
    Damaged,
    /// It could not be reckoned with.
    #[error("an output weight of {0}, where {UTMOST_OUTPUT_WEIGHT} is the most")]
    OutputWeight(i16),
    /// Its sums could wrap around on a full board.
    #[error("sums of up to {0}, where {most} is the most", most = i16::MAX)]
    Sum(i32),
}

/// Takes numbers from bytes one by one.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    /// The next bytes; zeros where there are none.
    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk() {
            Some((bytes, rest)) => {
                self.0 = rest;
                *bytes
            }
            None => [0; N],
        }
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    fn row(&mut self) -> Row {
        Row([(); HIDDEN].map(|()| i16::from_le_bytes(self.take())))
    }
}

impl Network {
    /// Reads a network.
    ///
    /// # Errors
    /// When it is none, or damaged, or made for another program.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut numbers = Numbers(bytes);
        if numbers.take() != MAGIC {
            return Err(NetworkError::Format);
        }
        let version = numbers.u16();
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let [inputs, hidden, buckets] = [(); 3].map(|()| numbers.u16());
        if [inputs, hidden, buckets].map(usize::from) != [Input::COUNT, HIDDEN, BUCKETS] {
            return Err(NetworkError::Shape { inputs, hidden, buckets });
        }
        let (content, check) = match bytes.split_last_chunk::<CHECKSUM>() {
            Some(parts) if bytes.len() == SIZE => parts,
            _ => return Err(NetworkError::Length { found: bytes.len() }),
        };
        let checksum = crc32fast::hash(content);
        if checksum != u32::from_le_bytes(*check) {
            return Err(NetworkError::Damaged);
        }
        let rows: Box<[Row]> = (0..Input::COUNT).map(|_| numbers.row()).collect();
        let start = numbers.row();
        let sum = utmost_sum(&rows, &start);
        if sum > i16::MAX.into() {
            return Err(NetworkError::Sum(sum));
        }
        let sides = [(); BUCKETS].map(|()| [numbers.row(), numbers.row()]);
        let mut weights = sides.iter().flatten().flat_map(|row| row.0);
        if let Some(weight) =
            weights.find(|weight| weight.unsigned_abs() > UTMOST_OUTPUT_WEIGHT as u16)
        {
            return Err(NetworkError::OutputWeight(weight));
        }
        let outputs =
            sides.map(|sides| OutputWeights { sides, start: i32::from_le_bytes(numbers.take()) });
        Ok(Network { rows, start, outputs: Box::new(outputs), kernel: Kernel::best(), checksum })
    }

    /// Bytes of a network's file.
    pub const FILE_SIZE: usize = SIZE;

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows: Vec<[i16; HIDDEN]> = self.rows.iter().map(|row| row.0).collect();
        bytes_of(&NetworkNumbers {
            rows: &rows,
            start: self.start.0,
            outputs: self.outputs.map(|weights| weights.sides.map(|row| row.0)),
            output_starts: self.outputs.map(|weights| weights.start),
        })
    }
}

/// The most that any sum can come to, above or below zero: a man on every
/// point, each of the kind that moves the sum most.
fn utmost_sum(rows: &[Row], start: &Row) -> i32 {
    let sizes = |row: &Row| row.0.map(|number| i32::from(number).abs());
    let mut sums = sizes(start);
    for point in 0..Point::COUNT {
        let mut utmost = [0; HIDDEN];
        for row in rows.iter().skip(point).step_by(Point::COUNT) {
            for (most, size) in utmost.iter_mut().zip(sizes(row)) {
                *most = size.max(*most);
            }
        }
        for (sum, most) in sums.iter_mut().zip(utmost) {
            *sum += most;
        }
    }
    sums.into_iter().max().unwrap_or_default()
}

pub(super) fn bytes_of(numbers: &NetworkNumbers<'_>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for number in [usize::from(VERSION), numbers.rows.len(), HIDDEN, BUCKETS] {
        bytes.extend((number as u16).to_le_bytes());
    }
    let outputs = numbers.outputs.iter().flatten();
    for row in numbers.rows.iter().chain([&numbers.start]).chain(outputs) {
        bytes.extend(row.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes.extend(numbers.output_starts.iter().flat_map(|start| start.to_le_bytes()));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::random_network;

    #[test]
    fn networks_come_back_and_damage_is_told() {
        let network = random_network(2);
        let bytes = network.to_bytes();
        let read = Network::from_bytes(&bytes).expect("it is sound");
        assert_eq!(read.to_bytes(), bytes);
        assert_eq!(read.checksum(), network.checksum());

        let with = |place: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[place] = byte;
            Network::from_bytes(&bytes).err()
        };
        assert_eq!(with(0, b'X'), Some(NetworkError::Format));
        assert_eq!(with(8, 9), Some(NetworkError::Version(9)));
        let other = HIDDEN as u16 & 0xFF00 | 9;
        assert!(matches!(with(12, 9), Some(NetworkError::Shape { hidden, .. }) if hidden == other));
        for place in [HEADER, SIZE / 2, SIZE - 5, SIZE - 1] {
            assert_eq!(with(place, !bytes[place]), Some(NetworkError::Damaged), "byte {place}");
        }
        for length in [HEADER, SIZE / 2, SIZE - 1] {
            let error = Network::from_bytes(&bytes[..length]).err();
            assert_eq!(error, Some(NetworkError::Length { found: length }));
        }
        for length in 0..HEADER {
            assert!(Network::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
        }
        let longer = [&bytes[..], &[0]].concat();
        let error = Network::from_bytes(&longer).err();
        assert_eq!(error, Some(NetworkError::Length { found: SIZE + 1 }));

        let mut heavy = bytes[..SIZE - CHECKSUM].to_vec();
        let output = SIZE - CHECKSUM - 4 * BUCKETS - 2;
        heavy[output..output + 2].copy_from_slice(&(UTMOST_OUTPUT_WEIGHT + 1).to_le_bytes());
        heavy.extend(crc32fast::hash(&heavy).to_le_bytes());
        let error = Network::from_bytes(&heavy).err();
        assert_eq!(error, Some(NetworkError::OutputWeight(UTMOST_OUTPUT_WEIGHT + 1)));
    }

    /// Sums may reach what 16 bits hold, and no more, whether upwards or
    /// downwards. On each point one kind of man counts, and not always the
    /// same.
    #[test]
    fn sums_that_could_wrap_around_are_refused() {
        let network = |first: i16| {
            let mut rows = vec![[0; HIDDEN]; Input::COUNT];
            for point in 0..Point::COUNT {
                let kind = point % Input::KINDS;
                rows[kind * Point::COUNT + point][7] = 400;
                rows[(kind + 1) % Input::KINDS * Point::COUNT + point][7] = -404;
            }
            let mut start = [0; HIDDEN];
            start[7] = first;
            let outputs = [[[0; HIDDEN]; 2]; BUCKETS];
            let output_starts = [0; BUCKETS];
            Network::new(&NetworkNumbers { rows: &rows, start, outputs, output_starts }).err()
        };
        let left = i16::MAX - 81 * 404;
        let refused = Some(NetworkError::Sum(i32::from(i16::MAX) + 1));
        assert_eq!([left, -left].map(network), [None, None]);
        assert_eq!([left + 1, -left - 1].map(network), [refused, refused]);
    }
}
