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
//! # How tables are made
//!
//! `layout` numbers the positions: without pawns the symmetries of the board are folded
//! (`king_pairs`), of Chesquerque eight, of Masonic chess half a turn; with pawns those that
//! keep pawn moves (`pawns`): the mirror image in Chesquerque, none in Masonic chess. Each
//! way the pawns stand is a slice by itself. `slice_solver` works backwards through a slice by taking
//! moves back, `generator` gives it what captures and pawn moves lead to, by move rules of
//! its own (`placement`, `moves`). `build` does that for many tables on all cores and can
//! be broken off at any moment. Tables without pawns are solved many positions at a time:
//! what holds for all points of one piece is a `row` of bits, and `row_solver` goes back
//! row by row (`row_layout`, `king_steps`), captures included (`row_captures`). It fills
//! cells (`row_table`), or counts only (`row_counting`), so that a `survey` of tables with
//! five pieces needs little more memory than their bits. `check` derives every entry anew from its successors, by
//! the rules that the rest of the program uses.
//!
//! # How tables are kept
//!
//! `header` is the file format. Of the two sides to move one is kept, whichever packs
//! better; the other follows from its moves. Blocks are read and unpacked when they are
//! asked for (`block`), in the `order` that suits the table. What is written is what
//! surprises a model (`evidence`, `mixer`, `range_coder`) that has learned from the whole
//! table, and goes on learning in each block.
//!
//! In a *grid* (`grids`) one piece of the side to move and the other side's king go
//! everywhere, all else stands still. So a distance is guessed from cells that are known
//! already: from neighbours (`near`), and from what can be reached by the same moves
//! (`bounds`). What is written is mostly that the guess is right (`mate_coder`,
//! `zeroing_coder`). K+Q against K+Q take 169 KB so, where LZMA takes 479.
//!
//! Where White's pieces drive a lone king in Chesquerque, a block is a frame (`frames`), which
//! is nearly the same. All replies stay in it, so five of six wins follow from shorter ones by
//! retrograde analysis and are not written. For the others it is told how many plies they
//! take (`ladder`). K+A+B against K take 440 KB so, where LZMA takes 1143.

mod all_tables;
mod attacks;
mod block;
mod bounds;
#[cfg(feature = "table-generator")]
mod build;
mod cell;
#[cfg(feature = "table-generator")]
mod check;
mod chesquerque;
mod chesquerque_board;
#[cfg(any(test, feature = "table-generator"))]
mod counting;
mod embedded;
mod error;
mod evidence;
#[cfg(feature = "table-generator")]
mod folder;
mod frames;
mod framing;
#[cfg(any(test, feature = "table-generator"))]
mod generator;
mod grid;
mod grid_row;
mod grids;
mod header;
mod king_pairs;
#[cfg(any(test, feature = "table-generator"))]
mod king_steps;
mod ladder;
mod layout;
mod masonic;
mod masonic_board;
mod mate_coder;
mod material;
mod mixer;
#[cfg(any(test, feature = "table-generator"))]
mod moves;
mod near;
mod once_per_game;
mod order;
#[cfg(any(test, feature = "table-generator"))]
mod pack;
#[cfg(any(test, feature = "table-generator"))]
mod pack_frames;
mod pawns;
mod placement;
mod planes;
mod probe;
mod range_coder;
#[cfg(any(test, feature = "table-generator"))]
mod retreats;
#[cfg(any(test, feature = "table-generator"))]
mod row;
#[cfg(any(test, feature = "table-generator"))]
mod row_captures;
#[cfg(any(test, feature = "table-generator"))]
mod row_counting;
#[cfg(any(test, feature = "table-generator"))]
mod row_layout;
#[cfg(any(test, feature = "table-generator"))]
mod row_solver;
#[cfg(any(test, feature = "table-generator"))]
mod row_table;
mod set;
#[cfg(any(test, feature = "table-generator"))]
mod slice_solver;
#[cfg(any(test, feature = "table-generator"))]
mod solve;
mod statistics;
#[cfg(feature = "table-generator")]
mod survey;
mod symmetry;
mod table;
mod table_board;
mod table_game;
mod tablebase;
mod value;
mod votes;
mod zeroing_coder;

pub use all_tables::AllTables;
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
#[cfg(feature = "table-generator")]
pub use survey::{MAX_SURVEYED_PIECES, SurveyError, SurveyOptions, SurveyStep, Surveyed, survey};
pub use table::TableBytes;
pub use table_board::TableBoard;
pub use table_game::TableGame;
pub use value::{TableResult, TableValue};
