//! Files of positions, read block by block.

use std::path::Path;

use crate::dataset::{Block, BlockReader, DatasetError};

/// Hands the blocks of a file over until `take` has had enough.
///
/// # Errors
/// When the file cannot be read, or `take` fails.
pub(super) fn for_each_block(
    path: &Path,
    mut take: impl FnMut(Block) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let named =
        |error: DatasetError| anyhow::Error::from(error).context(path.display().to_string());
    let mut reader = BlockReader::open(path).map_err(named)?;
    while let Some(block) = reader.next_block().map_err(named)? {
        if !take(block)? {
            break;
        }
    }
    Ok(())
}
