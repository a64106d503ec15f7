//! Packs and unpacks the blocks of tables.
//!
//! A block is a *grid* (`grids`): one piece of the side to move and the other side's king go
//! everywhere, all else stands still. Only what surprises a model is written (`context_model`,
//! `range_coder`), which has learned from the whole table and goes on learning in
//! each `block`.
//!
//! A distance is guessed from cells that are known already (`cell_coder`). What is written is
//! mostly that the guess is right (`distance_coders`). K+Q against K+Q take 169 KB so, where LZMA takes
//! 479.
//!
//! Where White's pieces drive a lone king in Chesquerque, all replies stay in the grid, so
//! five of six wins follow from shorter ones by retrograde analysis and are not written. For
//! the others it is told how many plies they take (`ladder`). K+A+B against K take 440 KB so,
//! where LZMA takes 1143.

pub mod block;
pub mod cell_coder;
pub mod context_model;
pub mod distance_coders;
pub mod grid;
pub mod grids;
pub mod ladder;
pub mod range_coder;
