//! Packs and unpacks the blocks of tables.
//!
//! A block is a *grid* (`grids`): one piece of the side to move and the opponent's king go
//! everywhere, all other pieces are fixed. It is coded with an adaptive model (`context_model`,
//! `range_coder`) that was trained on the whole table and goes on learning in each `block`. A
//! distance is predicted from known cells (`cell_coder`); mostly it is coded that the prediction is
//! right (`distance_coders`). K+Q against K+Q takes 169 KB this way, with LZMA 479.
//!
//! Where White's pieces drive a lone king in Chesquerque, all replies stay in the grid, so five of
//! six wins follow from shorter ones by retrograde analysis and are not coded. For the others the
//! plies are (`ladder`). K+A+B against K takes 440 KB this way, with LZMA 1143.

pub mod block;
pub mod cell_coder;
pub mod context_model;
pub mod distance_coders;
pub mod grids;
pub mod ladder;
pub mod range_coder;
