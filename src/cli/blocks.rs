//! Files of positions, read block by block, and files made of them.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, bail};

use crate::dataset::{Block, BlockReader, DatasetError};
use crate::whole_file::WholeFile;

/// Hands the blocks of a file over until `on_block` has had enough.
///
/// # Errors
/// When the file cannot be read, or `on_block` fails.
pub(super) fn for_each_block(
    path: &Path,
    mut on_block: impl FnMut(Block) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let named =
        |error: DatasetError| anyhow::Error::from(error).context(path.display().to_string());
    let mut reader = BlockReader::open(path).map_err(named)?;
    while let Some(block) = reader.next_block().map_err(named)? {
        if !on_block(block)? {
            break;
        }
    }
    Ok(())
}

/// Makes a new file by `fill`; unless that goes well to its end, there is none.
///
/// # Errors
/// When there is one already, it cannot be written, or `fill` fails.
pub(super) fn make<T>(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let named = || path.display().to_string();
    if path.exists() {
        bail!("{} is there already", path.display());
    }
    let mut file = WholeFile::create(path).with_context(named)?;
    let filled = fill(&mut file.content)?;
    file.finish().with_context(named)?;
    Ok(filled)
}
