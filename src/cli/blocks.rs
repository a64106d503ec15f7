//! Files of positions, read block by block, and files made of them.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::datagen;
use super::output_path::Overwrite;
use qirkat_rules::variant::{AnyPosition, Variant};
use qirkat_rules::{alquerque, chesquerque, masonic};
use qirkat_training::dataset::{
    Block, BlockReader, DatasetError, PackedPosition, PackedPositionError,
};

/// The game that all these files hold positions of.
///
/// # Errors
/// When one cannot be read, or is of another game than the first.
pub(super) fn variant_of(paths: &[PathBuf]) -> anyhow::Result<Variant> {
    let mut first = None;
    for path in paths {
        let named = || path.display().to_string();
        let found = BlockReader::open(path).with_context(named)?.variant();
        let wanted = *first.get_or_insert(found);
        if found != wanted {
            return Err(DatasetError::Variant { found, wanted }).with_context(named);
        }
    }
    first.context("no file of positions")
}

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

/// Where a command puts what it makes of such files.
#[derive(Args)]
pub(super) struct NewFile {
    /// Output file
    #[arg(long = "output", value_name = "FILE")]
    pub path: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
}

/// Makes a new file by `fill`, from these; unless that goes well to its end, there is none.
///
/// # Errors
/// When it may not take the place of one that is there, it cannot be written, or `fill` fails.
pub(super) fn make<T>(
    new: &NewFile,
    inputs: &[PathBuf],
    fill: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut file = new.overwrite.begin(&new.path, inputs, "")?;
    let filled = fill(&mut file.content)?;
    file.finish().with_context(|| new.path.display().to_string())?;
    // What stood there may have been generated, and told how: these positions were not.
    if let Err(error) = std::fs::remove_file(datagen::beside(&new.path))
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(error).with_context(|| datagen::beside(&new.path).display().to_string());
    }
    Ok(filled)
}

/// The position, which is one of this game.
///
/// # Errors
/// When the bytes are not a legal position of it.
pub(super) fn unpack(
    packed: &PackedPosition,
    variant: Variant,
) -> Result<AnyPosition, PackedPositionError> {
    Ok(match variant {
        Variant::Chesquerque => packed.unpack::<chesquerque::Position>()?.into(),
        Variant::Masonic => packed.unpack::<masonic::Position>()?.into(),
        Variant::Alquerque => packed.unpack::<alquerque::Position>()?.into(),
    })
}
