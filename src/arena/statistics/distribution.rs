//! Distributions of scores over equally spaced outcomes.

/// Stands for a count of zero where every outcome must be possible, as in
/// fishtest's `LLRcalc.py`.
const REGULARISED_ZERO: f64 = 1e-3;

/// The probabilities of `N` outcomes that score 0, 1/(N-1), … 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distribution<const N: usize>(pub [f64; N]);

impl<const N: usize> Distribution<N> {
    /// The observed distribution, and the number of outcomes; none without outcomes.
    pub fn observed(counts: [u64; N]) -> Option<(f64, Self)> {
        Self::shares(counts.map(|count| count as f64))
    }

    /// The same with every outcome made possible.
    pub fn regularised(counts: [u64; N]) -> Option<(f64, Self)> {
        if counts == [0; N] {
            return None;
        }
        Self::shares(counts.map(|count| if count == 0 { REGULARISED_ZERO } else { count as f64 }))
    }

    fn shares(counts: [f64; N]) -> Option<(f64, Self)> {
        let total: f64 = counts.iter().sum();
        (total > 0.0).then(|| (total, Self(counts.map(|count| count / total))))
    }

    /// Each outcome's score.
    pub fn scores() -> [f64; N] {
        std::array::from_fn(|index| index as f64 / (N - 1) as f64)
    }

    /// The expected value of something that depends on the score.
    pub fn expectation(&self, value: impl Fn(f64) -> f64) -> f64 {
        self.0
            .iter()
            .zip(Self::scores())
            .map(|(probability, score)| probability * value(score))
            .sum()
    }

    /// The expected score.
    pub fn mean(&self) -> f64 {
        self.expectation(|score| score)
    }

    /// The central moment of the given order.
    pub fn moment(&self, order: i32) -> f64 {
        let mean = self.mean();
        self.expectation(|score| (score - mean).powi(order))
    }

    pub fn variance(&self) -> f64 {
        self.moment(2)
    }
}

/// Further from zero than this the normal distribution has nothing left that shows.
const FARTHEST: f64 = 8.0;

/// The cumulative distribution function of the standard normal distribution: the probability
/// of a value below `x`, as 1/2 + φ(x) (x + x³/3 + x⁵/(3·5) + …) (G. Marsaglia, "Evaluating
/// the Normal Distribution", 2004).
pub(super) fn normal_cdf(x: f64) -> f64 {
    let x = x.clamp(-FARTHEST, FARTHEST);
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    while term != 0.0 && sum + term / 4.0 != sum {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_a_coin() {
        let (total, coin) = Distribution::observed([5, 0, 5]).expect("there are outcomes");
        assert_eq!(total, 10.0);
        assert_eq!((coin.mean(), coin.variance()), (0.5, 0.25));
        assert_eq!((coin.moment(3), coin.moment(4)), (0.0, 0.0625));
        assert!(Distribution::observed([0; 3]).is_none());
        assert!(Distribution::regularised([0; 5]).is_none());
    }

    #[test]
    fn the_normal_distribution_is_the_textbooks() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (1.959_963_984_540_054, 0.975),
            (f64::INFINITY, 1.0),
            (f64::NEG_INFINITY, 0.0),
        ] {
            assert!((normal_cdf(x) - expected).abs() < 1e-12, "{x}");
        }
    }
}
