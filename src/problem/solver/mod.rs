//! Alquerque solved: who wins a position, and a certificate of it that others can verify.
//!
//! - [`DistanceTables`]: the distance to the end of every position with few men, in memory. See
//!   `qirkat_tablebase::alquerque`, which makes them.
//! - [`Solver`]: start here. It finds who wins the position of a game, with a certificate.
//! - [`Prover`]: proof-number search above the tables. A proof relies neither on repetition nor on
//!   the clock: repeated positions count for the other side. A [`Checkpoint`] resumes it.
//! - [`Certificate`]: a strategy for the winner, with every position in full and its move; for a
//!   draw, one for each side.
//! - [`verify()`]: verifies a certificate by the rules alone, however it was made.
//!
//! ```
//! use qirkat_game::{Color, GameState};
//! use qirkat_rules::alquerque::Position;
//! use qirkat_problem::solver::{DistanceTables, GameValue, Solver, verify};
//!
//! let tables = DistanceTables::new(3);
//! let position = Position::from_fen("mm3/5/1M1M1/5/2M2 w - - 0 1")?.position;
//! let solver = Solver { tables: &tables, megabytes: 16, threads: 1, certifies_tables: false };
//! let value = solver.solve(&GameState::from_position(position), None, &|_| true)?;
//! if let GameValue::Won { winner, certificate: Some((certificate, _)), .. } = value {
//!     assert_eq!(winner, Color::White);
//!     assert_eq!(verify(&certificate)?.root, position.state());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod node;
mod prover;
mod solve_position;
mod strategy;

pub use node::PlayedPositions;
pub use prover::{OnNodes, Prover, ProverError};
pub use qirkat_tablebase::alquerque::{
    Certificate, CertificateFileError, Decision, DistanceTables, MAX_MEN, Verified, VerifyError,
    verify,
};
pub use solve_position::{
    Checkpoint, CheckpointError, GameValue, OnProgress, Progress, SolveError, Solver, Stage,
};
pub use strategy::{CertificateError, winning_strategy};
