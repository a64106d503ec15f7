//! `qirkat data`.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use crate::dataset::{Block, BlockReader, DatasetError, Record};
use crate::pgn::GameResult;

#[derive(Args)]
pub(super) struct DataOptions {
    #[command(subcommand)]
    task: DataTask,
}

#[derive(Subcommand)]
enum DataTask {
    /// Count positions and games, and the results for White
    Count(FilesOption),
    /// Look for damage: every block's checksum, every position's legality
    Check(FilesOption),
    /// Print positions as lines: FEN, score, result
    Show(ShowOptions),
}

#[derive(Args)]
struct FilesOption {
    /// Files that `qirkat datagen` has written
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Args)]
struct ShowOptions {
    #[command(flatten)]
    files: FilesOption,
    /// How many of each file; all when not given
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// Does what is asked with the files.
pub(super) fn run(options: &DataOptions) -> anyhow::Result<()> {
    match &options.task {
        DataTask::Count(files) => count(&files.files),
        DataTask::Check(files) => check(&files.files),
        DataTask::Show(options) => show(options),
    }
}

/// Hands the blocks of a file over until `take` has had enough.
fn for_each_block(
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

fn count(files: &[PathBuf]) -> anyhow::Result<()> {
    for path in files {
        let (mut positions, mut games, mut results) = (0u64, 0u64, [0u64; 3]);
        for_each_block(path, |block| {
            positions += block.records.len() as u64;
            games += u64::from(block.games);
            for record in &block.records {
                results[place(record.result())] += 1;
            }
            Ok(true)
        })?;
        let [won, drawn, lost] = results;
        writeln!(
            stdout(),
            "{}: {positions} positions of {games} games; for White {won} won, {drawn} drawn, {lost} lost",
            path.display()
        )?;
    }
    Ok(())
}

const fn place(result: GameResult) -> usize {
    match result {
        GameResult::WhiteWins => 0,
        GameResult::BlackWins => 2,
        _ => 1,
    }
}

fn check(files: &[PathBuf]) -> anyhow::Result<()> {
    for path in files {
        let mut number = 0u64;
        for_each_block(path, |block| {
            for record in &block.records {
                number += 1;
                if let Err(error) = record.position() {
                    bail!("{}: record {number}: {error}", path.display());
                }
            }
            Ok(true)
        })?;
        writeln!(stdout(), "{}: {number} positions, all sound", path.display())?;
    }
    Ok(())
}

fn show(options: &ShowOptions) -> anyhow::Result<()> {
    let mut output = stdout().lock();
    for path in &options.files.files {
        let mut left = options.limit.unwrap_or(usize::MAX);
        for_each_block(path, |block| {
            for record in block.records.iter().take(left) {
                writeln!(output, "{}", line(record).with_context(|| path.display().to_string())?)?;
            }
            left = left.saturating_sub(block.records.len());
            Ok(left > 0)
        })?;
    }
    Ok(())
}

/// FEN, score for the side to move, and the game's result.
fn line(record: &Record) -> anyhow::Result<String> {
    let result = ["1-0", "1/2-1/2", "0-1"][place(record.result())];
    Ok(format!("{} ; {:+} ; {result}", record.position()?, record.score()))
}
