//! The quantised network, its output layer, and its file format, which `docs/reference/network-format.md` describes.

use std::marker::PhantomData;
use std::sync::Arc;

use once_cell::race::OnceBox;
use qirkat_game::byte_reader::ByteReader;
use qirkat_rules::{alquerque, chesquerque, masonic};
use qirkat_system::format_version::UnsupportedVersion;
use thiserror::Error;

use super::input::{
    Architecture, EVAL_SCALE, HiddenLayer, HiddenVector, MAX_OUTPUT_WEIGHT, NetworkInput, QA, QB,
};
use super::kernel::Kernel;

/// A quantised network of a game, ready for inference.
///
/// ```
/// use qirkat_evaluation::Evaluation;
/// use qirkat_evaluation::network::ChesquerqueNetwork as Network;
/// use qirkat_search::Searcher;
/// use std::sync::Arc;
///
/// // A network comes from the bytes of its file, wherever they are from.
/// let bytes = Network::embedded().ok_or("built without a network")?.to_bytes();
/// let network = Network::from_bytes(&bytes)?;
/// let searcher = Searcher::with_evaluation(Evaluation::Network(Arc::new(network)))?;
/// # let _ = searcher;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Network<G: NetworkInput> {
    pub(super) feature_weights: Box<[HiddenVector<G::Hidden, i8>]>,
    pub(super) feature_bias: HiddenVector<G::Hidden>,
    output_layers: Box<[OutputLayer<G::Hidden>]>,
    pub(super) kernel: Kernel,
    checksum: u32,
    game: PhantomData<G>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct OutputLayer<H: HiddenLayer> {
    /// For the accumulators of the side to move and of the opponent.
    weights: [HiddenVector<H>; 2],
    bias: i32,
}

/// The integer weights and biases of a network, quantised by a trainer.
pub struct QuantisedWeights<H: HiddenLayer> {
    /// For each feature, in units of 1/[`QA`].
    pub feature_weights: Vec<H::Row<i8>>,
    /// In units of 1/[`QA`].
    pub feature_bias: H::Row<i16>,
    /// For each bucket: for the side to move and the opponent, in units of 1/[`QB`].
    pub output_weights: Vec<[H::Row<i16>; 2]>,
    /// For each bucket, in units of 1/([`QA`]·[`QB`]).
    pub output_bias: Vec<i32>,
}

impl<G: NetworkInput> Network<G> {
    #[must_use]
    pub fn with_kernel(&self, kernel: Kernel) -> Network<G> {
        Network { kernel, ..self.clone() }
    }

    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The checksum of the file, which identifies the network.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Its weights and biases, from which training can resume.
    pub fn quantised_weights(&self) -> QuantisedWeights<G::Hidden> {
        let layers = self.output_layers.iter();
        QuantisedWeights {
            feature_weights: self.feature_weights.iter().map(|weights| weights.0).collect(),
            feature_bias: self.feature_bias.0,
            output_weights: layers.map(|layer| layer.weights.map(|weights| weights.0)).collect(),
            output_bias: self.output_layers.iter().map(|layer| layer.bias).collect(),
        }
    }

    /// The score in centipawns for the side to move, from its accumulator and the opponent's.
    pub(super) fn output(
        &self,
        us: &HiddenVector<G::Hidden>,
        them: &HiddenVector<G::Hidden>,
        pieces: u32,
    ) -> i32 {
        let layer = &self.output_layers[G::output_bucket(pieces)];
        let sum = self.kernel.screlu_dot(us, &layer.weights[0])
            + self.kernel.screlu_dot(them, &layer.weights[1]);
        // SCReLU squares, so the sum has one more factor of QA than the bias.
        let output = sum / i64::from(QA) + i64::from(layer.bias);
        (output * i64::from(EVAL_SCALE) / (i64::from(QA) * i64::from(QB))) as i32
    }
}

const MAGIC: [u8; 8] = *b"QIRKNET\0";
const VERSION: u16 = 3;
const HEADER: usize = 16;
const CHECKSUM: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NetworkError {
    #[error("not a network of Qirkat")]
    Format,
    #[error("a network of another version: {}", UnsupportedVersion { found: u32::from(*.0), known: u32::from(VERSION) })]
    Version(u16),
    #[error(
        "a network of {} features, {} hidden neurons and {} output buckets, where {}, {} and {} are wanted for this game",
        .found.features, .found.hidden, .found.output_buckets,
        .wanted.features, .wanted.hidden, .wanted.output_buckets
    )]
    Architecture { found: Architecture, wanted: Architecture },
    #[error("{} than the {wanted} bytes of a network", if .found < .wanted { "shorter" } else { "longer" })]
    Length { found: usize, wanted: usize },
    #[error("damaged: its checksum does not match")]
    Damaged,
    #[error("an output weight of {0}, where {MAX_OUTPUT_WEIGHT} is the most")]
    OutputWeight(i16),
    #[error("a bias of {0}, with which an accumulator could overflow")]
    Bias(i16),
}

impl Architecture {
    pub const fn file_size(self) -> usize {
        let vectors = 1 + 2 * self.output_buckets;
        let numbers = self.hidden * (self.features + 2 * vectors);
        HEADER + numbers + 4 * self.output_buckets + CHECKSUM
    }
}

/// Reads 16-bit numbers in bulk: one by one they would take most of the startup time.
fn read_vector<H: HiddenLayer>(reader: &mut ByteReader<'_>) -> HiddenVector<H> {
    let numbers = reader.slice(2 * H::NEURONS).as_chunks().0;
    HiddenVector(H::row(|neuron| numbers.get(neuron).map_or(0, |&bytes| i16::from_le_bytes(bytes))))
}

/// Reads the header, which must match a network of this game, with or without king buckets.
fn read_header<G: NetworkInput>(reader: &mut ByteReader<'_>) -> Result<Architecture, NetworkError> {
    if reader.take() != MAGIC {
        return Err(NetworkError::Format);
    }
    if reader.0.len() < size_of::<u16>() {
        return Err(NetworkError::Damaged);
    }
    let version = reader.u16();
    if version != VERSION {
        return Err(NetworkError::Version(version));
    }
    let [features, hidden, output_buckets] = [(); 3].map(|()| usize::from(reader.u16()));
    let found = Architecture { features, hidden, output_buckets };
    let wanted = G::ARCHITECTURE;
    let without_king_buckets = Architecture { features: G::FEATURES_PER_BUCKET, ..wanted };
    if [wanted, without_king_buckets].contains(&found) {
        Ok(found)
    } else {
        Err(NetworkError::Architecture { found, wanted })
    }
}

impl<G: NetworkInput> Network<G> {
    pub fn file_size() -> usize {
        G::ARCHITECTURE.file_size()
    }

    /// The network with these weights.
    ///
    /// # Errors
    /// When weights are missing, or so large that the arithmetic could overflow.
    pub fn new(weights: &QuantisedWeights<G::Hidden>) -> Result<Network<G>, NetworkError> {
        Network::from_bytes(&bytes_of(weights))
    }

    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    /// When it is damaged, of another architecture, or not a network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network<G>, NetworkError> {
        let mut reader = ByteReader(bytes);
        let found = read_header::<G>(&mut reader)?;
        let checksum = verify_checksum(bytes, found.file_size())?;
        let mut feature_weights: Vec<HiddenVector<G::Hidden, i8>> = (0..found.features)
            .map(|_| {
                let bytes = reader.slice(G::Hidden::NEURONS);
                let weight =
                    |neuron| bytes.get(neuron).map_or(0, |&byte| i8::from_le_bytes([byte]));
                HiddenVector(G::Hidden::row(weight))
            })
            .collect();
        let feature_bias: HiddenVector<G::Hidden> = read_vector(&mut reader);
        // The largest bias that cannot overflow with a piece on every point.
        let most = i16::MAX.unsigned_abs() - G::POINTS as u16 * i8::MIN.unsigned_abs() as u16;
        let mut biases = feature_bias.numbers().iter();
        if let Some(&bias) = biases.find(|bias| bias.unsigned_abs() > most) {
            return Err(NetworkError::Bias(bias));
        }
        // A network without king buckets uses the same weights in each.
        for _ in 1..G::FEATURES / found.features {
            feature_weights.extend_from_within(..found.features);
        }
        let output_weights: Vec<[HiddenVector<G::Hidden>; 2]> = (0..G::OUTPUT_BUCKETS)
            .map(|_| [read_vector(&mut reader), read_vector(&mut reader)])
            .collect();
        let mut weights = output_weights.iter().flatten().flat_map(HiddenVector::numbers).copied();
        if let Some(weight) =
            weights.find(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16)
        {
            return Err(NetworkError::OutputWeight(weight));
        }
        let output_layers = output_weights
            .into_iter()
            .map(|weights| OutputLayer { weights, bias: i32::from_le_bytes(reader.take()) })
            .collect();
        Ok(Network {
            feature_weights: feature_weights.into_boxed_slice(),
            feature_bias,
            output_layers,
            kernel: Kernel::best(),
            checksum,
            game: PhantomData,
        })
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        bytes_of(&self.quantised_weights())
    }
}

/// The checksum at the end of the file, if it matches.
fn verify_checksum(bytes: &[u8], wanted: usize) -> Result<u32, NetworkError> {
    let (content, check) = match bytes.split_last_chunk::<CHECKSUM>() {
        Some(parts) if bytes.len() == wanted => parts,
        _ => return Err(NetworkError::Length { found: bytes.len(), wanted }),
    };
    let checksum = crc32fast::hash(content);
    if checksum == u32::from_le_bytes(*check) { Ok(checksum) } else { Err(NetworkError::Damaged) }
}

fn bytes_of<H: HiddenLayer>(weights: &QuantisedWeights<H>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let (features, buckets) = (weights.feature_weights.len(), weights.output_bias.len());
    for number in [usize::from(VERSION), features, H::NEURONS, buckets] {
        bytes.extend((number as u16).to_le_bytes());
    }
    for vector in &weights.feature_weights {
        bytes.extend(vector.as_ref().iter().map(|weight| weight.cast_unsigned()));
    }
    for vector in [&weights.feature_bias].into_iter().chain(weights.output_weights.iter().flatten())
    {
        bytes.extend(vector.as_ref().iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes.extend(weights.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// An embedded network, parsed on first use. A `OnceBox` never blocks: if two threads are first at
/// once, both parse it, and one result is kept.
pub struct EmbeddedNetwork<G: NetworkInput> {
    /// Empty if there is none.
    bytes: &'static [u8],
    network: OnceBox<Option<Arc<Network<G>>>>,
}

/// A game that can have an embedded network. `build.rs` selects the file and checks its checksum.
pub trait HasEmbeddedNetwork: NetworkInput {
    /// The embedded network, parsed on first use.
    fn file() -> &'static EmbeddedNetwork<Self>;
}

macro_rules! embedded {
    ($($game:ident: $file:literal),*) => {
        $(impl HasEmbeddedNetwork for $game::Position {
            fn file() -> &'static EmbeddedNetwork<Self> {
                static EMBEDDED: EmbeddedNetwork<$game::Position> =
                    EmbeddedNetwork { bytes: include_bytes!(env!($file)), network: OnceBox::new() };
                &EMBEDDED
            }
        })*
    };
}

embedded! {
    chesquerque: "QIRKAT_NETWORK",
    masonic: "QIRKAT_NETWORK_MASONIC",
    alquerque: "QIRKAT_NETWORK_ALQUERQUE"
}

impl<G: HasEmbeddedNetwork> Network<G> {
    pub fn embedded() -> Option<&'static Arc<Self>> {
        let EmbeddedNetwork { bytes, network } = G::file();
        let read = || match Network::from_bytes(bytes) {
            Ok(network) => Some(Arc::new(network)),
            Err(_) if bytes.is_empty() => None,
            Err(error) => {
                log::error!("the embedded network: {error}");
                None
            }
        };
        network.get_or_init(|| Box::new(read())).as_ref()
    }
}
