//! Training and validation set, read from files of games or positions.

use std::path::{Path, PathBuf};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use thiserror::Error;

use qirkat_evaluation::network::NetworkInput;
use qirkat_rules::variant::Member;
use qirkat_system::parallel;

use super::training_sample::Sample;
use crate::dataset::{
    BlockReader, DatasetError, Form, MAX_BYTES, PackedPosition, PackedPositionError, Repeated,
    Repeats,
};

/// The training set, and a validation set of other games, which shows overfitting.
/// Games are split as a whole, as long as their positions are consecutive, as `datagen`
/// has written them. In shuffled files the games cannot be recognised.
#[derive(Default)]
pub struct TrainingData {
    /// The positions from which the network learns.
    pub training: Vec<PackedPosition>,
    /// The positions by which it is measured, and from which it never learns.
    pub validation: Vec<PackedPosition>,
}

/// Why there is no training data.
#[derive(Debug, Error)]
pub enum TrainingDataError {
    /// A file cannot be read.
    #[error("{}: {reason}", path.display())]
    File { path: PathBuf, reason: DatasetError },
    /// A packed position is damaged.
    #[error("{}: position {number}: {reason}", path.display())]
    Position {
        path: PathBuf,
        /// Which one, from 1.
        number: usize,
        reason: PackedPositionError,
    },
    /// Only games have later scores for the TD lambda.
    #[error("{}: positions, where the TD lambda needs games", .0.display())]
    NoGames(PathBuf),
    /// A file holds the positions of another.
    #[error(transparent)]
    Repeated(#[from] Repeated),
    /// There are no positions at all.
    #[error("no positions to train on")]
    Empty,
}

/// Blocks that are unpacked side by side: so many, or until they have as many bytes as one may have.
const BLOCKS_AT_A_TIME: usize = 256;

impl TrainingData {
    /// Reads files of the game `G`: games as `datagen` has written them, or positions.
    /// `validation` is the share of games in the validation set. `td_lambda` is the weight of what
    /// comes later in the game in the target of a position, from 0 (only the score of its search) to
    /// 1 (only the result).
    ///
    /// # Errors
    /// When a file cannot be read, is of another game, holds no games for the TD lambda or the positions of
    /// an earlier file, or the training set is empty.
    pub fn read<G: NetworkInput + Member>(
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

    fn add<G: NetworkInput + Member>(
        &mut self,
        path: &Path,
        share: f64,
        td_lambda: f64,
        rng: &mut StdRng,
        repeats: &mut Repeats,
    ) -> Result<(), TrainingDataError> {
        let named = |reason| TrainingDataError::File { path: path.to_owned(), reason };
        let mut reader = BlockReader::open(path).map_err(named)?;
        if reader.variant() != G::VARIANT {
            let (found, wanted) = (reader.variant(), G::VARIANT);
            return Err(named(DatasetError::Variant { found, wanted }));
        }
        if td_lambda > 0.0 && reader.form() != Form::Games {
            return Err(TrainingDataError::NoGames(path.to_owned()));
        }
        let mut number = 0;
        loop {
            let (mut blocks, mut bytes) = (Vec::new(), 0);
            while blocks.len() < BLOCKS_AT_A_TIME
                && bytes < MAX_BYTES as usize
                && let Some(block) = reader.next_block().map_err(named)?
            {
                bytes += block.bytes();
                blocks.push(block);
            }
            if blocks.is_empty() {
                return Ok(());
            }
            let unpacked = parallel::map(blocks.len(), &|place| {
                blocks[place].positions_with_returns(G::VARIANT, td_lambda)
            });
            for positions in unpacked {
                let mut last_ply = u16::MAX;
                let mut is_validation = false;
                let positions = positions.map_err(named)?;
                repeats.add(&positions);
                for packed in positions {
                    number += 1;
                    Sample::of::<G>(&packed, false).map_err(|reason| {
                        TrainingDataError::Position { path: path.to_owned(), number, reason }
                    })?;
                    // Plies rise within a game.
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

    /// A hash that identifies these positions and their split.
    pub(super) fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for packed in self.training.iter().chain(&self.validation) {
            hasher.update(packed.bytes());
        }
        hasher.update(&(self.validation.len() as u64).to_le_bytes());
        hasher.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::super::training_sample::packed;
    use super::*;
    use crate::dataset::{Block, DatasetWriter};
    use qirkat_game::GameResult;
    use qirkat_rules::chesquerque::Position;
    use qirkat_rules::variant::Variant;

    /// Games are split as a whole.
    #[test]
    fn games_are_not_divided() {
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
        assert!(matches!(later, Err(TrainingDataError::NoGames(_))));
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
}
