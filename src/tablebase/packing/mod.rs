//! Packs and unpacks the blocks of tables.
//!
//! A block is a *grid* (`grids`): all points of one piece of the side to move and of the opponent's
//! king, with all other pieces fixed. It is coded with an adaptive model (`context_model`,
//! `range_coder`) that was trained on a sample of the table's blocks and keeps learning in each
//! `block`. A distance is predicted from known cells (`cell_coder`); usually only its confirmation
//! is coded (`distance_coders`). K+Q against K+Q takes 169 KB this way, and 479 KB with LZMA.
//!
//! Against a lone king in Chesquerque, all replies stay in the grid, so five of six wins follow
//! from shorter ones by retrograde analysis, and only the others are coded (`retrograde_coder`). K+A+B
//! against K takes 440 KB this way, and 1143 KB with LZMA.

pub mod block;
pub mod cell_coder;
pub mod context_model;
pub mod distance_coders;
pub mod grids;
pub mod range_coder;
pub mod retrograde_coder;
