//! Epoch after epoch.

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::TrainingOptions;
use super::adam::Adam;
use super::parameters::{Parameters, add};
use super::samples::{Sample, TrainingSet};
use super::slopes::{add_slopes, loss};
use crate::dataset::PackedPosition;
use crate::network::{Network, NetworkError};
use crate::splitmix::splitmix64;

/// Parts of a batch, each with slopes of its own, which threads take one by
/// one.
const PARTS: usize = 8;
/// Held-back positions that a thread takes at a time.
const CHUNK: usize = 4096;

/// Mean losses after an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EpochLosses {
    /// Over the positions learned from, while they were.
    pub learned: f64,
    /// Over those held back; nothing if none are.
    pub held_back: Option<f64>,
}

/// A network that learns.
#[derive(Clone, PartialEq, Debug)]
pub struct Trainer {
    pub(super) adam: Adam,
    /// After each epoch so far.
    pub(super) losses: Vec<EpochLosses>,
}

impl Trainer {
    /// More threads than there are parts have nothing to do.
    pub const MOST_THREADS: usize = PARTS;

    /// A network that knows nothing yet.
    pub fn new(seed: u64) -> Trainer {
        let parameters = Parameters::random(&mut StdRng::seed_from_u64(seed));
        Trainer { adam: Adam::new(parameters), losses: Vec::new() }
    }

    /// A number that tells what is learned, and how, from anything else.
    pub fn fingerprint(set: &TrainingSet, options: &TrainingOptions) -> u32 {
        let both = [set.fingerprint(), options.fingerprint()];
        crc32fast::hash(&both.map(u32::to_le_bytes).concat())
    }

    /// The losses after each epoch so far.
    pub fn losses(&self) -> &[EpochLosses] {
        &self.losses
    }

    /// The network as it is now.
    ///
    /// # Errors
    /// When its numbers are too large together.
    pub fn network(&self) -> Result<Network, NetworkError> {
        self.adam.parameters.joined().network()
    }

    /// Looks at every position once. After each step `progress` hears of how
    /// many positions it was; when it answers no, the epoch is broken off and
    /// the network is as it was before.
    pub fn learn_epoch(
        &mut self,
        set: &TrainingSet,
        options: &TrainingOptions,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> bool {
        let before = self.adam.clone();
        let epoch = self.losses.len() as u64;
        let mut seed = options.seed.wrapping_add(epoch);
        let mut rng = StdRng::seed_from_u64(splitmix64(&mut seed));
        let mut order: Vec<u32> = (0..set.learned.len() as u32).collect();
        order.shuffle(&mut rng);
        let batches = order.len().div_ceil(options.batch.max(1));
        let mut parts = vec![(Parameters::zero(), 0.0); PARTS];
        let mut total = 0.0;
        for (number, batch) in order.chunks(options.batch.max(1)).enumerate() {
            let mirror: u64 = rng.random();
            let joined = self.adam.parameters.joined();
            learn_parts(&joined, set, batch, mirror, options, &mut parts);
            total += parts.iter().map(|(_, loss)| loss).sum::<f64>();
            let slopes = summed(&parts);
            let done = epoch as f64 + number as f64 / batches as f64;
            let rate = options.rate(done / f64::from(options.epochs));
            self.adam.step(&slopes, batch.len(), rate, options.decay);
            if !progress(batch.len()) {
                self.adam = before;
                return false;
            }
        }
        self.losses.push(EpochLosses {
            learned: total / order.len() as f64,
            held_back: self.mean_loss(&set.held_back, options),
        });
        true
    }

    fn mean_loss(&self, records: &[PackedPosition], options: &TrainingOptions) -> Option<f64> {
        let share = options.result_share as f32;
        let joined = self.adam.parameters.joined();
        let sum = |records: &[PackedPosition]| -> f64 {
            records
                .iter()
                .filter_map(|record| Sample::of(record, false).ok())
                .map(|sample| loss(&joined, &sample, share))
                .sum()
        };
        let sums: Vec<f64> = records.par_chunks(CHUNK).map(sum).collect();
        (!records.is_empty()).then(|| sums.iter().sum::<f64>() / records.len() as f64)
    }
}

/// Slopes and losses of each part of a batch.
fn learn_parts(
    parameters: &Parameters,
    set: &TrainingSet,
    batch: &[u32],
    mirror: u64,
    options: &TrainingOptions,
    parts: &mut [(Parameters, f64)],
) {
    let share = options.result_share as f32;
    let size = batch.len().div_ceil(parts.len());
    parts.par_iter_mut().enumerate().with_max_len(1).for_each(|(part, (slopes, loss))| {
        for line in &mut slopes.lines {
            line.fill(0.0);
        }
        let first = (part * size).min(batch.len());
        let last = (first + size).min(batch.len());
        *loss = 0.0;
        // Fetched together, so that one need not wait for the other.
        let indices = &batch[first..last];
        let records: Vec<PackedPosition> =
            indices.iter().map(|&index| set.learned[index as usize]).collect();
        for (record, index) in records.iter().zip(indices) {
            let mirrored = (mirror >> (index % u64::BITS)) & 1 != 0;
            if let Ok(sample) = Sample::of(record, mirrored) {
                *loss += add_slopes(parameters, &sample, share, slopes);
            }
        }
    });
}

/// The slopes of all parts together, those of shared lines included.
fn summed(parts: &[(Parameters, f64)]) -> Parameters {
    let mut all = Parameters::zero();
    all.lines.par_iter_mut().enumerate().with_min_len(64).for_each(|(line, sums)| {
        for (part, _) in parts {
            add(sums, &part.lines[line]);
        }
    });
    all.share_slopes();
    all
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;

    use super::*;
    use crate::evaluation::evaluate;
    use crate::pgn::GameResult;
    use crate::position::Position;

    /// Positions of random games with what the evaluation made by hand thinks
    /// of them.
    fn set(positions: usize) -> TrainingSet {
        let mut rng = StdRng::seed_from_u64(9);
        let mut set = TrainingSet::default();
        while set.learned.len() < positions {
            let mut position = Position::start();
            for ply in 0..60 {
                let Some(&mv) = position.legal_moves().choose(&mut rng) else { break };
                position = position.play(mv);
                let score = evaluate(&position).value().clamp(-1500, 1500) as i16;
                let record = PackedPosition::pack(&position, score, ply, GameResult::Draw);
                let part = if rng.random_bool(0.1) { &mut set.held_back } else { &mut set.learned };
                part.extend(record);
            }
        }
        set
    }

    const OPTIONS: TrainingOptions = TrainingOptions {
        epochs: 8,
        batch: 512,
        rates: [0.004, 0.0004],
        decay: 0.01,
        result_share: 0.0,
        seed: 4,
    };

    fn learn(set: &TrainingSet, threads: usize) -> Trainer {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut trainer = Trainer::new(OPTIONS.seed);
        for _ in 0..OPTIONS.epochs {
            assert!(pool.install(|| trainer.learn_epoch(set, &OPTIONS, &mut |_| true)));
        }
        trainer
    }

    /// A network learns what there is to learn, the same whatever the number
    /// of threads, and knows it in whole numbers too.
    #[test]
    fn networks_learn() {
        let set = set(8000);
        let trainer = learn(&set, 1);
        assert_eq!(trainer, learn(&set, 3), "the number of threads changes nothing");
        let losses: Vec<f64> = trainer.losses().iter().filter_map(|loss| loss.held_back).collect();
        let (first, last) = (losses[0], losses[losses.len() - 1]);
        assert!(last < first / 3.0, "{losses:?}");
        let network = trainer.network().expect("weights are small");
        let (mut alike, mut all) = (0, 0);
        for record in &set.held_back {
            let position = record.unpack().expect("it is sound");
            if record.score().abs() > 200 {
                all += 1;
                alike += usize::from(
                    network.evaluate(&position).signum() == i32::from(record.score()).signum(),
                );
            }
        }
        assert!(all > 100 && alike * 10 > all * 9, "{alike} of {all}");
    }

    /// A training that was written down and gone on with ends as one without
    /// a break.
    #[test]
    fn a_break_changes_nothing() {
        let set = set(2000);
        let options = TrainingOptions { epochs: 3, result_share: 0.4, ..OPTIONS };
        let learn = |trainer: &mut Trainer| trainer.learn_epoch(&set, &options, &mut |_| true);
        let (mut whole, mut broken) = (Trainer::new(1), Trainer::new(1));
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("checkpoint");
        for _ in 0..3 {
            assert!(learn(&mut whole) && learn(&mut broken));
            broken.save(&path, 1).expect("room on the disk");
            broken = Trainer::load(&path, 1).expect("it is sound");
        }
        assert_eq!(whole, broken);
    }

    #[test]
    fn a_broken_epoch_leaves_no_trace() {
        let set = set(2000);
        let mut trainer = Trainer::new(1);
        let before = trainer.clone();
        assert!(!trainer.learn_epoch(&set, &OPTIONS, &mut |_| false));
        assert_eq!(trainer, before);
    }
}
