//! Finds who wins a position.

use qirkat_game::byte_reader::ByteReader;
use qirkat_game::{Color, DRAWING_PLIES, GameState, Key, Rules};
use qirkat_rules::alquerque::Position;
use qirkat_system::format_version::UnsupportedVersion;
use qirkat_tablebase::alquerque::{
    Certificate, Decision, DistanceTables, Verified, VerifyError, verify,
};
use thiserror::Error;

use crate::ProofNumbers;
use crate::solver::node::{PlayedPositions, Won};
use crate::solver::prover::{Prover, ProverError};
use crate::solver::strategy::{CertificateError, drawing_strategy, winning_strategy};

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SolveError {
    #[error(transparent)]
    Prover(#[from] ProverError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// The proof failed verification: a bug.
    #[error("the proof does not hold: {0}")]
    Verify(#[from] VerifyError),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameValue {
    Won {
        winner: Color,
        /// The most plies to the end.
        plies: u16,
        /// Whether it takes exactly that many with the best defence.
        is_exact: bool,
        /// The proof. None if the game's history counts.
        certificate: Option<(Certificate, Verified)>,
    },
    Drawn {
        /// The proof. None if the tables know the result and no certificate was requested.
        certificate: Option<(Certificate, Verified)>,
    },
    /// No win was found for either side, but a draw could not be proved.
    Open,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Tests whether the prover's side wins.
    Win,
    /// Finds a strategy that does not lose against the prover's side.
    Hold,
}

pub struct Progress<'p> {
    pub prover: &'p Prover<'p>,
    pub stage: Stage,
    /// Sides for which no win was found.
    pub excluded: &'p [Color],
    task: &'p [u8],
}

impl Progress<'_> {
    pub fn checkpoint(&self) -> Vec<u8> {
        Checkpoint::write(self.prover, self.task, self.excluded)
    }
}

/// Called regularly, from any thread; returns whether to continue.
pub type OnProgress<'f> = &'f (dyn Fn(&Progress<'_>) -> bool + Sync);

/// Finds who wins a position: first tests whether the side to move wins, then the other side, and
/// then whether each side can hold.
pub struct Solver<'a> {
    pub tables: &'a DistanceTables,
    pub megabytes: usize,
    /// Threads of the current pool.
    pub threads: usize,
    /// Whether to make a certificate even if the tables know the answer.
    pub certifies_tables: bool,
}

impl Solver<'_> {
    /// Who wins the position of a game.
    ///
    /// # Errors
    /// If it was stopped, memory is insufficient, or the checkpoint is of another proof.
    pub fn solve(
        &self,
        game: &GameState<Position>,
        from: Option<&Checkpoint>,
        on_progress: OnProgress<'_>,
    ) -> Result<GameValue, SolveError> {
        let position = *game.position();
        let history = PlayedPositions::of(game);
        let mut task = position.state().0.to_le_bytes().to_vec();
        task.extend(history.to_bytes());
        if let Some(checkpoint) = from {
            checkpoint.check_task(&task, self.tables.men())?;
        }
        let mut excluded = from.map_or(Vec::new(), |checkpoint| checkpoint.excluded.clone());
        for side in [position.side_to_move(), !position.side_to_move()] {
            if excluded.contains(&side) {
                continue;
            }
            let mut prover = self.prover(side, from)?;
            prover.history = history.clone();
            let is_won = prover.prove(&position, &|prover| {
                let stage = Stage::Win;
                on_progress(&Progress { prover, stage, excluded: &excluded, task: &task })
            })?;
            if is_won {
                return self.won(&prover, &position, &history);
            }
            excluded.push(side);
        }
        if self.tables.covers(&position) && !self.certifies_tables {
            return Ok(match self.tables.distance(&position) {
                None => GameValue::Drawn { certificate: None },
                Some(_) => GameValue::Open,
            });
        }
        let mut decisions: Vec<Decision> = Vec::new();
        for side in Color::ALL {
            let mut prover = self.prover(side, from)?;
            let held = drawing_strategy(&mut prover, &position, &|prover| {
                let stage = Stage::Hold;
                on_progress(&Progress { prover, stage, excluded: &excluded, task: &task })
            })?;
            let Some(held) = held else { return Ok(GameValue::Open) };
            decisions.extend(held);
        }
        let certificate = Certificate::new(None, position.state(), decisions);
        let verified = verify(&certificate)?;
        Ok(GameValue::Drawn { certificate: Some((certificate, verified)) })
    }

    fn prover(&self, side: Color, from: Option<&Checkpoint>) -> Result<Prover<'_>, ProverError> {
        let mut prover = Prover::new(self.tables, side, self.megabytes)?;
        prover.threads = self.threads;
        if let Some(checkpoint) = from.filter(|checkpoint| checkpoint.winner == side) {
            checkpoint.restore(&prover);
        }
        Ok(prover)
    }

    fn won(
        &self,
        prover: &Prover<'_>,
        position: &Position,
        history: &PlayedPositions,
    ) -> Result<GameValue, SolveError> {
        let winner = prover.winner();
        let bound = prover.bound(position);
        let table_applies = self.tables.covers(position) && !history.has_repeated();
        let distance = table_applies.then(|| self.tables.distance(position)).flatten();
        let table_plies = distance
            .map(u16::from)
            .filter(|plies| history.halfmove_clock() + plies <= DRAWING_PLIES);
        let mut plies = table_plies.or(bound).unwrap_or_default();
        let is_exact = table_plies.is_some();
        let mut certificate = None;
        if !history.has_repeated() {
            let made = winning_strategy(prover, position)?;
            let verified = verify(&made)?;
            if verified.progress + history.halfmove_clock() <= DRAWING_PLIES {
                plies = verified.plies;
                certificate = Some((made, verified));
            }
        }
        Ok(GameValue::Won { winner, plies, is_exact, certificate })
    }
}

const MAGIC: [u8; 8] = *b"QALQSAVE";
const VERSION: u32 = 1;
const CHECKSUM: usize = 4;
/// Bytes of a won position, and of a position's numbers.
const WON: usize = 8 + 2 + 2;
const NUMBERS: usize = 8 + 4 + 4 + 4;
/// More plies than any game has, with room to add more.
const MAX_PLIES: u16 = u16::MAX / 2;
const CUT_OFF: &str = "its length is wrong";
/// Numbers that took fewer nodes are cheap to find again.
const LEAST_NODES: u64 = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CheckpointError {
    #[error("not a checkpoint of a proof")]
    Format,
    #[error("a checkpoint: {0}")]
    Version(UnsupportedVersion),
    #[error("damaged: {0}")]
    Damaged(&'static str),
    #[error("not enough memory for a checkpoint of this size")]
    Memory,
    /// It is of another position, or of a game with another history.
    #[error("a checkpoint of another position")]
    Position,
    /// It was made with tables of another number of men.
    #[error("a checkpoint of a proof with --men {0}")]
    Men(usize),
}

pub struct Checkpoint {
    pub(crate) winner: Color,
    pub(crate) excluded: Vec<Color>,
    /// Identifies the proof in the file.
    task: Vec<u8>,
    men: usize,
    won: Vec<(Key, Won)>,
    numbers: Vec<(Key, ProofNumbers, u64)>,
}

impl Checkpoint {
    pub(crate) fn write(prover: &Prover<'_>, task: &[u8], excluded: &[Color]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(prover.tables.men() as u8);
        bytes.push(prover.winner().index() as u8);
        let sides = excluded.iter().fold(0, |sides, color| sides | 1 << color.index());
        bytes.push(sides);
        bytes.extend((task.len() as u16).to_le_bytes());
        bytes.extend(task);
        let count_at = bytes.len();
        let mut count = 0_u32;
        bytes.extend(count.to_le_bytes());
        prover.won.for_each(&mut |key, won| {
            count += 1;
            bytes.extend(key.0.to_le_bytes());
            bytes.extend(won.plies.to_le_bytes());
            bytes.extend(won.progress.to_le_bytes());
        });
        bytes[count_at..count_at + size_of::<u32>()].copy_from_slice(&count.to_le_bytes());
        for (key, numbers, nodes) in prover.numbers.stored_numbers() {
            if nodes >= LEAST_NODES {
                bytes.extend(key.0.to_le_bytes());
                bytes.extend(numbers.phi.to_le_bytes());
                bytes.extend(numbers.delta.to_le_bytes());
                bytes.extend((nodes.min(u32::MAX.into()) as u32).to_le_bytes());
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If it is damaged or something else.
    pub fn read(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
        let mut reader = ByteReader(bytes);
        if reader.take() != MAGIC {
            return Err(CheckpointError::Format);
        }
        if reader.0.len() < size_of::<u32>() {
            return Err(CheckpointError::Damaged(CUT_OFF));
        }
        let found = reader.u32();
        if found != VERSION {
            return Err(CheckpointError::Version(UnsupportedVersion { found, known: VERSION }));
        }
        let (content, checksum) =
            bytes.split_last_chunk::<CHECKSUM>().ok_or(CheckpointError::Damaged(CUT_OFF))?;
        if crc32fast::hash(content).to_le_bytes() != *checksum {
            return Err(CheckpointError::Damaged("its checksum does not match"));
        }
        reader.0 = &reader.0[..reader.0.len() - CHECKSUM];
        let [men, winner, sides] = reader.take();
        let color = |index| Color::ALL.into_iter().find(|color| color.index() == index);
        let winner = color(usize::from(winner));
        let winner = winner.ok_or(CheckpointError::Damaged("its side is invalid"))?;
        let excluded =
            Color::ALL.into_iter().filter(|color| sides >> color.index() & 1 != 0).collect();
        let task = reader.u16();
        let task = reader.slice(task.into()).to_vec();
        let (mut won, mut numbers) = (Vec::new(), Vec::new());
        let key = |reader: &mut ByteReader<'_>| Key(u64::from_le_bytes(reader.take()));
        let count = reader.u32() as usize;
        if count > reader.0.len() / WON {
            return Err(CheckpointError::Damaged(CUT_OFF));
        }
        won.try_reserve_exact(count).map_err(|_| CheckpointError::Memory)?;
        for _ in 0..count {
            let key = key(&mut reader);
            let [plies, progress] = [(); 2].map(|()| reader.u16());
            if plies.max(progress) > MAX_PLIES {
                return Err(CheckpointError::Damaged("a win takes more plies than any game"));
            }
            won.push((key, Won { plies, progress }));
        }
        let count = reader.0.len() / NUMBERS;
        numbers.try_reserve_exact(count).map_err(|_| CheckpointError::Memory)?;
        for _ in 0..count {
            let key = key(&mut reader);
            let [phi, delta, nodes] = [(); 3].map(|()| reader.u32());
            numbers.push((key, ProofNumbers { phi, delta }, nodes.into()));
        }
        if !reader.0.is_empty() {
            return Err(CheckpointError::Damaged(CUT_OFF));
        }
        Ok(Checkpoint { winner, excluded, task, men: men.into(), won, numbers })
    }

    pub(crate) fn check_task(&self, task: &[u8], men: usize) -> Result<(), CheckpointError> {
        if self.task != task {
            Err(CheckpointError::Position)
        } else if self.men != men {
            Err(CheckpointError::Men(self.men))
        } else {
            Ok(())
        }
    }

    pub(crate) fn restore(&self, prover: &Prover<'_>) {
        self.won.iter().for_each(|&(key, won)| prover.won.insert(key, won));
        for &(key, numbers, nodes) in &self.numbers {
            prover.numbers.store_numbers(key, numbers, nodes);
        }
    }
}
