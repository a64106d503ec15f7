//! The positions to learn from.

use std::path::{Path, PathBuf};

use arrayvec::ArrayVec;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use thiserror::Error;

use crate::dataset::{BlockReader, DatasetError, PackedPosition, PackedPositionError};
use crate::network::{Input, SCALE, View, bucket};
use crate::position::{Piece, PieceKind, Point};

/// Positions to learn from, and some that are held back to see how well
/// others are judged. The positions of a game are not divided, as long as they
/// stand together as `datagen` has written them: in shuffled files nothing
/// tells which belong to a game.
#[derive(Default)]
pub struct TrainingSet {
    pub(super) learned: Vec<PackedPosition>,
    pub(super) held_back: Vec<PackedPosition>,
}

/// Why there is nothing to learn from.
#[derive(Debug, Error)]
pub enum TrainingSetError {
    /// A file cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        reason: DatasetError,
    },
    /// A record is no position.
    #[error("{}: record {number}: {reason}", path.display())]
    Record {
        /// In which file.
        path: PathBuf,
        /// Which record, from 1.
        number: usize,
        /// What is wrong with it.
        reason: PackedPositionError,
    },
    /// There are no positions at all.
    #[error("no positions to learn from")]
    Empty,
}

impl TrainingSet {
    /// Reads files as `datagen` has written them. `held_back` is the share of
    /// games that is held back.
    ///
    /// # Errors
    /// When a file cannot be read, or there is nothing in them.
    pub fn read(
        paths: &[PathBuf],
        held_back: f64,
        seed: u64,
    ) -> Result<TrainingSet, TrainingSetError> {
        let mut set = TrainingSet::default();
        let mut rng = StdRng::seed_from_u64(seed);
        let held_back = held_back.clamp(0.0, 1.0);
        for path in paths {
            set.add(path, held_back, &mut rng)?;
        }
        if set.learned.is_empty() { Err(TrainingSetError::Empty) } else { Ok(set) }
    }

    fn add(&mut self, path: &Path, share: f64, rng: &mut StdRng) -> Result<(), TrainingSetError> {
        let named = |reason| TrainingSetError::File { path: path.to_owned(), reason };
        let mut reader = BlockReader::open(path).map_err(named)?;
        let mut number = 0;
        while let Some(block) = reader.next_block().map_err(named)? {
            let mut last_ply = u16::MAX;
            let mut is_held_back = false;
            for record in block.positions {
                number += 1;
                Sample::of(&record, false).map_err(|reason| TrainingSetError::Record {
                    path: path.to_owned(),
                    number,
                    reason,
                })?;
                // Plies rise within a game.
                if record.ply() <= last_ply {
                    is_held_back = rng.random_bool(share);
                }
                last_ply = record.ply();
                if is_held_back { &mut self.held_back } else { &mut self.learned }.push(record);
            }
        }
        Ok(())
    }

    /// How many positions are learned from, and how many held back.
    pub fn len(&self) -> [usize; 2] {
        [self.learned.len(), self.held_back.len()]
    }

    /// A number that tells these positions, and how they are divided, from
    /// others.
    pub(super) fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for record in self.learned.iter().chain(&self.held_back) {
            hasher.update(record.bytes());
        }
        hasher.update(&(self.held_back.len() as u64).to_le_bytes());
        hasher.finalize()
    }
}

/// What a side sees.
type Inputs = ArrayVec<Input, { PackedPosition::MAX_PIECES }>;

/// A position as the network sees it, and what it should find.
pub(super) struct Sample {
    /// What the side to move sees, and what the other.
    pub inputs: [Inputs; 2],
    pub bucket: usize,
    /// The chance to win by the search's score, for the side to move.
    pub chance: f32,
    /// The game's result for the side to move, from 0 to 1.
    pub result: f32,
}

impl Sample {
    /// `mirrored` exchanges left and right where that shows: for a side whose
    /// king stands in the middle. Any other king is on the left as it is.
    pub fn of(record: &PackedPosition, mirrored: bool) -> Result<Sample, PackedPositionError> {
        let mut men: ArrayVec<(Point, Piece), { PackedPosition::MAX_PIECES }> = ArrayVec::new();
        let mut kings = [None; 2];
        for man in record.pieces() {
            let (point, man) = man?;
            if man.kind == PieceKind::King {
                kings[man.color.index()] = Some(point);
            }
            men.push((point, man));
        }
        let own = record.side_to_move();
        let mut inputs = [Inputs::new(), Inputs::new()];
        for (color, inputs) in [own, !own].into_iter().zip(&mut inputs) {
            let king = kings[color.index()].ok_or(PackedPositionError::NoPosition)?;
            let view = View::of(color, king);
            let in_the_middle = king.file() == Point::FILES / 2;
            let view = if mirrored && in_the_middle { view.mirrored() } else { view };
            inputs.extend(men.iter().map(|&(point, man)| view.input(man, point)));
        }
        let result = match record.result().winner() {
            Some(winner) if winner == own => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        let bucket = bucket(men.len() as u32);
        let chance = chance(f32::from(record.score()) / SCALE as f32);
        Ok(Sample { inputs, bucket, chance, result })
    }
}

/// The chance to win that goes with an output.
#[inline]
pub(super) fn chance(output: f32) -> f32 {
    crate::sigmoid::sigmoid(output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Block, DatasetWriter};
    use crate::pgn::GameResult;
    use crate::position::Position;

    fn record(fen: &str, score: i16, ply: u16, result: GameResult) -> PackedPosition {
        let position = Position::from_fen(fen).expect("it is sound").position;
        PackedPosition::pack(&position, score, ply, result).expect("it is sound")
    }

    /// Scores and results are those of the side to move.
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
            let sample = Sample::of(&record(fen, score, 0, result), false).expect("it is sound");
            assert_eq!(sample.result, wanted, "{fen} {result:?}");
            let odds = sample.chance / (1.0 - sample.chance);
            let wanted = if score > 0 { 1f32.exp() } else { (-1f32).exp() };
            assert!((odds - wanted).abs() < 1e-4, "{fen}: {odds}");
        }
    }

    /// Mirroring shows only to a side whose king stands in the middle, and
    /// shows it the mirrored board.
    #[test]
    fn mirroring_is_that_of_the_board() {
        let original = record("4k4/9/9/1n7/9/9/9/P8/R4K3 w - - 0 1", 0, 0, GameResult::Draw);
        let mirrored = record("4k4/9/9/7n1/9/9/9/8P/3K4R w - - 0 1", 0, 0, GameResult::Draw);
        let sorted = |record, mirror| {
            Sample::of(record, mirror).expect("it is sound").inputs.map(|inputs| {
                let mut indices: Vec<usize> = inputs.iter().map(|input| input.index()).collect();
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

    /// Games are held back whole.
    #[test]
    fn games_are_not_divided() {
        let fen = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let game = |number: i16| (0..20).map(move |ply| record(fen, number, ply, GameResult::Draw));
        let records: Vec<PackedPosition> = (0..200).flat_map(game).collect();
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games");
        let mut writer = DatasetWriter::create(&path).expect("a new file");
        writer
            .write(&Block { positions: records, games: 200, next_game: 200 })
            .expect("room on the disk");
        let set = TrainingSet::read(&[path], 0.3, 1).expect("it is sound");
        let games = |records: &[PackedPosition]| {
            let mut games: Vec<i16> = records.iter().map(PackedPosition::score).collect();
            games.dedup();
            games
        };
        let (learned, held_back) = (games(&set.learned), games(&set.held_back));
        assert_eq!(learned.len() + held_back.len(), 200, "each game is on one side");
        assert!((30..90).contains(&held_back.len()), "{}", held_back.len());
    }
}
