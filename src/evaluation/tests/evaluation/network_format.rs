use qirkat_evaluation::network::{
    ChesquerqueNetwork, HiddenLayer, MAX_OUTPUT_WEIGHT, Network, NetworkError, NetworkInput, QA,
    QuantisedWeights,
};
use qirkat_rules::chesquerque::Position;
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

    let with = |offset: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[offset] = byte;
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
    for offset in [HEADER, size / 2, size - 5, size - 1] {
        assert_eq!(with(offset, !bytes[offset]), Some(NetworkError::Damaged), "byte {offset}");
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
    let features = Position::FEATURES_PER_BUCKET;
    let mut weights = random_network::<Position>(3, 60).quantised_weights();
    weights.feature_weights.truncate(features);
    let read = ChesquerqueNetwork::new(&weights).expect("it is sound").quantised_weights();
    let buckets: Vec<_> = read.feature_weights.chunks(features).collect();
    assert_eq!(buckets, [&weights.feature_weights[..]; Position::KING_BUCKETS]);
    weights.feature_weights.push([0; HIDDEN]);
    let error = ChesquerqueNetwork::new(&weights).err();
    assert!(matches!(error, Some(NetworkError::Architecture { .. })), "{error:?}");
}

/// The largest weights of all do not overflow, and neither does the largest bias with them.
#[test]
fn the_largest_numbers_do_not_overflow() {
    let network = |bias: i16, weight: i8, output: i16| {
        ChesquerqueNetwork::new(&QuantisedWeights {
            feature_weights: vec![[weight; HIDDEN]; Position::FEATURES],
            feature_bias: [bias; HIDDEN],
            output_weights: vec![[[output; HIDDEN]; 2]; OUTPUT_BUCKETS],
            output_bias: vec![0; OUTPUT_BUCKETS],
        })
    };
    let largest_bias = i16::MAX - 81 * 128;
    let start = Position::default();
    for (bias, weight) in [(largest_bias, i8::MAX), (QA, 0)] {
        for output in [MAX_OUTPUT_WEIGHT, -MAX_OUTPUT_WEIGHT] {
            let sum = 2 * HIDDEN as i64 * i64::from(output);
            let network = network(bias, weight, output).expect("it is sound");
            assert_eq!(i64::from(network.evaluate(&start)), sum * 216 / 256);
        }
    }
    let negative = network(-largest_bias, i8::MIN, MAX_OUTPUT_WEIGHT).expect("it is sound");
    assert_eq!(negative.evaluate(&start), 0);
    for bias in [largest_bias + 1, -largest_bias - 1] {
        assert_eq!(network(bias, 0, 0).err(), Some(NetworkError::Bias(bias)));
    }
}

#[test]
fn embedded_networks_are_valid() {
    assert!(Network::<Position>::embedded().is_some());
    assert!(Network::<masonic::Position>::embedded().is_some());
    assert!(Network::<alquerque::Position>::embedded().is_some());
}
