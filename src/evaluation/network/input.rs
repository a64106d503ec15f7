//! How a game's board becomes the input of its network.

use super::architecture::{Architecture, HiddenLayer, Neurons};
use super::embedded::EmbeddedNetwork;
use super::features::Perspective;
use qirkat_game::{Board, Color};
use qirkat_rules::{alquerque, chesquerque, masonic};

/// Point numbers are below this.
pub const MAX_POINTS: usize = 128;

/// The number of each point in a perspective, by color and mirroring.
pub type RelativePoints = [[[u8; MAX_POINTS]; 2]; 2];

/// A game with a network: how each side sees the board, and how large the network is.
pub trait NetworkInput: Board {
    /// The hidden layer, for each perspective.
    type Hidden: HiddenLayer;

    /// Output layers, one of which is chosen by the number of pieces.
    const OUTPUT_BUCKETS: usize;

    /// The number of each point in a perspective.
    const RELATIVE_POINTS: &'static RelativePoints;

    /// Horizontal mirroring: whether a side with its king there sees the board mirrored,
    /// so that it always sees its king on the same half.
    fn is_mirrored(king: usize) -> bool;

    /// Data augmentation: whether the mirrored board is another valid sample for a side
    /// with its king there, beyond [`NetworkInput::is_mirrored`].
    fn may_mirror(king: usize) -> bool;

    /// The network that the program carries. `build.rs` chooses the file and checks its
    /// checksum.
    fn embedded() -> &'static EmbeddedNetwork<Self>;

    /// Input features.
    const FEATURES: usize = 2 * Self::KINDS.len() * Self::POINTS;

    /// The size of this game's networks.
    const ARCHITECTURE: Architecture = Architecture {
        features: Self::FEATURES,
        hidden: Self::Hidden::NEURONS,
        output_buckets: Self::OUTPUT_BUCKETS,
    };

    /// The output layer for a position with this many pieces.
    #[inline]
    fn output_bucket(pieces: u32) -> usize {
        let bucket = (pieces as usize).saturating_sub(1) * Self::OUTPUT_BUCKETS / Self::MAX_PIECES;
        bucket.min(Self::OUTPUT_BUCKETS - 1)
    }

    /// The perspective of a side with its king there.
    #[inline]
    fn perspective(color: Color, king: usize) -> Perspective {
        Perspective { color, mirrored: Self::is_mirrored(king) }
    }
}

/// The board is symmetric, castling included, so it is mirrored by the side of the own
/// king. Black sees the ranks flipped.
impl NetworkInput for chesquerque::Position {
    type Hidden = Neurons<256>;

    const OUTPUT_BUCKETS: usize = 8;
    const RELATIVE_POINTS: &'static RelativePoints =
        &relative_points(Self::FILES, Self::RANKS, Opposite::Flipped);

    #[inline]
    fn is_mirrored(king: usize) -> bool {
        king % Self::FILES > Self::FILES / 2
    }

    fn may_mirror(king: usize) -> bool {
        king % Self::FILES == Self::FILES / 2
    }

    fn embedded() -> &'static EmbeddedNetwork<Self> {
        static EMBEDDED: EmbeddedNetwork<chesquerque::Position> =
            EmbeddedNetwork::new(include_bytes!(env!("QIRKAT_NETWORK")));
        &EMBEDDED
    }
}

/// The board of bricks has one symmetry, the half turn, which is Black's perspective.
impl NetworkInput for masonic::Position {
    type Hidden = Neurons<128>;

    const OUTPUT_BUCKETS: usize = 8;
    const RELATIVE_POINTS: &'static RelativePoints =
        &relative_points(Self::FILES, Self::RANKS, Opposite::Turned);

    fn is_mirrored(_: usize) -> bool {
        false
    }

    fn may_mirror(_: usize) -> bool {
        false
    }

    fn embedded() -> &'static EmbeddedNetwork<Self> {
        static EMBEDDED: EmbeddedNetwork<masonic::Position> =
            EmbeddedNetwork::new(include_bytes!(env!("QIRKAT_NETWORK_MASONIC")));
        &EMBEDDED
    }
}

/// The board is symmetric, but there is no king to choose the side, so mirror images are
/// used as additional samples.
impl NetworkInput for alquerque::Position {
    type Hidden = Neurons<64>;

    const OUTPUT_BUCKETS: usize = 4;
    const RELATIVE_POINTS: &'static RelativePoints =
        &relative_points(Self::FILES, Self::RANKS, Opposite::Flipped);

    fn is_mirrored(_: usize) -> bool {
        false
    }

    fn may_mirror(_: usize) -> bool {
        true
    }

    fn embedded() -> &'static EmbeddedNetwork<Self> {
        static EMBEDDED: EmbeddedNetwork<alquerque::Position> =
            EmbeddedNetwork::new(include_bytes!(env!("QIRKAT_NETWORK_ALQUERQUE")));
        &EMBEDDED
    }
}

/// How Black sees the board, compared with White.
#[derive(Clone, Copy)]
enum Opposite {
    /// Ranks exchanged.
    Flipped,
    /// After half a turn: ranks and files exchanged.
    Turned,
}

const fn relative_points(files: usize, ranks: usize, opposite: Opposite) -> RelativePoints {
    let mut tables = [[[0; MAX_POINTS]; 2]; 2];
    let mut number = 0;
    while number < 2 * 2 * files * ranks {
        let (point, side) = (number / 4, number % 4);
        let (is_black, mirrored) = (side / 2 == 1, side % 2 == 1);
        let turned = is_black && matches!(opposite, Opposite::Turned);
        let (file, rank) = (point % files, point / files);
        let file = if mirrored != turned { files - 1 - file } else { file };
        let rank = if is_black { ranks - 1 - rank } else { rank };
        tables[side / 2][side % 2][point] = (rank * files + file) as u8;
        number += 1;
    }
    tables
}
