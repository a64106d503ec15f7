//! Features and inference: the network's output matches its definition to the last bit.

use qirkat_evaluation::network::{
    EVAL_SCALE, Evaluator, Kernel, Network, NetworkInput, QA, QB, QuantisedWeights, active_features,
};
use qirkat_game::distance::{MAX_PLY, Ply};
use qirkat_game::{Color, PieceCode, Rules};
use qirkat_rules::{alquerque, chesquerque, masonic};
use qirkat_testing::effort;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::random_network;

/// The score of a position by the definition of the network.
fn defined<G: NetworkInput>(weights: &QuantisedWeights<G::Hidden>, position: &G) -> i32 {
    let us = position.side_to_move();
    let bucket = G::output_bucket(position.occupied_points().len());
    let sum: i64 = [us, !us]
        .into_iter()
        .zip(&weights.output_weights[bucket])
        .map(|(color, output)| {
            let mut accumulator = weights.feature_bias;
            for feature in active_features(position, color) {
                let row = weights.feature_weights[feature.index()];
                let values = accumulator.as_mut().iter_mut().zip(row.as_ref());
                values.for_each(|(value, weight)| *value += i16::from(*weight));
            }
            let values = accumulator.as_ref().iter().zip(output.as_ref());
            let product = |(&value, &weight): (&i16, &i16)| {
                i64::from(value.clamp(0, QA)).pow(2) * i64::from(weight)
            };
            values.map(product).sum::<i64>()
        })
        .sum();
    let (qa, qb) = (i64::from(QA), i64::from(QB));
    let output = sum / qa + i64::from(weights.output_bias[bucket]);
    (output * i64::from(EVAL_SCALE) / (qa * qb)) as i32
}

/// Updated accumulators equal refreshed ones in any order of positions, both match the definition
/// with every kernel, and the sides are treated alike.
fn assert_inference_matches_the_definition<G: NetworkInput>(exchanged: impl Fn(&G) -> G) {
    let mut rng = StdRng::seed_from_u64(8);
    // Accumulators inside the range of SCReLU, and outside.
    for largest in [30, 127] {
        let network: Network<G> = random_network(1, largest);
        let portable = network.with_kernel(Kernel::Portable);
        let weights = network.quantised_weights();
        for _ in 0..effort([3, 10, 100]) {
            let mut path = vec![G::start()];
            let mut evaluator = Evaluator::new(&network, &path[0]);
            for _ in 0..300 {
                // Forward, or back by some plies as a search goes.
                let back = rng.random_range(0..8usize).saturating_sub(4);
                path.truncate(path.len().saturating_sub(back).max(1));
                let position = path[path.len() - 1];
                if let Some(&mv) = position.legal_moves().choose(&mut rng)
                    && path.len() < usize::from(MAX_PLY)
                {
                    path.push(position.after(mv));
                } else {
                    path.truncate(1);
                }
                if rng.random_bool(0.7) {
                    let position = path[path.len() - 1];
                    let ply = Ply(path.len() as u16 - 1);
                    let value = evaluator.evaluate(&position, ply);
                    assert_eq!(value, defined(&weights, &position), "{position}");
                    assert_eq!(network.evaluate(&position), value, "{position}");
                    assert_eq!(portable.evaluate(&position), value, "{position}");
                    assert_eq!(network.evaluate(&exchanged(&position)), value, "{position}");
                }
            }
        }
    }
}

#[test]
fn inference_of_each_game_matches_the_definition() {
    assert_inference_matches_the_definition(chesquerque::Position::flipped);
    assert_inference_matches_the_definition(masonic::Position::flipped);
    assert_inference_matches_the_definition(alquerque::Position::flipped);
}

fn feature(color: Color, king: &str, letter: char, point: &str) -> usize {
    let at = |text| chesquerque::Point::parse(text).expect("a point").index();
    let piece = chesquerque::Piece::from_letter(letter).expect("a piece");
    let code = PieceCode::new(piece.color, piece.kind.index());
    let perspective = chesquerque::Position::perspective(color, at(king));
    perspective.feature::<chesquerque::Position>(code, at(point)).index()
}

#[test]
fn perspectives_are_symmetric() {
    use Color::{Black, White};
    let expected = feature(White, "e1", 'N', "c3");
    for (color, king, letter, point, is_same) in [
        (White, "d2", 'N', "c3", true),
        // Mirrored by the king, from the other side, and both.
        (White, "f1", 'N', "g3", true),
        (Black, "e9", 'n', "c7", true),
        (Black, "f9", 'n', "g7", true),
        // An enemy piece, another point, a king on the wing, and one beyond rank 2.
        (White, "e1", 'n', "c3", false),
        (White, "e1", 'N', "g3", false),
        (White, "c1", 'N', "c3", false),
        (White, "e3", 'N', "c3", false),
    ] {
        let found = feature(color, king, letter, point);
        assert_eq!(found == expected, is_same, "{color:?} {king} {letter} {point}");
    }
    assert_eq!(feature(White, "a1", 'N', "c3"), feature(Black, "g8", 'n', "g7"));
    let start = masonic::Position::start();
    assert_eq!(qirkat_game::Board::king_at(&start, White), 4, "numbered along the ranks");
}

/// Each piece on each point has its own feature in each perspective.
fn assert_features_are_distinct<G: NetworkInput>() {
    for color in Color::ALL {
        for mirrored in [false, true] {
            let mut found = Vec::new();
            for king_bucket in 0..G::KING_BUCKETS as u8 {
                let mut perspective = G::perspective(color, 0);
                (perspective.mirrored, perspective.king_bucket) = (mirrored, king_bucket);
                for side in Color::ALL {
                    for kind in 0..G::KIND_LETTERS.len() {
                        let piece = PieceCode::new(side, kind);
                        let points = 0..G::POINTS;
                        found.extend(points.map(|it| perspective.feature::<G>(piece, it).index()));
                    }
                }
            }
            found.sort_unstable();
            assert_eq!(found, (0..G::FEATURES).collect::<Vec<_>>());
        }
    }
}

#[test]
fn each_piece_and_point_has_its_own_feature() {
    assert_features_are_distinct::<chesquerque::Position>();
    assert_features_are_distinct::<masonic::Position>();
    assert_features_are_distinct::<alquerque::Position>();
}
