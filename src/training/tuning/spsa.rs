//! SPSA: tunes many parameters at once by games between two versions, with all parameters perturbed
//! in opposite directions (J. C. Spall, "Multivariate Stochastic Approximation Using a Simultaneous
//! Perturbation Gradient Approximation", 1992). `c_end` and `r_end` are fishtest's.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use qirkat_system::format_version::FormatVersion;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SpsaParam {
    pub name: String,
    /// Its current value; it is rounded for play.
    pub value: f64,
    pub min: f64,
    pub max: f64,
    /// The size of the last perturbation.
    #[serde(alias = "step")]
    pub c_end: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spsa {
    #[serde(default)]
    pub version: FormatVersion<1>,
    #[serde(alias = "numbers")]
    pub params: Vec<SpsaParam>,
    /// Iterations of the whole run, each a game pair.
    #[serde(alias = "trials")]
    pub iterations: usize,
    /// The learning rate of the last iteration: the share of `c_end` by which a won game moves a
    /// parameter. Shorter runs need larger values.
    #[serde(alias = "rate")]
    pub r_end: f64,
    pub done: usize,
}

#[derive(Clone, Debug)]
pub struct SpsaPerturbation {
    /// Values of the first version.
    pub plus: Vec<i32>,
    /// Values of the second version.
    pub minus: Vec<i32>,
    deltas: Vec<f64>,
}

/// Exponents of the learning rate and perturbation schedules, as recommended by Spall.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// Spall's stability constant A, as a share of all iterations.
const STABILITY: f64 = 0.1;

impl Spsa {
    pub fn perturb(&self, rng: &mut impl Rng) -> SpsaPerturbation {
        let scale = (self.iterations as f64 / (self.done + 1) as f64).powf(GAMMA).max(1.0);
        let mut perturbation =
            SpsaPerturbation { plus: Vec::new(), minus: Vec::new(), deltas: Vec::new() };
        for param in &self.params {
            let delta = param.c_end * scale * if rng.random() { 1.0 } else { -1.0 };
            // Rounded randomly, so that changes below one have an effect.
            let mut played = |value: f64| {
                let value = value.clamp(param.min, param.max);
                (value + rng.random::<f64>()).floor().min(param.max) as i32
            };
            perturbation.plus.push(played(param.value + delta));
            perturbation.minus.push(played(param.value - delta));
            perturbation.deltas.push(delta);
        }
        perturbation
    }

    /// Updates the values after a game pair, by the first version's score minus the second's, from
    /// -2 to 2.
    pub fn update(&mut self, perturbation: &SpsaPerturbation, result: f64) {
        self.done += 1;
        let stability = STABILITY * self.iterations as f64;
        let schedule = (stability + self.iterations as f64) / (stability + self.done as f64);
        let rate = self.r_end * schedule.powf(ALPHA);
        for (param, &delta) in self.params.iter_mut().zip(&perturbation.deltas) {
            let change = rate * param.c_end * param.c_end / delta * result;
            param.value = (param.value + change).clamp(param.min, param.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    /// Random games that the version nearer to the best values wins slightly more often.
    #[test]
    fn parameters_converge() {
        let param = |name: &str, value| SpsaParam {
            name: name.to_owned(),
            value,
            min: 0.0,
            max: 200.0,
            c_end: 10.0,
        };
        let mut spsa = Spsa {
            version: FormatVersion,
            params: vec![param("a", 40.0), param("b", 160.0)],
            iterations: 20_000,
            r_end: 0.002,
            done: 0,
        };
        let mut rng = StdRng::seed_from_u64(1);
        let distance = |values: &[i32]| -> f64 {
            values.iter().zip([90, 100]).map(|(value, best)| f64::from((value - best).abs())).sum()
        };
        for _ in 0..spsa.iterations {
            let perturbation = spsa.perturb(&mut rng);
            let better = distance(&perturbation.minus) - distance(&perturbation.plus);
            let wins = rng.random::<f64>() < 0.5 + better / 200.0;
            spsa.update(&perturbation, if wins { 1.0 } else { -1.0 });
        }
        let values: Vec<f64> = spsa.params.iter().map(|param| param.value).collect();
        assert!((values[0] - 90.0).abs() < 12.0 && (values[1] - 100.0).abs() < 12.0, "{values:?}");
    }

    /// The first format had other names and no version.
    #[test]
    fn runs_of_earlier_versions_resume() {
        let kept = r#"{"numbers":[{"name":"a","value":4.5,"min":1,"max":9,"step":2}],"trials":50,"rate":0.01,"done":7}"#;
        let spsa: Spsa = serde_json::from_str(kept).expect("a run");
        assert_eq!((spsa.params[0].c_end, spsa.iterations, spsa.done), (2.0, 50, 7));
        let now = serde_json::to_string(&spsa).expect("JSON");
        let newer = now.replacen("\"version\":1", "\"version\":2", 1);
        let refused = serde_json::from_str::<Spsa>(&newer).expect_err("too new").to_string();
        assert!(refused.starts_with("it needs a newer Qirkat (format 2, not 1)"), "{refused}");
    }
}
