//! The file format of networks. All numbers are little-endian:
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | `QIRKNET` and a zero |
//! | 2 | the version of the format: 1 |
//! | 2 + 2 + 2 | features, hidden neurons, output buckets |
//! | `i16` | the weights of each feature |
//! | `i16` | the feature bias |
//! | `i16` | for each bucket: output weights for the side to move, for the other |
//! | `i32` | for each bucket: output bias |
//! | `u32` | CRC-32 (ISO-HDLC) of all bytes before |

use thiserror::Error;

use super::architecture::{HIDDEN, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS};
use super::features::Feature;
use super::hidden_vector::HiddenVector;
use super::kernel::Kernel;
use super::quantised::{Network, OutputLayer, QuantisedWeights};
use crate::chesquerque::Point;

const MAGIC: [u8; 8] = *b"QIRKNET\0";
pub(super) const VERSION: u16 = 1;
const HEADER: usize = 16;
const CHECKSUM: usize = 4;
pub(super) const SIZE: usize =
    HEADER + 2 * HIDDEN * (Feature::COUNT + 1 + 2 * OUTPUT_BUCKETS) + 4 * OUTPUT_BUCKETS + CHECKSUM;

/// Why bytes are not a network that this program can use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// They are something else.
    #[error("not a network of Qirkat")]
    Format,
    /// Another version of the format.
    #[error("a network of format {0}, where this program reads format {VERSION}")]
    Version(u16),
    /// Another architecture.
    #[error(
        "a network of {features} features, {hidden} hidden neurons and {buckets} output buckets, where this program has {}, {HIDDEN} and {OUTPUT_BUCKETS}",
        Feature::COUNT
    )]
    Architecture {
        /// Input features.
        features: u16,
        /// Neurons of the hidden layer.
        hidden: u16,
        /// Output buckets.
        buckets: u16,
    },
    /// Bytes are missing, or there are too many.
    #[error("{} than the {SIZE} bytes of a network", if .found < &SIZE { "shorter" } else { "longer" })]
    Length {
        /// How many there are.
        found: usize,
    },
    /// The checksum is wrong.
    #[error("damaged: its checksum does not fit")]
    Damaged,
    /// An output weight could overflow the arithmetic.
    #[error("an output weight of {0}, where {MAX_OUTPUT_WEIGHT} is the most")]
    OutputWeight(i16),
    /// The accumulator could overflow on a full board.
    #[error("accumulator values of up to {0}, where {most} is the most", most = i16::MAX)]
    AccumulatorOverflow(i32),
}

/// Reads numbers from bytes, one after another.
struct ByteReader<'a>(&'a [u8]);

impl ByteReader<'_> {
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

    fn vector(&mut self) -> HiddenVector {
        HiddenVector([(); HIDDEN].map(|()| i16::from_le_bytes(self.take())))
    }

    /// Reads the header, which must be that of this program's networks.
    fn read_header(&mut self) -> Result<(), NetworkError> {
        if self.take() != MAGIC {
            return Err(NetworkError::Format);
        }
        let version = self.u16();
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let [features, hidden, buckets] = [(); 3].map(|()| self.u16());
        if [features, hidden, buckets].map(usize::from) == [Feature::COUNT, HIDDEN, OUTPUT_BUCKETS]
        {
            Ok(())
        } else {
            Err(NetworkError::Architecture { features, hidden, buckets })
        }
    }
}

impl Network {
    /// Bytes of a network's file.
    pub const FILE_SIZE: usize = SIZE;

    /// The network with these weights.
    ///
    /// # Errors
    /// When feature weights are missing, or weights are so large that the
    /// arithmetic could overflow.
    pub fn new(weights: &QuantisedWeights<'_>) -> Result<Network, NetworkError> {
        Network::from_bytes(&bytes_of(weights))
    }

    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    /// When they are damaged, of another architecture, or not a network at all.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut reader = ByteReader(bytes);
        reader.read_header()?;
        let checksum = verify_checksum(bytes)?;
        let feature_weights: Box<[HiddenVector]> =
            (0..Feature::COUNT).map(|_| reader.vector()).collect();
        let feature_bias = reader.vector();
        let largest = max_accumulator_value(&feature_weights, &feature_bias);
        if largest > i16::MAX.into() {
            return Err(NetworkError::AccumulatorOverflow(largest));
        }
        let output_weights = [(); OUTPUT_BUCKETS].map(|()| [reader.vector(), reader.vector()]);
        let mut weights = output_weights.iter().flatten().flat_map(|vector| vector.0);
        if let Some(weight) =
            weights.find(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16)
        {
            return Err(NetworkError::OutputWeight(weight));
        }
        let output_layers = output_weights
            .map(|weights| OutputLayer { weights, bias: i32::from_le_bytes(reader.take()) });
        Ok(Network {
            feature_weights,
            feature_bias,
            output_layers: Box::new(output_layers),
            kernel: Kernel::best(),
            checksum,
        })
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let feature_weights: Vec<[i16; HIDDEN]> =
            self.feature_weights.iter().map(|weights| weights.0).collect();
        bytes_of(&QuantisedWeights {
            feature_weights: &feature_weights,
            feature_bias: self.feature_bias.0,
            output_weights: self.output_layers.map(|layer| layer.weights.map(|weights| weights.0)),
            output_bias: self.output_layers.map(|layer| layer.bias),
        })
    }
}

/// The checksum at the end of the file, if it is that of the bytes before.
fn verify_checksum(bytes: &[u8]) -> Result<u32, NetworkError> {
    let (content, check) = match bytes.split_last_chunk::<CHECKSUM>() {
        Some(parts) if bytes.len() == SIZE => parts,
        _ => return Err(NetworkError::Length { found: bytes.len() }),
    };
    let checksum = crc32fast::hash(content);
    if checksum == u32::from_le_bytes(*check) { Ok(checksum) } else { Err(NetworkError::Damaged) }
}

/// The largest absolute value that any neuron of the accumulator can reach: a piece
/// on every point, each of the kind with the largest weight.
fn max_accumulator_value(feature_weights: &[HiddenVector], feature_bias: &HiddenVector) -> i32 {
    let absolute = |vector: &HiddenVector| vector.0.map(|number| i32::from(number).abs());
    let mut values = absolute(feature_bias);
    for point in 0..Point::COUNT {
        let mut largest = [0; HIDDEN];
        for weights in feature_weights.iter().skip(point).step_by(Point::COUNT) {
            for (largest, weight) in largest.iter_mut().zip(absolute(weights)) {
                *largest = weight.max(*largest);
            }
        }
        for (value, largest) in values.iter_mut().zip(largest) {
            *value += largest;
        }
    }
    values.into_iter().max().unwrap_or_default()
}

fn bytes_of(weights: &QuantisedWeights<'_>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for number in [usize::from(VERSION), weights.feature_weights.len(), HIDDEN, OUTPUT_BUCKETS] {
        bytes.extend((number as u16).to_le_bytes());
    }
    let output_weights = weights.output_weights.iter().flatten();
    let vectors = weights.feature_weights.iter().chain([&weights.feature_bias]);
    for vector in vectors.chain(output_weights) {
        bytes.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes.extend(weights.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::quantised::random_network;

    #[test]
    fn networks_survive_the_format_and_damage_is_noticed() {
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
        assert!(
            matches!(with(12, 9), Some(NetworkError::Architecture { hidden, .. }) if hidden == other)
        );
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
        let output = SIZE - CHECKSUM - 4 * OUTPUT_BUCKETS - 2;
        heavy[output..output + 2].copy_from_slice(&(MAX_OUTPUT_WEIGHT + 1).to_le_bytes());
        heavy.extend(crc32fast::hash(&heavy).to_le_bytes());
        let error = Network::from_bytes(&heavy).err();
        assert_eq!(error, Some(NetworkError::OutputWeight(MAX_OUTPUT_WEIGHT + 1)));
    }

    /// Accumulators may reach what 16 bits hold, and no more, whether upwards or
    /// downwards. On each point one kind of piece has the largest weight, and not
    /// always the same.
    #[test]
    fn accumulators_that_could_overflow_are_refused() {
        let network = |bias: i16| {
            let mut feature_weights = vec![[0; HIDDEN]; Feature::COUNT];
            for point in 0..Point::COUNT {
                let piece = point % Feature::PIECES;
                let next = (piece + 1) % Feature::PIECES;
                feature_weights[piece * Point::COUNT + point][7] = 400;
                feature_weights[next * Point::COUNT + point][7] = -404;
            }
            let mut feature_bias = [0; HIDDEN];
            feature_bias[7] = bias;
            Network::new(&QuantisedWeights {
                feature_weights: &feature_weights,
                feature_bias,
                output_weights: [[[0; HIDDEN]; 2]; OUTPUT_BUCKETS],
                output_bias: [0; OUTPUT_BUCKETS],
            })
            .err()
        };
        let left = i16::MAX - 81 * 404;
        let refused = Some(NetworkError::AccumulatorOverflow(i32::from(i16::MAX) + 1));
        assert_eq!([left, -left].map(network), [None, None]);
        assert_eq!([left + 1, -left - 1].map(network), [refused, refused]);
    }
}
