//! Writes tuned weights as source code: `src/evaluation/values.rs`.

use qirkat_evaluation::{Feature, VALUES_SOURCE};

use super::texel_model::Weights;

/// How a tapered value begins in the source.
const PAIR: &str = "s(";

/// The text of `src/evaluation/values.rs` with these weights in place of the
/// present ones.
pub fn with_values(weights: &Weights) -> String {
    let mut features = Feature::all();
    let lines = VALUES_SOURCE.lines().map(|line| {
        if line.starts_with(' ') && line.trim_start().starts_with(PAIR) {
            with_pairs(line, weights, &mut features)
        } else {
            line.to_owned()
        }
    });
    lines.map(|line| line + "\n").collect()
}

/// The line with the weights of the next features.
fn with_pairs(
    line: &str,
    weights: &Weights,
    features: &mut impl Iterator<Item = Feature>,
) -> String {
    let pairs = line.matches(PAIR).count();
    let pairs = features.take(pairs).map(|feature| {
        let [middle_game, endgame] = weights.rounded(feature);
        format!("{PAIR}{middle_game:4}, {endgame:4}),")
    });
    format!("    {}", pairs.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every weight has its place in the file, in the order of the features.
    #[test]
    fn the_present_weights_give_the_present_file() {
        assert_eq!(with_values(&Weights::current()), VALUES_SOURCE);
        let pairs = VALUES_SOURCE.lines().filter(|line| line.starts_with("    s("));
        assert_eq!(pairs.map(|line| line.matches(PAIR).count()).sum::<usize>(), Feature::COUNT);
    }
}
