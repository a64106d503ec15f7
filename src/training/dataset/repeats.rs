//! Detects training data files that repeat each other, as after `datagen` with the same seed.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::dataset::packed_position::PackedPosition;

/// Finds files that repeat positions of an earlier one, in any form, order and with any scores.
#[derive(Default)]
pub struct Repeats {
    /// The files so far; the last one is being read.
    files: Vec<FilePositions>,
    /// Hashes with any of these bits set are skipped: for large data a sample is enough.
    left_out: u64,
}

/// The positions of a file, as hashes.
struct FilePositions {
    path: PathBuf,
    hashes: HashSet<u64>,
    /// Number of positions with these hashes, repeats included.
    count: usize,
}

/// The most hashes kept; with more, positions are sampled.
const MAX_HASHES: usize = 1 << 20;
/// By chance, files share at most one position in this many.
const CHANCE_DIVISOR: usize = 10;
/// In a varied file, at most one position in this many repeats another.
const VARIED_DIVISOR: usize = 10;

#[derive(Debug, Error)]
pub enum RepeatError {
    #[error("{} is given twice", .0.display())]
    Twice(PathBuf),
    #[error(
        "{}: {percent} % of its positions are those of {}; give each `qirkat datagen` a --seed of its own",
        .file.display(),
        .of.display()
    )]
    Positions {
        file: PathBuf,
        of: PathBuf,
        /// The share of the file that is in the other one.
        percent: usize,
    },
}

impl Repeats {
    pub fn begin_file(&mut self, path: &Path) -> Result<(), RepeatError> {
        if self.files.iter().any(|file| file.path == path) {
            return Err(RepeatError::Twice(path.to_owned()));
        }
        let path = path.to_owned();
        self.files.push(FilePositions { path, hashes: HashSet::new(), count: 0 });
        Ok(())
    }

    pub fn add(&mut self, positions: &[PackedPosition]) {
        let Some(file) = self.files.last_mut() else { return };
        for packed in positions {
            let (before, after) = packed.without_score();
            let mut hasher = DefaultHasher::new();
            hasher.write(before);
            hasher.write(after);
            let hash = hasher.finish();
            if hash & self.left_out == 0 {
                file.hashes.insert(hash);
                file.count += 1;
            }
        }
        while self.files.iter().map(|file| file.hashes.len()).sum::<usize>() > MAX_HASHES {
            self.left_out = self.left_out << 1 | 1;
            for file in &mut self.files {
                let distinct = file.hashes.len().max(1);
                file.hashes.retain(|hash| hash & self.left_out == 0);
                file.count = file.count * file.hashes.len() / distinct;
            }
        }
    }

    pub fn end_file(&self) -> Result<(), RepeatError> {
        let Some((file, earlier)) = self.files.split_last() else { return Ok(()) };
        for other in earlier {
            let common = file.hashes.intersection(&other.hashes).count();
            let fewer = file.hashes.len().min(other.hashes.len());
            if common * CHANCE_DIVISOR > fewer && file.is_varied() && other.is_varied() {
                let percent = (100 * common).div_ceil(file.hashes.len().max(1));
                let (file, of) = (file.path.clone(), other.path.clone());
                return Err(RepeatError::Positions { file, of, percent });
            }
        }
        Ok(())
    }
}

impl FilePositions {
    /// Whether few positions repeat: with few random plies, many games are alike.
    fn is_varied(&self) -> bool {
        VARIED_DIVISOR * self.count.saturating_sub(self.hashes.len()) <= self.count
    }
}

#[cfg(test)]
mod tests {
    use qirkat_game::GameResult;

    use super::*;
    use crate::training_data::packed;

    /// Positions with these numbers, the last first.
    fn positions(numbers: std::ops::Range<u16>, score: i16) -> Vec<PackedPosition> {
        let fen = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        numbers.rev().map(|number| packed(fen, score, number, GameResult::Draw)).collect()
    }

    #[test]
    fn repeats_are_found_in_any_order_and_with_any_scores() {
        for (first, second, percent) in [
            (0..100, 0..100, Some(100)),
            (0..100, 100..200, None),
            (0..100, 50..250, Some(25)),
            (0..400, 0..50, Some(100)),
            (0..50, 0..400, Some(13)),
            (0..100, 95..195, None),
            (0..0, 0..10, None),
            (0..10, 0..0, None),
        ] {
            let mut repeats = Repeats::default();
            repeats.begin_file(Path::new("first")).expect("a new name");
            repeats.add(&positions(first.clone(), 7));
            assert!(repeats.end_file().is_ok());
            repeats.begin_file(Path::new("second")).expect("a new name");
            let mut second = positions(second, -90);
            let third = second.len() / 3;
            second.rotate_left(third);
            repeats.add(&second);
            let found = repeats.end_file().err().map(|found| match found {
                RepeatError::Positions { percent, .. } => percent,
                RepeatError::Twice(_) => 0,
            });
            assert_eq!(found, percent, "{first:?} {}", second.len());
            assert!(matches!(repeats.begin_file(Path::new("first")), Err(RepeatError::Twice(_))));
        }
        // If nearly all positions are alike, repeats are no evidence.
        let mut repeats = Repeats::default();
        for name in ["first", "second"] {
            repeats.begin_file(Path::new(name)).expect("a new name");
            (0..9).for_each(|_| repeats.add(&positions(0..2, 0)));
            assert!(repeats.end_file().is_ok());
        }
    }

    #[test]
    fn a_sample_of_many_positions_is_enough() {
        let mut repeats = Repeats { left_out: 7, ..Repeats::default() };
        repeats.begin_file(Path::new("first")).expect("a new name");
        repeats.add(&positions(0..4000, 0));
        let kept = repeats.files[0].hashes.len();
        assert!((300..700).contains(&kept), "{kept}");
        repeats.begin_file(Path::new("second")).expect("a new name");
        repeats.add(&positions(0..4000, 0));
        assert!(repeats.end_file().is_err());
    }
}
