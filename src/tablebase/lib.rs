//! Endgame tables: perfect play where few pieces are left.
//!
//! A table covers every position of one [`Material`], such as K+R against K+B: who wins, the
//! distance to mate (DTM) and the distance to the next capture or pawn move (DTZ), in plies.
//! [`Tables`] is a set of them, in which positions and their moves are looked up. All tables with
//! three pieces are built in; more are read from files, or from bytes in memory on systems without
//! files. Tables of Alquerque hold distances to the end and are solved and packed differently
//! ([`alquerque`]). [`AllTables`] holds the tables of all games.
//!
//! # What the numbers mean
//!
//! DTM counts plies to mate with the fastest win and the longest defence, as if there were no
//! 100-ply rule. DTZ counts plies to the next *zeroing* move (capture or pawn move) or to mate,
//! which the winner speeds up and the loser delays without changing the result under the rule. It
//! is exact: with `c` plies on the clock a position is won if and only if DTZ + `c` is at most 100,
//! since the hundredth ply may still mate or zero. Longer ones are a *cursed win* for one side and
//! a *blessed loss* for the other. A zeroing move that only reaches a cursed win counts 101. En
//! passant is resolved exactly; positions with castling rights are not in tables.
//!
//! # Where to begin reading
//!
//! [`Tables`] looks up positions, [`ChessBoardGame`] is what a chess game must provide, and `chess_index`
//! numbers its positions. `header` and `chess_tables` read files block by block; `packing` encodes
//! blocks with an adaptive model. `generator` builds and checks tables.
//!
//! The crate knows the rules of the games, but no search.
#![cfg_attr(
    not(feature = "table-generator"),
    allow(
        dead_code,
        reason = "each format is written beside where it is read, but only the generator writes"
    )
)]

#[macro_use]
mod embedded;

mod all_tables;
pub mod alquerque;
mod chess_game;
mod chess_index;
mod chess_material;
mod chess_tables;
mod error;
#[cfg(feature = "table-generator")]
mod folder;
#[cfg(feature = "table-generator")]
mod generator;
mod header;
#[cfg(feature = "table-generator")]
pub mod load_tables;
mod packing;
mod statistics;
mod tables;
mod value;

pub use all_tables::AllTables;
pub use chess_game::{ChessBoardGame, GameCache};
pub use chess_material::{MAX_TABLE_PIECES, Material, MaterialError};
pub use chess_tables::ChessTableGame;
pub use error::{TableBytes, TableError};
#[cfg(feature = "table-generator")]
pub use folder::{FaultyTable, FolderTables, TABLE_EXTENSION};
#[cfg(feature = "table-generator")]
pub use generator::buildable_game::{
    BuildError, BuildOptions, BuildStep, BuildableGame, Checked, Checker, MAX_SURVEYED_PIECES,
    SurveyOptions, SurveyStep, Surveyed, SurveyedGame,
};
pub use header::TableForm;
pub use statistics::{SideStatistics, Statistics};
pub use tables::{TableGame, Tables, Unknown};
pub use value::{KnownMove, KnownMoves, Probe, RankedMove, TableResult, TableValue};
