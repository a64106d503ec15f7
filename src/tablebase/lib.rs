//! Endgame tables: what holds for certain where few pieces are left.
//!
//! A table knows every position of one [`Material`], such as K+R against K+B: who wins,
//! the distance to mate (DTM) and the distance to the next capture or pawn move (DTZ), in
//! plies. [`Tables`] is a set of them that answers for positions and their moves. All with
//! three pieces are in the program; more come from files, or from bytes in memory, so that
//! tables can be asked where there are no files.
//!
//! Both chess games have tables. What they need to know of a game is said by [`TableBoard`] and
//! [`TableGame`], and all is compiled once for each. [`AllTables`] holds those of both.
//!
//! # What the numbers mean
//!
//! DTM counts plies to mate when the winner hurries and the loser delays, as if there were
//! no 100-ply rule. DTZ counts plies to the next *zeroing* move (capture or pawn move) or
//! to mate, when the winner hurries there and the loser delays it and neither changes the
//! result under the rule. It is exact: with `c` plies on the clock a position is won just
//! if DTZ + `c` is 100 at most, since the hundredth ply still mates or zeroes. What takes
//! longer is a *cursed win* for one side and a *blessed loss* for the other. A zeroing move
//! that reaches only a cursed win counts 101. En passant is followed out exactly; positions
//! with castling rights are not in tables.
//!
//! # Where what is
//!
//! `board` is what tables see of a game, and how they number its positions. `solving` goes
//! backwards through a table cell by cell; tables without pawns are solved many positions at a
//! time (`rows`). `solve` chooses, `build` does that for many tables on all cores and can be
//! broken off at any moment, a `survey` only counts, and `check` derives every entry anew from
//! its successors, by the rules that the rest of the program uses. `packing` writes what
//! surprises a model, block by block; `file` is the format, and reads blocks as they are asked
//! for.

mod all_tables;
mod board;
mod cell;
#[cfg(feature = "table-generator")]
mod check;
mod chesquerque;
mod embedded;
mod error;
mod file;
#[cfg(feature = "table-generator")]
mod folder;
#[cfg(feature = "table-generator")]
mod generate;
#[cfg(feature = "table-generator")]
pub mod load_tables;
mod masonic;
mod packing;
mod probe;
#[cfg(any(test, feature = "table-generator"))]
mod rows;
mod set;
#[cfg(any(test, feature = "table-generator"))]
mod solve;
#[cfg(any(test, feature = "table-generator"))]
mod solving;
mod statistics;
#[cfg(feature = "table-generator")]
mod survey;
mod table_game;
mod tablebase;
mod value;

pub use all_tables::AllTables;
pub use board::material::{MAX_TABLE_PIECES, Material, MaterialError};
pub use board::table_board::TableBoard;
#[cfg(feature = "table-generator")]
pub use check::{Checked, Checker};
pub use error::TableError;
pub use file::table::TableBytes;
#[cfg(feature = "table-generator")]
pub use folder::{FaultyTable, FolderTables, TABLE_EXTENSION};
#[cfg(feature = "table-generator")]
pub use generate::{BuildError, BuildOptions, BuildStep, build};
pub use probe::{Probe, RankedMove};
pub use set::Tables;
pub use statistics::{SideStatistics, Statistics};
#[cfg(feature = "table-generator")]
pub use survey::{MAX_SURVEYED_PIECES, SurveyError, SurveyOptions, SurveyStep, Surveyed, survey};
pub use table_game::TableGame;
pub use value::{TableResult, TableValue};
