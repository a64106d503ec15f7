//! Alquerque solved: who wins a position, and a certificate of it that others can check.
//!
//! - [`DistanceTables`]: the distance to the end of every position with few men, in memory. They
//!   are solved rank profile by rank profile (`ranks`), since men never go back.
//! - [`Prover`]: begin here. Proof-number search above the tables. A proof leans neither on
//!   repetition nor on the clock: positions that repeat count for the other side.
//! - [`Certificate`]: a strategy for the winner, every position in full with its move.
//! - [`verify()`]: checks a certificate. It knows the rules and the file alone, none of what made
//!   it.
//!
//! ```
//! use qirkat_rules::alquerque::{Color, Position};
//! use qirkat_solver::{DistanceTables, Prover, verify, winning_strategy};
//!
//! let tables = DistanceTables::new(3);
//! let position = Position::from_fen("mm3/5/1M1M1/5/2M2 w - - 0 1")?.position;
//! let prover = Prover::new(&tables, Color::White, 16)?;
//! assert!(prover.prove(&position, &|_| true)?);
//! let certificate = winning_strategy(&prover, &position)?;
//! assert_eq!(verify(&certificate)?.root, position.state());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
mod hold;
mod node;
mod prover;
mod solver;
mod strategy;
mod verify;
mod won_positions;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use hold::hold;
pub use node::Past;
pub use prover::{OnNodes, Prover, ProverError};
pub use qirkat_tablebase::alquerque::{
    Certificate, CertificateFileError, Decision, DistanceTables, MAX_MEN,
};
pub use solver::{OnProgress, Progress, Solution, SolveError, Solver, Stage};
pub use strategy::{CertificateError, winning_strategy};
pub use verify::{Verified, VerifyError, verify};
