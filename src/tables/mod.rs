//! Endgame tablebases.

mod block;
#[cfg(feature = "table-generator")]
mod build;
mod cell;
#[cfg(feature = "table-generator")]
mod check;
mod embedded;
mod error;
#[cfg(feature = "table-generator")]
mod folder;
#[cfg(any(test, feature = "table-generator"))]
mod generator;
mod header;
mod king_pairs;
mod layout;
mod material;
#[cfg(any(test, feature = "table-generator"))]
mod moves;
#[cfg(any(test, feature = "table-generator"))]
mod pack;
mod pawns;
mod placement;
mod planes;
mod probe;
mod range_coder;
mod set;
#[cfg(any(test, feature = "table-generator"))]
mod slice_solver;
mod statistics;
mod symmetry;
mod table;
mod tablebase;
mod value;
mod zeroing_model;

#[cfg(feature = "table-generator")]
pub use build::{BuildError, BuildOptions, BuildStep, build};
#[cfg(feature = "table-generator")]
pub use check::{Checked, Checker};
pub use error::TableError;
#[cfg(feature = "table-generator")]
pub use folder::{FaultyTable, FolderTables, TABLE_EXTENSION};
pub use material::{MAX_TABLE_PIECES, Material, MaterialError};
pub use probe::{Probe, RankedMove};
pub use set::Tables;
pub use statistics::{SideStatistics, Statistics};
pub use table::TableBytes;
pub use value::{TableResult, TableValue};
