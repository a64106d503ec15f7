use qirkat_evaluation::network::{
    ChesquerqueNetwork, HiddenLayer, MAX_OUTPUT_WEIGHT, Network, NetworkError, NetworkInput, QA,
    QuantisedWeights,
};
use qirkat_rules::chesquerque::{Point, Position};
use qirkat_rules::{alquerque, masonic};

use super::random_network;

type Hidden = <Position as NetworkInput>::Hidden;
const HIDDEN: usize = Hidden::NEURONS;
const OUTPUT_BUCKETS: usize = Position::OUTPUT_BUCKETS;
const HEADER: usize = 16;
const CHECKSUM: usize = 4;

#[test]
fn networks_survive_a_round_trip_and_damage_is_detected() {
    let network: ChesquerqueNetwork = random_network(2, 60);
    let size = ChesquerqueNetwork::file_size();
    let bytes = network.to_bytes();
    let read = |bytes: &[u8]| ChesquerqueNetwork::from_bytes(bytes);
    let again = read(&bytes).expect("it is sound");
    assert_eq!((again.to_bytes(), again.checksum()), (bytes.clone(), network.checksum()));

    let with = |place: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[place] = byte;
        read(&bytes).err()
    };
    assert_eq!(with(0, b'X'), Some(NetworkError::Format));
    assert_eq!(with(8, 9), Some(NetworkError::Version(9)));
    let wanted = Position::ARCHITECTURE;
    let mut found = wanted;
    found.hidden = HIDDEN & 0xFF00 | 9;
    assert_eq!(with(12, 9), Some(NetworkError::Architecture { found, wanted }));
    let of_alquerque = Network::<alquerque::Position>::from_bytes(&bytes).err();
    assert!(matches!(of_alquerque, Some(NetworkError::Architecture { .. })));
    for place in [HEADER, size / 2, size - 5, size - 1] {
        assert_eq!(with(place, !bytes[place]), Some(NetworkError::Damaged), "byte {place}");
    }
    for length in [HEADER, size / 2, size - 1] {
        let error = Some(NetworkError::Length { found: length, wanted: size });
        assert_eq!(read(&bytes[..length]).err(), error);
    }
    assert!((0..HEADER).all(|length| read(&bytes[..length]).is_err()));
    let error = Some(NetworkError::Length { found: size + 1, wanted: size });
    assert_eq!(read(&[&bytes[..], &[0]].concat()).err(), error);

    let mut heavy = bytes[..size - CHECKSUM].to_vec();
    let output = size - CHECKSUM - 4 * OUTPUT_BUCKETS - 2;
    heavy[output..output + 2].copy_from_slice(&(MAX_OUTPUT_WEIGHT + 1).to_le_bytes());
    heavy.extend(crc32fast::hash(&heavy).to_le_bytes());
    assert_eq!(read(&heavy).err(), Some(NetworkError::OutputWeight(MAX_OUTPUT_WEIGHT + 1)));
}

#[test]
fn weights_without_king_buckets_are_copied_to_each() {
    let features = Position::FEATURES_OF_BUCKET;
    let mut weights = random_network::<Position>(3, 60).quantised_weights();
    weights.feature_weights.truncate(features);
    let read = ChesquerqueNetwork::new(&weights).expect("it is sound").quantised_weights();
    let buckets: Vec<_> = read.feature_weights.chunks(features).collect();
    assert_eq!(buckets, [&weights.feature_weights[..]; Position::KING_BUCKETS]);
    weights.feature_weights.push([0; HIDDEN]);
    let error = ChesquerqueNetwork::new(&weights).err();
    assert!(matches!(error, Some(NetworkError::Architecture { .. })), "{error:?}");
}

fn empty() -> QuantisedWeights<Hidden> {
    QuantisedWeights {
        feature_weights: vec![[0; HIDDEN]; Position::FEATURES],
        feature_bias: [0; HIDDEN],
        output_weights: vec![[[0; HIDDEN]; 2]; OUTPUT_BUCKETS],
        output_bias: vec![0; OUTPUT_BUCKETS],
    }
}

/// A few output weights may be maximal, but not all: their sum is bounded, and the largest accepted
/// sum does not overflow.
#[test]
fn output_weights_that_could_overflow_are_rejected() {
    const MOST: i32 = i32::MAX / (QA as i32 * QA as i32);
    let network = |sum: i32| {
        let mut left = sum;
        let weights = [(); HIDDEN].map(|()| {
            let weight = left.min(MAX_OUTPUT_WEIGHT.into());
            left -= weight;
            -(weight as i16)
        });
        assert_eq!(left, 0, "there are too few neurons to come to this sum");
        let (output_weights, feature_bias) = (vec![[weights; 2]; OUTPUT_BUCKETS], [QA; HIDDEN]);
        ChesquerqueNetwork::new(&QuantisedWeights { output_weights, feature_bias, ..empty() })
    };
    let largest = network(MOST).expect("it is sound");
    let wanted = -2 * i64::from(MOST) * i64::from(QA) * 216 / (i64::from(QA) * 64);
    assert_eq!(i64::from(largest.evaluate(&Position::default())), wanted);
    let error = NetworkError::SumOfOutputWeights(MOST + 1);
    assert_eq!(network(MOST + 1).err(), Some(error));
}

/// Accumulators may use the whole 16-bit range in either direction, but no more. Each point has one
/// kind of piece with the largest weight, not always the same. Weights of different king buckets
/// are never added together.
#[test]
fn accumulators_that_could_overflow_are_rejected() {
    const PIECES: usize = Position::FEATURES_OF_BUCKET / Point::COUNT;
    let network = |bias: i16| {
        let mut weights = empty();
        for point in 0..Point::COUNT {
            let piece = point % PIECES;
            let next = (piece + 1) % PIECES;
            weights.feature_weights[piece * Point::COUNT + point][7] = 400;
            weights.feature_weights[next * Point::COUNT + point][7] = -404;
        }
        weights.feature_weights[PIECES * Point::COUNT][7] = 405;
        weights.feature_bias[7] = bias;
        ChesquerqueNetwork::new(&weights).err()
    };
    let left = i16::MAX - 81 * 404;
    let refused = Some(NetworkError::AccumulatorOverflow(i32::from(i16::MAX) + 1));
    assert_eq!([left, -left].map(network), [None, None]);
    assert_eq!([left + 1, -left - 1].map(network), [refused, refused]);
}

#[test]
fn embedded_networks_are_valid() {
    assert!(Network::<Position>::embedded().is_some());
    assert!(Network::<masonic::Position>::embedded().is_some());
    assert!(Network::<alquerque::Position>::embedded().is_some());
}
