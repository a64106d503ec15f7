//! Endgame tables of Alquerque: the distance to the end of every position with few men.
//!
//! Men never go back, so positions fall into rank profiles ([`ranks`]), each of which needs only
//! those further on.

#[cfg(feature = "table-generator")]
mod count;
#[cfg(feature = "table-generator")]
mod distance_tables;
mod material;
mod ranks;
mod slice;

#[cfg(feature = "table-generator")]
pub use distance_tables::{DistanceTables, MAX_MEN};
pub use material::{MAX_TABLE_MEN, MenMaterial, MenMaterialError};
