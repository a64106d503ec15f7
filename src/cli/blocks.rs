//! Files of training data, read block by block, and files made of them.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::datagen;
use super::files::{AtPath, Overwrite};
use qirkat_rules::variant::Variant;
use qirkat_training::dataset::{Block, BlockReader, DatasetError, Form, PackedPosition, Repeats};

/// The game that all these files hold positions of.
/// Fails when one cannot be read, or is of another game than the first.
pub(super) fn variant_of(paths: &[PathBuf]) -> anyhow::Result<Variant> {
    let mut first = None;
    for path in paths {
        let found = BlockReader::open(path).at_path(path)?.variant();
        let wanted = *first.get_or_insert(found);
        if found != wanted {
            return Err(DatasetError::Variant { found, wanted }).at_path(path);
        }
    }
    first.context("no file of games or positions")
}

/// What all these files hold.
/// Fails when one cannot be read, or holds something else than the first.
pub(super) fn form_of(paths: &[PathBuf]) -> anyhow::Result<Form> {
    let mut first = None;
    for path in paths {
        let found = BlockReader::open(path).at_path(path)?.form();
        if found != *first.get_or_insert(found) {
            return Err(DatasetError::Form).at_path(path);
        }
    }
    first.context("no file of games or positions")
}

/// Hands the blocks of a file over until `on_block` has had enough.
pub(super) fn for_each_block(
    path: &Path,
    mut on_block: impl FnMut(Block) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let mut reader = BlockReader::open(path).at_path(path)?;
    while let Some(block) = reader.next_block().at_path(path)? {
        if !on_block(block)? {
            break;
        }
    }
    Ok(())
}

/// Hands over the blocks of files that are taken together, each with the name of its file and its
/// game, and its positions. Fails when a file holds the positions of another.
pub(super) fn for_each_block_of(
    paths: &[PathBuf],
    mut on_block: impl FnMut((&Path, Variant), &Block, Vec<PackedPosition>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut repeats = Repeats::default();
    for path in paths {
        let variant = variant_of(std::slice::from_ref(path))?;
        repeats.begin_file(path)?;
        for_each_block(path, |block| {
            let positions = block.positions(variant).at_path(path)?;
            repeats.add(&positions);
            on_block((path, variant), &block, positions)?;
            Ok(true)
        })?;
        repeats.end_file()?;
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

/// Makes a new file by `fill`; unless that goes well to its end, there is none.
pub(super) fn make<T>(
    new: &NewFile,
    fill: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut file = new.overwrite.begin(&new.path, "")?;
    let filled = fill(&mut file.content)?;
    file.finish().at_path(&new.path)?;
    // The file that was there may have been generated, and the one beside told how: these
    // positions were not.
    if let Err(error) = std::fs::remove_file(datagen::conditions_file(&new.path))
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(error).at_path(&datagen::conditions_file(&new.path));
    }
    Ok(filled)
}
