//! Packs and unpacks the blocks of tables.
//!
//! A block is a *grid* (`grids`): one piece of the side to move and the other side's king go
//! everywhere, all else stands still. Only what surprises a model is written (`context_model`,
//! `mixer`, `range_coder`), which has learned from the whole table and goes on learning in
//! each `block`.
//!
//! A distance is guessed from cells that are known already: from `neighbours`, and from what
//! can be reached by the same moves (`bounds`). What is written is mostly that the guess is
//! right (`cell_coder`, `mate_coder`, `zeroing_coder`). K+Q against K+Q take 169 KB so, where LZMA takes
//! 479.
//!
//! Where White's pieces drive a lone king in Chesquerque, all replies stay in the grid, so
//! five of six wins follow from shorter ones by retrograde analysis and are not written. For
//! the others it is told how many plies they take (`ladder`). K+A+B against K take 440 KB so,
//! where LZMA takes 1143.

pub mod block;
pub mod bounds;
pub mod cell_coder;
pub mod context_model;
pub mod grid;
pub mod grid_row;
pub mod grids;
pub mod ladder;
pub mod mate_coder;
pub mod mixer;
pub mod neighbours;
pub mod numbers;
pub mod range_coder;
pub mod zeroing_coder;
