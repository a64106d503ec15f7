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
//! use qirkat_solver::{Certificate, DistanceTables, Prover, verify};
//!
//! let tables = DistanceTables::new(3);
//! let position = Position::from_fen("mm3/5/1M1M1/5/2M2 w - - 0 1")?.position;
//! let mut prover = Prover::new(&tables, Color::White, 16)?;
//! assert!(prover.prove(&position, &mut |_| true)?);
//! let certificate = Certificate::new(&prover, &position)?;
//! assert_eq!(verify(&certificate)?.root, position.state());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certificate;
mod certificate_file;
mod prover;
mod verify;

pub use certificate::{Certificate, CertificateError, Decision};
pub use certificate_file::CertificateFileError;
pub use prover::{Prover, ProverError};
pub use qirkat_tablebase::alquerque::{DistanceTables, MAX_MEN};
pub use verify::{Verified, VerifyError, verify};
