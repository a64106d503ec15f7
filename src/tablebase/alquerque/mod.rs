//! Endgame tables of Alquerque: the distance to the end of every position with few men.
//!
//! Men never move backwards, so positions divide into rank profiles (`ranks`), each of which
//! depends only on more advanced ones. [`DistanceTables`] solves them in memory, `packing` packs a
//! profile into blocks, and [`MenTables`] looks up positions in files, as [`Tables`](crate::Tables)
//! does for the chess games.
//!
//! # What the numbers mean
//!
//! A distance counts the plies to the end of the game with the fastest win and the longest defence.
//! A forbidden step (one that would undo the side's last step sideways) is part of the position.
//! The clock and repetition are not: the fastest win never repeats a position, and a table knows
//! for each rank profile the most plies that can pass until the next jump, step forward or end (its
//! *run*; certificates call it `progress`). Where these exceed the rest of the 100 plies, moves are
//! searched until they fit, or until the 100th ply. So [`MenTables::probe`] is exact and takes the
//! clock into account. A draw by the clock has the distance that it would have without one.

#[cfg(feature = "table-generator")]
mod build;
mod certificate;
#[cfg(feature = "certificates")]
mod certificate_file;
#[cfg(feature = "table-generator")]
mod distance_tables;
mod material;
mod men_tables;
mod packing;
mod ranks;

pub use certificate::{Certificate, Decision, Verified, VerifyError, sorted_moves, verify};
#[cfg(feature = "certificates")]
pub use certificate_file::{CERTIFICATE_EXTENSION, CertificateFileError};
#[cfg(feature = "table-generator")]
pub use distance_tables::{DistanceTables, MAX_MEN};
pub use material::{MAX_TABLE_MEN, MenMaterial, MenMaterialError};
pub use men_tables::MenTables;
