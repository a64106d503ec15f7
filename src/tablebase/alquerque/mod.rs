//! Endgame tables of Alquerque: the distance to the end of every position with few men.
//!
//! Men never go back, so positions fall into rank profiles (`ranks`), each of which needs only
//! those further on. [`DistanceTables`] solves them in memory; `packing` makes of a profile
//! blocks of a file, and [`MenTables`] asks files as [`Tables`](crate::Tables) asks those of the
//! chess games.
//!
//! # What the numbers mean
//!
//! A distance counts the plies to the end of the game when the winner hurries and the loser
//! delays. A step that is forbidden to a side is part of the position. Neither the clock nor
//! repetition is: whoever hurries never comes back to a position, and each table knows the most
//! plies that can pass until the next jump, step forward or end (its *run*). Where these do not
//! fit into the 100 plies any more, moves are followed until they do, or until the 100th ply; so
//! what [`MenTables::probe`] says is exact, with the plies on the clock. What the clock draws has
//! the distance that there would be without one.

#[cfg(feature = "table-generator")]
mod build;
#[cfg(feature = "certificates")]
mod certificate;
#[cfg(feature = "certificates")]
mod certificate_file;
#[cfg(feature = "table-generator")]
mod distance_tables;
mod material;
mod men_tables;
mod packing;
mod ranks;

#[cfg(feature = "certificates")]
pub use certificate::{Certificate, Decision, Verified, VerifyError, sorted_moves, verify};
#[cfg(feature = "certificates")]
pub use certificate_file::{CERTIFICATE_EXTENSION, CertificateFileError};
#[cfg(feature = "table-generator")]
pub use distance_tables::{DistanceTables, MAX_MEN};
pub use material::{MAX_TABLE_MEN, MenMaterial, MenMaterialError};
pub use men_tables::MenTables;
