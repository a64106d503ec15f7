//! Properties of the evaluation of any position, and of network files.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod material;
mod network;
mod network_format;

use qirkat_evaluation::network::{
    HiddenLayer, MAX_OUTPUT_WEIGHT, Network, NetworkInput, QuantisedWeights,
};
use qirkat_evaluation::{Chances, WdlModel};
use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_rules::variant::Variant;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A network of random weights up to `largest`.
fn random_network<G: NetworkInput>(seed: u64, largest: i8) -> Network<G> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut vector = |max: i16| G::Hidden::row(|_| rng.random_range(-max..=max));
    let most = MAX_OUTPUT_WEIGHT / 2;
    let feature_bias = vector(largest.into());
    let output_weights = (0..G::OUTPUT_BUCKETS).map(|_| [vector(most), vector(most)]).collect();
    let mut feature = || G::Hidden::row(|_| rng.random_range(-largest..=largest));
    let weights = QuantisedWeights {
        feature_weights: (0..G::FEATURES).map(|_| feature()).collect(),
        feature_bias,
        output_weights,
        output_bias: (0..G::OUTPUT_BUCKETS).map(|bucket| bucket as i32 * 1000 - 3000).collect(),
    };
    Network::new(&weights).expect("the weights are small")
}

#[test]
fn chances_sum_to_one_and_increase_with_the_score() {
    let mated = [Score::mated_at(Ply(4))];
    let mating = [Score::mating_at(Ply(3))];
    for variant in Variant::ALL {
        let model = WdlModel::fitted(variant);
        let mut before = -1.0;
        let scores = (-1200..=1200).step_by(50).map(Score::centipawns);
        for score in mated.into_iter().chain(scores).chain(mating) {
            let chances = model.chances(score);
            assert_eq!(chances.permille().iter().sum::<u32>(), 1000, "{variant}: {score}");
            assert!(chances.expected() > before, "{variant}: {score}");
            before = chances.expected();
        }
        assert_eq!(model.chances(Score::DRAW).expected(), 0.5, "{variant}");
    }
    for (win, loss) in [(0.0, 0.0), (1.0, 0.0), (0.3333, 0.3333), (0.0005, 0.9995)] {
        let chances = Chances { win, loss };
        assert_eq!(chances.permille().iter().sum::<u32>(), 1000, "{chances:?}");
    }
    assert_eq!(Chances::DRAWN.permille(), [0, 1000, 0]);
}
