//! Tables as files: what is in them, and how they are read block by block.
//!
//! `header` is the file format. Of the two sides to move one is kept, whichever packs better;
//! the other follows from its moves. Blocks are read and unpacked when they are asked for
//! (`table`).

pub mod header;
pub mod kept;
pub mod table;
