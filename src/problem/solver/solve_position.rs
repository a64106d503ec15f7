//! Who wins a position.

use qirkat_game::{Color, DRAWING_CLOCK, GameState};
use qirkat_rules::alquerque::Position;
use qirkat_tablebase::alquerque::{
    Certificate, Decision, DistanceTables, Verified, VerifyError, verify,
};
use thiserror::Error;

use crate::solver::checkpoint::{Checkpoint, CheckpointError};
use crate::solver::hold::hold;
use crate::solver::node::Past;
use crate::solver::prover::{Prover, ProverError};
use crate::solver::strategy::{CertificateError, winning_strategy};

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SolveError {
    /// The proof came to no end.
    #[error(transparent)]
    Prover(#[from] ProverError),
    /// The checkpoint is of something else.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// What was proved has a hole.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// What was proved does not hold: a fault of the program.
    #[error("the proof does not hold: {0}")]
    Verify(#[from] VerifyError),
}

/// Who wins a position, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solution {
    /// One side wins.
    Won {
        winner: Color,
        /// Plies to the end, at most.
        plies: u16,
        /// Whether it takes just as many, if the loser delays it.
        is_exact: bool,
        /// What proves it. None where the past of the game counts.
        certificate: Option<(Certificate, Verified)>,
    },
    /// Neither side wins.
    Drawn {
        /// What proves it. None where tables do, and no certificate was asked for.
        certificate: Option<(Certificate, Verified)>,
    },
    /// No win was found for either side, which refutes none.
    Open,
}

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Win,
    /// A strategy that does not lose against this side is laid down.
    Hold,
}

/// How far it has come.
pub struct Progress<'p> {
    pub prover: &'p Prover<'p>,
    /// What is being done.
    pub stage: Stage,
    /// Sides of which no win was found.
    pub excluded: &'p [Color],
    task: &'p [u8],
}

impl Progress<'_> {
    /// The bytes of a checkpoint, from which another process can go on.
    pub fn checkpoint(&self) -> Vec<u8> {
        Checkpoint::write(self.prover, self.task, self.excluded)
    }
}

/// What is called now and then, from any thread, and says whether to go on.
pub type OnProgress<'f> = &'f (dyn Fn(&Progress<'_>) -> bool + Sync);

/// Finds out who wins a position: first whether the side to move does, then whether the other
/// does, and then whether each side can hold.
pub struct Solver<'a> {
    /// What is known of positions with few men.
    pub tables: &'a DistanceTables,
    /// Memory for the proof, in megabytes.
    pub megabytes: usize,
    /// Threads of the current pool.
    pub threads: usize,
    /// Whether a certificate is made where tables know the answer.
    pub certifies_tables: bool,
}

impl Solver<'_> {
    /// Who wins the position of a game.
    ///
    /// # Errors
    /// When it was stopped, the memory does not suffice, or the checkpoint is of another proof.
    pub fn solve(
        &self,
        game: &GameState<Position>,
        from: Option<&Checkpoint>,
        on_progress: OnProgress<'_>,
    ) -> Result<Solution, SolveError> {
        let position = *game.position();
        let past = Past::of(game);
        let mut task = position.state().0.to_le_bytes().to_vec();
        task.extend(past.to_bytes());
        if let Some(checkpoint) = from {
            checkpoint.is_of(&task, self.tables.men())?;
        }
        let mut excluded = from.map_or(Vec::new(), |checkpoint| checkpoint.excluded.clone());
        for side in [position.side_to_move(), !position.side_to_move()] {
            if excluded.contains(&side) {
                continue;
            }
            let prover = self.prover(side, from)?.with_past(past.clone());
            let is_won = prover.prove(&position, &|prover| {
                let stage = Stage::Win;
                on_progress(&Progress { prover, stage, excluded: &excluded, task: &task })
            })?;
            if is_won {
                return self.won(&prover, &position, &past);
            }
            excluded.push(side);
        }
        if self.tables.covers(&position) && !self.certifies_tables {
            let is_drawn = self.tables.distance(&position).is_none();
            return Ok(if is_drawn {
                Solution::Drawn { certificate: None }
            } else {
                Solution::Open
            });
        }
        let mut decisions: Vec<Decision> = Vec::new();
        for side in Color::ALL {
            let mut prover = self.prover(side, from)?;
            let held = hold(&mut prover, &position, &|prover| {
                let stage = Stage::Hold;
                on_progress(&Progress { prover, stage, excluded: &excluded, task: &task })
            })?;
            let Some(held) = held else { return Ok(Solution::Open) };
            decisions.extend(held);
        }
        let certificate = Certificate::new(None, position.state(), decisions);
        let verified = verify(&certificate)?;
        Ok(Solution::Drawn { certificate: Some((certificate, verified)) })
    }

    fn prover(&self, side: Color, from: Option<&Checkpoint>) -> Result<Prover<'_>, ProverError> {
        let prover = Prover::new(self.tables, side, self.megabytes)?.on_threads(self.threads);
        if let Some(checkpoint) = from.filter(|checkpoint| checkpoint.winner == side) {
            checkpoint.tell(&prover);
        }
        Ok(prover)
    }

    fn won(
        &self,
        prover: &Prover<'_>,
        position: &Position,
        past: &Past,
    ) -> Result<Solution, SolveError> {
        let winner = prover.winner();
        let bound = prover.bound(position);
        let in_tables = if self.tables.covers(position) && !past.has_repeated() {
            let plies = self.tables.distance(position).map(u16::from);
            plies.filter(|plies| past.halfmove_clock() + plies <= DRAWING_CLOCK)
        } else {
            None
        };
        let mut plies = in_tables.or(bound).unwrap_or_default();
        let is_exact = in_tables.is_some();
        let mut certificate = None;
        if !past.has_repeated() {
            let made = winning_strategy(prover, position)?;
            let verified = verify(&made)?;
            if verified.progress + past.halfmove_clock() <= DRAWING_CLOCK {
                plies = verified.plies;
                certificate = Some((made, verified));
            }
        }
        Ok(Solution::Won { winner, plies, is_exact, certificate })
    }
}
