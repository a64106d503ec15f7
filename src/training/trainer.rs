//! The training loop: epochs of mini-batches.

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use qirkat_evaluation::network::{Network, NetworkError, NetworkInput};
use qirkat_game::splitmix::splitmix64;
use qirkat_rules::{alquerque, chesquerque, masonic};
use qirkat_system::parallel;

use crate::dataset::PackedPosition;
use crate::optimiser::{AdamW, LearningRate, Losses, ROWS_PER_TASK, mean_loss};
use crate::parameters::{Parameters, Row, add, backward, loss};
use crate::training_data::{Sample, TrainingData};

/// Parts of a batch, each with its own gradients, taken by threads one at a time. Their number is
/// fixed, so that gradients are summed in the same order for any number of threads.
const SHARDS: usize = 8;
/// AdamW's epsilon, which prevents division by zero.
const EPSILON: f32 = 1e-8;

pub struct Trainer<G: NetworkInput> {
    pub(super) parameters: Parameters<G>,
    pub(super) optimiser: AdamW<Row<G>>,
    /// One entry per epoch.
    pub losses: Vec<Losses>,
}

struct Shard<G: NetworkInput> {
    gradients: Parameters<G>,
    loss: f64,
}

/// More threads than this would be idle in the backward pass, which takes most of the time.
pub const MAX_TRAINING_THREADS: usize = SHARDS;

type TrainEpoch<G> =
    fn(&mut Trainer<G>, &TrainingData, &TrainingOptions, &mut dyn FnMut(usize) -> bool) -> bool;

/// The functions that take nearly all of the time.
type Compiled<G> = (
    fn(u64) -> Trainer<G>,
    TrainEpoch<G>,
    fn(&Trainer<G>) -> Result<(Vec<u8>, u32), NetworkError>,
    fn(&Trainer<G>, u32) -> Vec<u8>,
);

/// Generic code is compiled in the calling crate, at that crate's optimisation level, unless it is
/// never inlined and an upstream crate has already compiled it.
const fn compiled<G: NetworkInput>() -> Compiled<G> {
    (Trainer::new, Trainer::train_epoch, Trainer::network_file, Trainer::checkpoint)
}

#[used]
static COMPILED: (
    Compiled<chesquerque::Position>,
    Compiled<masonic::Position>,
    Compiled<alquerque::Position>,
) = (compiled(), compiled(), compiled());

impl<G: NetworkInput> Trainer<G> {
    #[inline(never)]
    pub fn new(seed: u64) -> Trainer<G> {
        Trainer::from_parameters(Parameters::random(&mut StdRng::seed_from_u64(seed)))
    }

    /// For fine-tuning: a new trainer with the weights of a network.
    pub fn from_network(network: &Network<G>) -> Trainer<G> {
        Trainer::fine_tuning(Parameters::from_quantised(&network.quantised_weights()))
    }

    /// A new trainer whose parameters decay to these, from which it begins.
    pub(super) fn fine_tuning(parameters: Parameters<G>) -> Trainer<G> {
        let mut trainer = Trainer::from_parameters(parameters);
        trainer.optimiser.decay_target.clone_from(&trainer.parameters.rows);
        trainer
    }

    pub(super) fn from_parameters(parameters: Parameters<G>) -> Trainer<G> {
        let optimiser = AdamW::new(&parameters.rows, EPSILON);
        Trainer { parameters, optimiser, losses: Vec::new() }
    }

    /// A hash of positions, hyperparameters and starting point. `initial` is the checksum of the
    /// network or checkpoint to start from; zero for random weights.
    pub fn fingerprint(data: &TrainingData, options: &TrainingOptions, initial: u32) -> u32 {
        let all = [data.fingerprint(), options.fingerprint(), initial];
        crc32fast::hash(&all.map(u32::to_le_bytes).concat())
    }

    /// The bytes of the network's file, and their checksum.
    #[inline(never)]
    pub fn network_file(&self) -> Result<(Vec<u8>, u32), NetworkError> {
        let network = self.network()?;
        Ok((network.to_bytes(), network.checksum()))
    }

    pub(super) fn network(&self) -> Result<Network<G>, NetworkError> {
        self.parameters.merged().quantised()
    }

    /// Trains for one epoch. `on_batch` is called with the size of each batch; when it returns
    /// false, the epoch is undone and the result is false.
    #[inline(never)]
    pub fn train_epoch(
        &mut self,
        data: &TrainingData,
        options: &TrainingOptions,
        on_batch: &mut dyn FnMut(usize) -> bool,
    ) -> bool {
        let before = (self.parameters.clone(), self.optimiser.clone());
        let epoch = self.losses.len() as u64;
        let mut seed = options.seed.wrapping_add(epoch);
        let mut rng = StdRng::seed_from_u64(splitmix64(&mut seed));
        let mut order: Vec<u32> = (0..data.training.len() as u32).collect();
        order.shuffle(&mut rng);
        let batches = order.len().div_ceil(options.batch_size.max(1));
        let new_shard = || Shard { gradients: Parameters::zero(), loss: 0.0 };
        let mut shards: Vec<Shard<G>> = std::iter::repeat_with(new_shard).take(SHARDS).collect();
        let mut total_loss = 0.0;
        for (number, batch) in order.chunks(options.batch_size.max(1)).enumerate() {
            let mirrored: u64 = rng.random();
            let merged = self.parameters.merged();
            backward_batch(&merged, data, batch, mirrored, options, &mut shards);
            total_loss += shards.iter().map(|shard| shard.loss).sum::<f64>();
            let gradients = mean_gradients(&shards, batch.len());
            let done = epoch as f64 + number as f64 / batches as f64;
            let learning_rate = options.learning_rate.cosine(done / f64::from(options.epochs));
            self.optimiser.step(
                &mut self.parameters.rows,
                &gradients.rows,
                learning_rate,
                options.weight_decay,
                Parameters::<G>::bound,
            );
            if !on_batch(batch.len()) {
                (self.parameters, self.optimiser) = before;
                return false;
            }
        }
        self.losses.push(Losses {
            training: total_loss / order.len() as f64,
            validation: self.validation_loss(data, options),
        });
        true
    }

    /// The mean loss over the validation set; `None` if it is empty.
    #[inline(never)]
    pub fn validation_loss(&self, data: &TrainingData, options: &TrainingOptions) -> Option<f64> {
        let merged = self.parameters.merged();
        mean_loss(data.validation.len(), &|index| {
            Sample::of::<G>(&data.validation[index], false)
                .map_or(0.0, |sample| loss(&merged, &sample, options.wdl_lambda as f32))
        })
    }
}

/// The backward pass of a batch, in shards. Bit `index % 64` of `mirrored` decides whether the
/// position with that index is mirrored.
fn backward_batch<G: NetworkInput>(
    merged: &Parameters<G>,
    data: &TrainingData,
    batch: &[u32],
    mirrored: u64,
    options: &TrainingOptions,
    shards: &mut [Shard<G>],
) {
    let wdl_lambda = options.wdl_lambda as f32;
    let size = batch.len().div_ceil(shards.len());
    parallel::for_each_mut(shards, 1, &|number, shard| {
        for row in &mut shard.gradients.rows {
            row.as_mut().fill(0.0);
        }
        shard.loss = 0.0;
        let first = (number * size).min(batch.len());
        let last = (first + size).min(batch.len());
        // Copied first, so that the cache misses of different positions overlap.
        let indices = &batch[first..last];
        let positions: Vec<PackedPosition> =
            indices.iter().map(|&index| data.training[index as usize]).collect();
        for (packed, index) in positions.iter().zip(indices) {
            let mirrored = (mirrored >> (index % u64::BITS)) & 1 != 0;
            if let Ok(sample) = Sample::of::<G>(packed, mirrored) {
                shard.loss += backward(merged, &sample, wdl_lambda, &mut shard.gradients);
            }
        }
    });
}

/// The mean gradients of a batch, including those of the factoriser.
fn mean_gradients<G: NetworkInput>(shards: &[Shard<G>], batch_size: usize) -> Parameters<G> {
    let mut mean = Parameters::<G>::zero();
    parallel::for_each_mut(&mut mean.rows, ROWS_PER_TASK, &|row, sums| {
        for shard in shards {
            add(sums.as_mut(), shard.gradients.rows[row].as_ref());
        }
    });
    mean.backward_factoriser();
    let share = 1.0 / batch_size as f32;
    parallel::for_each_mut(&mut mean.rows, ROWS_PER_TASK, &|_, row| {
        row.as_mut().iter_mut().for_each(|gradient| *gradient *= share);
    });
    mean
}

#[derive(Clone, Copy, Debug)]
pub struct TrainingOptions {
    pub epochs: u32,
    /// Positions per step.
    pub batch_size: usize,
    /// AdamW's step size, on a cosine schedule.
    pub learning_rate: LearningRate,
    /// AdamW's weight decay: each step shrinks all weights by this times the learning rate.
    pub weight_decay: f64,
    /// The weight of the game result in the target, from 0 (search score only) to 1 (result only).
    pub wdl_lambda: f64,
    pub seed: u64,
}

impl TrainingOptions {
    pub(super) fn fingerprint(&self) -> u32 {
        let numbers = [
            u64::from(self.epochs),
            self.batch_size as u64,
            self.learning_rate.first.to_bits(),
            self.learning_rate.last.to_bits(),
            self.weight_decay.to_bits(),
            self.wdl_lambda.to_bits(),
            self.seed,
        ];
        crc32fast::hash(&numbers.map(u64::to_le_bytes).concat())
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;

    use qirkat_evaluation::MaterialEvaluation;
    use qirkat_evaluation::network::EVAL_SCALE;
    use qirkat_game::{GameResult, Searchable};
    use qirkat_rules::{alquerque, chesquerque};
    use qirkat_testing::effort;

    use super::*;

    /// The game with the smallest network.
    type Small = alquerque::Position;

    fn random_data<G: MaterialEvaluation + Searchable>(positions: usize) -> TrainingData {
        let mut rng = StdRng::seed_from_u64(9);
        let mut data = TrainingData::default();
        while data.training.len() < positions {
            let mut position = G::start();
            for ply in 0..60 {
                let Some(&mv) = position.legal_moves().choose(&mut rng) else { break };
                position = position.after(mv);
                let score = position.material_and_placement().value().clamp(-1500, 1500) as i16;
                let packed = PackedPosition::pack(&position, score, ply, GameResult::Draw);
                let is_validation = rng.random_bool(0.1);
                if is_validation { &mut data.validation } else { &mut data.training }
                    .extend(packed);
            }
        }
        data
    }

    const OPTIONS: TrainingOptions = TrainingOptions {
        epochs: 8,
        batch_size: 512,
        learning_rate: LearningRate { first: 0.004, last: 0.0004 },
        weight_decay: 0.01,
        wdl_lambda: 0.0,
        seed: 4,
    };

    fn train<G: NetworkInput>(data: &TrainingData, threads: usize) -> Trainer<G> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut trainer = Trainer::new(OPTIONS.seed);
        for _ in 0..OPTIONS.epochs {
            assert!(pool.install(|| trainer.train_epoch(data, &OPTIONS, &mut |_| true)));
        }
        trainer
    }

    #[test]
    fn networks_learn_material() {
        learns::<Small>();
        if effort([false, true, true]) {
            learns::<chesquerque::Position>();
        }
    }

    fn learns<G: MaterialEvaluation + Searchable>() {
        let few = random_data::<G>(1000);
        let [one, three] = [1, 3].map(|threads| train::<G>(&few, threads).checkpoint(0));
        assert!(one == three, "the number of threads changes nothing");
        let data = random_data::<G>(8000);
        let trainer = train::<G>(&data, 2);
        let losses: Vec<f64> = trainer.losses.iter().filter_map(|loss| loss.validation).collect();
        let (first, last) = (losses[0], losses[losses.len() - 1]);
        assert!(last < first / 3.0, "{losses:?}");
        let network = trainer.network().expect("weights are small");
        let (mut alike, mut all) = (0, 0);
        for packed in &data.validation {
            let position = packed.unpack::<G>().expect("it is sound");
            if packed.score().abs() > 200 {
                all += 1;
                alike += usize::from(
                    network.evaluate(&position).signum() == i32::from(packed.score()).signum(),
                );
            }
        }
        assert!(all > 100 && alike * 10 > all * 9, "{alike} of {all}");
    }

    #[test]
    fn resuming_changes_nothing() {
        let data = random_data::<Small>(2000);
        let options = TrainingOptions { epochs: 3, wdl_lambda: 0.4, ..OPTIONS };
        let train = |trainer: &mut Trainer<Small>| {
            assert!(trainer.train_epoch(&data, &options, &mut |_| true));
        };
        let (mut whole, mut broken) = (Trainer::new(1), Trainer::new(1));
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("checkpoint");
        for _ in 0..3 {
            train(&mut whole);
            assert!(!broken.train_epoch(&data, &options, &mut |_| false));
            train(&mut broken);
            std::fs::write(&path, broken.checkpoint(1)).expect("room on the disk");
            broken = Trainer::new(0).resumed(&path, 1).expect("it is sound");
        }
        assert!(whole.checkpoint(0) == broken.checkpoint(0));
    }

    #[test]
    fn fine_tuning_starts_from_the_same_network() {
        let network = Trainer::<Small>::new(3).network().expect("weights are small");
        let trainer = Trainer::from_network(&network);
        let again = trainer.network().expect("weights are small");
        assert_eq!(again.checksum(), network.checksum());
        let data = random_data::<Small>(500);
        let fingerprint = |initial| Trainer::<Small>::fingerprint(&data, &OPTIONS, initial);
        assert_ne!(fingerprint(0), fingerprint(network.checksum()));
        assert!(data.validation.iter().all(|packed| {
            let sample = Sample::of::<Small>(packed, false).expect("it is sound");
            let position = packed.unpack::<Small>().expect("it is sound");
            let quantised = f64::from(network.evaluate(&position)) / f64::from(EVAL_SCALE);
            let target = sample.target(0.0);
            let error = (1.0 / (1.0 + (-quantised).exp()) - f64::from(target)).powi(2);
            (loss(&trainer.parameters, &sample, 0.0) - error).abs() < 0.01
        }));
    }
}
