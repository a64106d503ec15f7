//! Training and validation sets, and samples: a position's active features and targets.

use std::path::{Path, PathBuf};

use arrayvec::ArrayVec;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use thiserror::Error;

use qirkat_arena::statistics::GameScore;
use qirkat_evaluation::network::{EVAL_SCALE, Feature, NetworkInput};
use qirkat_evaluation::sigmoid;
use qirkat_game::PieceCode;
use qirkat_rules::variant::VariantGame;
use qirkat_system::parallel;

use crate::dataset::{
    BlockReader, DatasetError, Form, MAX_BLOCK_BYTES, PackedPosition, PackedPositionError,
    RepeatError, Repeats,
};

/// The training set, and a validation set of other games, which shows overfitting. Whole games go
/// to one set, provided their positions are consecutive, as `datagen` writes them; in shuffled
/// files, games cannot be recognised.
#[derive(Default)]
pub struct TrainingData {
    pub training: Vec<PackedPosition>,
    /// Positions used to measure the loss, never to learn.
    pub validation: Vec<PackedPosition>,
}

#[derive(Debug, Error)]
pub enum TrainingDataError {
    #[error("{}: {reason}", path.display())]
    File { path: PathBuf, reason: String },
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    #[error("no positions to train on")]
    Empty,
}

/// Blocks unpacked in parallel; fewer if together they reach one block's size limit.
const BLOCKS_AT_A_TIME: usize = 256;

impl TrainingData {
    /// Reads files of variant `G`: games as written by `datagen`, or positions. `validation` is the
    /// share of games in the validation set. `td_lambda` is the weight of later scores and the
    /// result in a position's target, from 0 (its own score only) to 1 (result only).
    pub fn read<G: NetworkInput + VariantGame>(
        paths: &[PathBuf],
        validation: f64,
        td_lambda: f64,
        seed: u64,
    ) -> Result<TrainingData, TrainingDataError> {
        let mut data = TrainingData::default();
        let mut rng = StdRng::seed_from_u64(seed);
        let validation = validation.clamp(0.0, 1.0);
        let mut repeats = Repeats::default();
        for path in paths {
            repeats.begin_file(path)?;
            data.add::<G>(path, validation, td_lambda, &mut rng, &mut repeats)?;
            repeats.end_file()?;
        }
        if data.training.is_empty() { Err(TrainingDataError::Empty) } else { Ok(data) }
    }

    fn add<G: NetworkInput + VariantGame>(
        &mut self,
        path: &Path,
        share: f64,
        td_lambda: f64,
        rng: &mut StdRng,
        repeats: &mut Repeats,
    ) -> Result<(), TrainingDataError> {
        let named = |reason: String| TrainingDataError::File { path: path.to_owned(), reason };
        let of_file = |error: DatasetError| named(error.to_string());
        let mut reader = BlockReader::open(path).map_err(of_file)?;
        if reader.variant != G::VARIANT {
            let (found, wanted) = (reader.variant, G::VARIANT);
            return Err(of_file(DatasetError::Variant { found, wanted }));
        }
        // The TD lambda needs later scores, which only whole games have.
        if td_lambda > 0.0 && reader.form != Form::Games {
            return Err(named("positions, where the TD lambda needs games".to_owned()));
        }
        let mut number = 0;
        loop {
            let (mut blocks, mut bytes) = (Vec::new(), 0);
            while blocks.len() < BLOCKS_AT_A_TIME
                && bytes < MAX_BLOCK_BYTES as usize
                && let Some(block) = reader.next_block().map_err(of_file)?
            {
                bytes += block.bytes();
                blocks.push(block);
            }
            if blocks.is_empty() {
                return Ok(());
            }
            let unpacked = parallel::map(blocks.len(), &|index| {
                blocks[index].positions_with_lambda_returns(G::VARIANT, td_lambda)
            });
            for positions in unpacked {
                let mut last_ply = u16::MAX;
                let mut is_validation = false;
                let positions = positions.map_err(of_file)?;
                repeats.add(&positions);
                for packed in positions {
                    number += 1;
                    Sample::of::<G>(&packed, false)
                        .map_err(|reason| named(format!("position {number}: {reason}")))?;
                    // Within a game, plies increase.
                    if packed.ply() <= last_ply {
                        is_validation = rng.random_bool(share);
                    }
                    last_ply = packed.ply();
                    if is_validation { &mut self.validation } else { &mut self.training }
                        .push(packed);
                }
            }
        }
    }

    pub(super) fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for packed in self.training.iter().chain(&self.validation) {
            hasher.update(&packed.0);
        }
        hasher.update(&(self.validation.len() as u64).to_le_bytes());
        hasher.finalize()
    }
}

type Features = ArrayVec<Feature, { PackedPosition::MAX_PIECES }>;

pub(super) struct Sample {
    /// Of the side to move and the other side.
    pub features: [Features; 2],
    pub bucket: usize,
    /// The side to move's win probability by the search score.
    pub win_probability: f32,
    /// The game result for the side to move, from 0 to 1.
    pub result: f32,
}

impl Sample {
    /// Unpacks a position of variant `G`. `mirrored` swaps left and right as data augmentation,
    /// where that makes a new sample ([`NetworkInput::may_mirror`]).
    pub fn of<G: NetworkInput>(
        packed: &PackedPosition,
        mirrored: bool,
    ) -> Result<Sample, PackedPositionError> {
        let mut pieces: ArrayVec<(usize, PieceCode), { PackedPosition::MAX_PIECES }> =
            ArrayVec::new();
        // In a game without kings any point will do.
        let mut kings = [G::KING.map_or(Some(0), |_| None); 2];
        for piece in packed.pieces() {
            let (point, piece) = piece?;
            if point >= G::POINTS || piece.kind() >= G::KIND_LETTERS.len() {
                return Err(PackedPositionError::NoPosition);
            }
            if Some(piece.kind()) == G::KING {
                kings[piece.color().index()] = Some(point);
            }
            pieces.push((point, piece));
        }
        let us = packed.side_to_move();
        let mut features = [Features::new(), Features::new()];
        for (color, features) in [us, !us].into_iter().zip(&mut features) {
            let king = kings[color.index()].ok_or(PackedPositionError::NoPosition)?;
            let perspective = G::perspective(color, king);
            let perspective =
                if mirrored && G::may_mirror(king) { perspective.mirrored() } else { perspective };
            let feature =
                |&(point, piece): &(usize, PieceCode)| perspective.feature::<G>(piece, point);
            features.extend(pieces.iter().map(feature));
        }
        let result = GameScore::of(packed.result(), us).map_or(0.5, GameScore::points) as f32;
        let bucket = G::output_bucket(pieces.len() as u32);
        let win_probability = sigmoid(f32::from(packed.score()) / EVAL_SCALE as f32);
        Ok(Sample { features, bucket, win_probability, result })
    }

    /// The target probability: score and result, blended by the WDL lambda.
    #[inline]
    pub fn target(&self, wdl_lambda: f32) -> f32 {
        self.win_probability + wdl_lambda * (self.result - self.win_probability)
    }
}

#[cfg(test)]
pub(super) fn packed(
    fen: &str,
    score: i16,
    ply: u16,
    result: qirkat_game::GameResult,
) -> PackedPosition {
    let position =
        qirkat_rules::chesquerque::Position::from_fen(fen).expect("it is sound").position;
    PackedPosition::pack(&position, score, ply, result).expect("it is sound")
}

#[cfg(test)]
mod tests {
    use qirkat_game::GameResult;
    use qirkat_rules::chesquerque::Position;
    use qirkat_rules::variant::Variant;

    use super::*;
    use crate::dataset::{Block, DatasetWriter};

    #[test]
    fn games_are_not_split_between_sets() {
        let fen = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let game = |number: i16| (0..20).map(move |ply| packed(fen, number, ply, GameResult::Draw));
        let positions: Vec<PackedPosition> = (0..200).flat_map(game).collect();
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games");
        let mut writer =
            DatasetWriter::open(&path, Variant::Chesquerque, Form::Positions).expect("a new file");
        writer.write(&Block::of_positions(&positions, 200, 200)).expect("room on the disk");
        let paths = [path];
        let later = TrainingData::read::<Position>(&paths, 0.3, 0.5, 1);
        let error = later.err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.ends_with("where the TD lambda needs games")));
        let data = TrainingData::read::<Position>(&paths, 0.3, 0.0, 1).expect("it is sound");
        let games = |positions: &[PackedPosition]| {
            let mut games: Vec<i16> = positions.iter().map(PackedPosition::score).collect();
            games.dedup();
            games
        };
        let (training, validation) = (games(&data.training), games(&data.validation));
        assert_eq!(training.len() + validation.len(), 200, "each game is on one side");
        assert!((30..90).contains(&validation.len()), "{}", validation.len());
    }

    #[test]
    fn targets_are_for_the_side_to_move() {
        let white = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let black = "4k4/9/9/9/9/9/9/9/R3K4 b - - 0 1";
        for (fen, score, result, wanted) in [
            (white, 216, GameResult::WhiteWins, 1.0),
            (white, 216, GameResult::Draw, 0.5),
            (white, -216, GameResult::BlackWins, 0.0),
            (black, 216, GameResult::BlackWins, 1.0),
            (black, -216, GameResult::WhiteWins, 0.0),
        ] {
            let sample =
                Sample::of::<Position>(&packed(fen, score, 0, result), false).expect("it is sound");
            assert_eq!(sample.result, wanted, "{fen} {result:?}");
            let odds = sample.win_probability / (1.0 - sample.win_probability);
            let wanted = if score > 0 { 1f32.exp() } else { (-1f32).exp() };
            assert!((odds - wanted).abs() < 1e-4, "{fen}: {odds}");
        }
    }

    /// Mirroring affects only a side whose king is in the middle, which sees the mirrored board.
    #[test]
    fn mirrored_samples_match_mirrored_boards() {
        let original = packed("4k4/9/9/1n7/9/9/9/P8/R4K3 w - - 0 1", 0, 0, GameResult::Draw);
        let mirrored = packed("4k4/9/9/7n1/9/9/9/8P/3K4R w - - 0 1", 0, 0, GameResult::Draw);
        let sorted = |packed, mirror| {
            Sample::of::<Position>(packed, mirror).expect("it is sound").features.map(|features| {
                let mut indices: Vec<usize> =
                    features.iter().map(|feature| feature.index()).collect();
                indices.sort_unstable();
                indices
            })
        };
        let [own, enemy] = sorted(&original, false);
        let [own_turned, enemy_turned] = sorted(&original, true);
        let [own_mirrored, enemy_mirrored] = sorted(&mirrored, false);
        assert_eq!(own, own_turned);
        assert_eq!(own, own_mirrored);
        assert_eq!(enemy_turned, enemy_mirrored);
        assert_ne!(enemy, enemy_turned);
    }
}
