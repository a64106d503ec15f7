//! Endgame tables: what holds for certain where few pieces are left.
//!
//! A table knows every position of one [`Material`], such as K+R against K+B: who wins,
//! the distance to mate (DTM) and the distance to the next capture or pawn move (DTZ), in
//! plies. [`Tables`] is a set of them that answers for positions and their moves. All with
//! three pieces are in the program; more come from files, or from bytes in memory, so that
//! tables can be asked where there are no files.
//!
//! Tables of the chess games hold distances to mate and to zeroing; those of Alquerque, which are
//! solved and packed in another way ([`alquerque`]), distances to the end. [`AllTables`] holds those
//! of all games.
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
//! # Where to begin reading
//!
//! [`Tables`] looks positions up (`set`, `probe`), [`ChessTableGame`] is all that a game has to say
//! of itself, and `indexing` numbers its positions. `file` is the format, and reads blocks as
//! they are asked for; `packing` writes what surprises a model, block by block. What makes
//! tables and checks them is apart in `generator`.
//!
//! The crate knows the rules of the games, and no search.
#![warn(missing_docs)]
#![cfg_attr(
    not(feature = "table-generator"),
    allow(
        dead_code,
        reason = "of each format the half that writes stands beside the one that reads"
    )
)]

mod all_tables;
pub mod alquerque;
mod chess_game;
mod chess_tables;
mod error;
#[cfg(feature = "table-generator")]
mod folder;
#[cfg(feature = "table-generator")]
mod generator;
mod header;
mod indexing;
#[cfg(feature = "table-generator")]
pub mod load_tables;
mod packing;
mod statistics;
mod tables;
mod value;

pub use all_tables::AllTables;
pub use chess_game::{ChessTableGame, GameCache};
pub use error::{TableBytes, TableError};
#[cfg(feature = "table-generator")]
pub use folder::{FaultyTable, FolderTables, TABLE_EXTENSION};
#[cfg(feature = "table-generator")]
pub use generator::buildable_game::{
    BuildError, BuildOptions, BuildStep, BuildableGame, Checked, Checker, MAX_SURVEYED_PIECES,
    SurveyError, SurveyOptions, SurveyStep, Surveyed, SurveyedGame,
};
pub use indexing::material::{MAX_TABLE_PIECES, Material, MaterialError};
pub use statistics::{SideStatistics, Statistics};
pub use tables::{TableGame, Tables, Unknown};
pub use value::{KnownMove, KnownMoves, Probe, RankedMove, TableResult, TableValue};
