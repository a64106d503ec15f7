//! `qirkat data check` and `qirkat data repair`.

use std::fs::File;
use std::io::{BufReader, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::blocks::{NewFile, make, unpack};
use qirkat_training::dataset::{Block, BlockReader, BlockWriter, Damage, Found, PackedPosition};

/// What a file was found to hold.
#[derive(Default)]
struct Health {
    /// Positions that are sound.
    positions: u64,
    /// Positions of sound blocks that are not legal.
    illegal: u64,
    /// Parts of the file that cannot be read.
    damage: Vec<Damage>,
}

impl Health {
    fn is_good(&self) -> bool {
        self.illegal == 0 && self.damage.is_empty()
    }

    /// Prints a line for each part that is lost.
    fn print_damage(&self, path: &Path) -> std::io::Result<()> {
        let (path, mut out) = (path.display(), stdout().lock());
        for Damage { block, offset, bytes } in &self.damage {
            writeln!(
                out,
                "{path}: damaged from block {block} at byte {offset}: {bytes} bytes, \
                 room for {} positions",
                bytes / PackedPosition::SIZE as u64
            )?;
        }
        match self.illegal {
            0 => Ok(()),
            count => writeln!(out, "{path}: {count} positions that are not legal"),
        }
    }

    /// Takes note of what a reader finds, and hands the sound positions over.
    fn look_through(
        path: &Path,
        mut reader: BlockReader<BufReader<File>>,
        mut on_block: impl FnMut(Block) -> anyhow::Result<()>,
    ) -> anyhow::Result<Health> {
        let mut health = Health::default();
        let variant = reader.variant();
        while let Some(found) = reader.next_found().with_context(|| path.display().to_string())? {
            match found {
                Found::Damage(damage) => health.damage.push(damage),
                Found::Block(mut block) => {
                    let all = block.positions.len();
                    block.positions.retain(|packed| unpack(packed, variant).is_ok());
                    health.illegal += (all - block.positions.len()) as u64;
                    health.positions += block.positions.len() as u64;
                    on_block(block)?;
                }
            }
        }
        Ok(health)
    }
}

/// Looks through all the files, and tells where they are damaged.
pub(super) fn check(files: &[PathBuf]) -> anyhow::Result<()> {
    let mut damaged = Vec::new();
    for path in files {
        let name = path.display();
        let reader = BlockReader::open(path).with_context(|| name.to_string())?;
        let health = Health::look_through(path, reader, |_| Ok(()))?;
        if health.is_good() {
            writeln!(stdout(), "{name}: {} positions, all sound", health.positions)?;
        } else {
            health.print_damage(path)?;
            damaged.push(format!("{name} is damaged ({} positions are sound)", health.positions));
        }
    }
    if !damaged.is_empty() {
        bail!("{}; `qirkat data repair` saves what is sound", damaged.join(", "));
    }
    Ok(())
}

/// Copies what is sound, and tells what is lost.
pub(super) fn repair(path: &Path, output: &NewFile) -> anyhow::Result<()> {
    let reader = BlockReader::open_damaged(path).with_context(|| path.display().to_string())?;
    let named = || output.path.display().to_string();
    let variant = reader.variant();
    let (health, games) = make(output, &[path.to_owned()], |file| {
        let mut blocks = BlockWriter::new(file, variant).with_context(named)?;
        let health =
            Health::look_through(path, reader, |block| blocks.write(&block).with_context(named))?;
        if health.positions == 0 {
            bail!("{}: no sound block of positions in it", path.display());
        }
        Ok((health, blocks.games))
    })?;
    health.print_damage(path)?;
    if health.is_good() {
        writeln!(stdout(), "{}: nothing is damaged", path.display())?;
    }
    writeln!(stdout(), "{}: {} positions of {games} games", named(), health.positions)?;
    Ok(())
}
