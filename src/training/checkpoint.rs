//! Checkpoints: losses, parameters and AdamW moments, from which training is resumed. All numbers
//! are little-endian, with a checksum at the end.

use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use super::parameters::Parameters;
use super::trainer::Trainer;
use crate::optimiser::Losses;
use qirkat_evaluation::network::{HiddenLayer, NetworkInput};
use qirkat_game::byte_reader::ByteReader;
use qirkat_system::format_version::UnsupportedVersion;
use qirkat_system::input_file::open_regular_file;

const MAGIC: [u8; 7] = *b"QIRKTRN";
/// After the magic bytes.
const VERSION: u8 = 1;
const HEADER_BYTES: usize = 8 + 2 + 2 + 4 + 8 + 4;
const BYTES_PER_EPOCH: usize = 16;
const MAX_EPOCHS: usize = 1 << 20;
const CHECKSUM_BYTES: usize = 4;

#[derive(Debug, Error)]
pub enum CheckpointError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("not a checkpoint of this program")]
    Format,
    #[error("a checkpoint of another version: {0}")]
    Version(UnsupportedVersion),
    /// It was made with other positions or hyperparameters, so it cannot be resumed.
    #[error("a checkpoint of other positions or other options")]
    Other,
    #[error("damaged: {found} bytes, where its header says {wanted}")]
    Length { found: u64, wanted: u64 },
    #[error("damaged: its checksum does not match")]
    Damaged,
}

impl<G: NetworkInput> Trainer<G> {
    /// Magic bytes, version and the network's shape.
    fn header_start() -> [u8; 12] {
        let mut start = [0; 12];
        start[..7].copy_from_slice(&MAGIC);
        start[7] = VERSION;
        start[8..10].copy_from_slice(&(G::Hidden::NEURONS as u16).to_le_bytes());
        start[10..].copy_from_slice(&(G::OUTPUT_BUCKETS as u16).to_le_bytes());
        start
    }

    /// The checkpoint as bytes. `fingerprint` identifies positions and hyperparameters.
    #[inline(never)]
    pub fn checkpoint(&self, fingerprint: u32) -> Vec<u8> {
        let mut bytes = Self::header_start().to_vec();
        bytes.extend((self.losses.len() as u32).to_le_bytes());
        bytes.extend(self.optimiser.steps.to_le_bytes());
        bytes.extend(fingerprint.to_le_bytes());
        for losses in &self.losses {
            bytes.extend(losses.training.to_le_bytes());
            bytes.extend(losses.validation.unwrap_or(f64::NAN).to_le_bytes());
        }
        let optimiser = &self.optimiser;
        for rows in [&self.parameters.rows, &optimiser.first_moment, &optimiser.second_moment] {
            bytes.extend(
                rows.iter().flat_map(AsRef::as_ref).flat_map(|number: &f32| number.to_le_bytes()),
            );
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Resumes from a checkpoint the training that this trainer would begin.
    pub fn resumed(self, path: &Path, fingerprint: u32) -> Result<Trainer<G>, CheckpointError> {
        let (mut trainer, stored, _) = Self::read(path)?;
        trainer.optimiser.decay_target = self.optimiser.decay_target;
        if stored == fingerprint { Ok(trainer) } else { Err(CheckpointError::Other) }
    }

    /// For fine-tuning: a new trainer with the parameters of a checkpoint, and the file's checksum.
    /// Unlike a network's, the parameters are not rounded, and the factoriser is separate from the
    /// weights, so that it keeps learning for rare points.
    pub fn from_checkpoint(path: &Path) -> Result<(Trainer<G>, u32), CheckpointError> {
        let (trainer, _, checksum) = Self::read(path)?;
        Ok((Trainer::fine_tuning(trainer.parameters), checksum))
    }

    pub fn is_checkpoint(path: &Path) -> bool {
        let mut start = [0; MAGIC.len()];
        open_regular_file(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
            && start == MAGIC
    }

    fn read(path: &Path) -> Result<(Trainer<G>, u32, u32), CheckpointError> {
        let mut file = open_regular_file(path)?;
        let found = file.metadata()?.len();
        let mut bytes = Vec::new();
        file.by_ref().take(HEADER_BYTES as u64).read_to_end(&mut bytes)?;
        if !bytes.starts_with(&MAGIC) {
            return Err(CheckpointError::Format);
        }
        if bytes.len() < HEADER_BYTES {
            return Err(CheckpointError::Length { found, wanted: HEADER_BYTES as u64 });
        }
        let mut header = ByteReader(&bytes);
        let start = header.take();
        if start[7] != VERSION {
            let (found, known) = (start[7].into(), VERSION.into());
            return Err(CheckpointError::Version(UnsupportedVersion { found, known }));
        }
        if start != Self::header_start() {
            return Err(CheckpointError::Format);
        }
        let epochs = header.u32() as usize;
        let steps = u64::from_le_bytes(header.take());
        let stored = header.u32();
        let after_losses = 3 * 4 * Parameters::<G>::COUNT + CHECKSUM_BYTES;
        let wanted = HEADER_BYTES as u64 + (epochs * BYTES_PER_EPOCH) as u64 + after_losses as u64;
        // Read the rest only if the length is right.
        if found != wanted || epochs > MAX_EPOCHS {
            return Err(CheckpointError::Length { found, wanted });
        }
        file.take(wanted - HEADER_BYTES as u64).read_to_end(&mut bytes)?;
        log::info!("{}: checkpoint of {} bytes read", path.display(), bytes.len());
        if bytes.len() as u64 != wanted {
            return Err(CheckpointError::Length { found: bytes.len() as u64, wanted });
        }
        let (content, check) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
        let checksum = crc32fast::hash(content);
        if checksum.to_le_bytes() != *check {
            return Err(CheckpointError::Damaged);
        }
        let (losses, rest) = content[HEADER_BYTES..].split_at(epochs * BYTES_PER_EPOCH);
        let mut numbers = rest.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let [parameters, first_moment, second_moment] = [(); 3].map(|()| {
            let mut parameters = Parameters::<G>::zero();
            let weights = parameters.rows.iter_mut().flat_map(AsMut::as_mut);
            weights.zip(&mut numbers).for_each(|(weight, number)| *weight = number);
            parameters
        });
        let mut trainer = Trainer::from_parameters(parameters);
        trainer.optimiser.first_moment = first_moment.rows;
        trainer.optimiser.second_moment = second_moment.rows;
        trainer.optimiser.steps = steps;
        let pairs = losses.as_chunks::<8>().0.as_chunks::<2>().0.iter();
        let losses = pairs.map(|pair| {
            let [training, validation] = pair.map(f64::from_le_bytes);
            Losses { training, validation: Some(validation).filter(|loss| !loss.is_nan()) }
        });
        trainer.losses = losses.collect();
        Ok((trainer, stored, checksum))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    type Small = Trainer<qirkat_rules::alquerque::Position>;

    #[test]
    fn checkpoints_survive_a_round_trip_and_damage_is_detected() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("checkpoint");
        let mut trainer = Small::new(5);
        trainer.optimiser.steps = 77;
        trainer.losses = vec![
            Losses { training: 0.25, validation: None },
            Losses { training: 0.125, validation: Some(0.2) },
        ];
        fs::write(&path, trainer.checkpoint(7)).expect("room on the disk");
        let loaded = Small::new(0).resumed(&path, 7).expect("it is sound");
        assert!(loaded.checkpoint(7) == trainer.checkpoint(7) && loaded.losses == trainer.losses);
        assert!(matches!(Small::new(0).resumed(&path, 8), Err(CheckpointError::Other)));
        let (fresh, _) = Small::from_checkpoint(&path).expect("it is sound");
        assert!(Small::is_checkpoint(&path) && !Small::is_checkpoint(folder.path()));
        assert!(fresh.parameters.rows == trainer.parameters.rows && fresh.losses.is_empty());
        let whole = fs::read(&path).expect("it is there");
        for offset in [0, 9, 13, 17, 30, 60, whole.len() / 2, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[offset] ^= 1;
            fs::write(&path, damaged).expect("room on the disk");
            assert!(Small::new(0).resumed(&path, 7).is_err(), "byte {offset}");
        }
        for length in [0, 10, HEADER_BYTES, whole.len() - 1] {
            fs::write(&path, &whole[..length]).expect("room on the disk");
            assert!(Small::new(0).resumed(&path, 7).is_err(), "{length} bytes");
        }
        // The number of epochs is not trusted, and no content is read if the file is too long.
        for (epochs, length) in
            [(u32::MAX, 100), (u32::MAX, 1 << 40), (1 << 22, 1 << 40), (2, 1 << 40)]
        {
            let mut head = whole[..HEADER_BYTES].to_vec();
            head[12..16].copy_from_slice(&epochs.to_le_bytes());
            fs::write(&path, head).expect("room on the disk");
            let file = fs::OpenOptions::new().write(true).open(&path).expect("it is there");
            file.set_len(length).expect("a file with holes");
            let error = Small::new(0).resumed(&path, 7).err().expect("too long").to_string();
            assert!(error.starts_with(&format!("damaged: {length} bytes, where ")), "{error}");
        }
    }
}
