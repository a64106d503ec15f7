//! `qirkat datagen` and `qirkat data`: generates, shows, checks and converts training data.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use crate::shared::exit_status::{FaultsFound, interrupt_flag};
use crate::shared::files::{AtPath, Overwrite};
use crate::shared::options::GameChoice;
use crate::shared::run_conditions::{
    Conditions, ResumableOptions, report_truncation, stopped_before,
};
use crate::shared::terminal::{self, print_message, report};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::text::counted;
use qirkat_game::{Color, GameResult};
use qirkat_rules::variant::Variant;
use qirkat_tablebase::AllTables;
use qirkat_training::dataset::{
    Block, BlockReader, BlockWriter, Damage, DatasetError, DatasetWriter, FilePart, Form,
    PackedPosition, Repeats, SelfPlay,
};

#[derive(Subcommand)]
#[command(defer = true)]
pub(super) enum DataTask {
    /// Count positions and games, and the results for White
    #[command(after_help = "\
Examples:
  One file:
    qirkat data count games.qd
  Several, a line for each:
    qirkat data count here.qd there.qd")]
    Count(FilesOption),
    /// Verify every block's checksum and every position's legality
    #[command(after_help = "\
Examples:
  One file:
    qirkat data check games.qd
  Several:
    qirkat data check here.qd there.qd")]
    Check(FilesOption),
    /// Write the sound positions of a damaged file into a new one
    #[command(after_help = "\
Examples:
  Save the sound positions to another file:
    qirkat data repair damaged.qd --output sound.qd
  Replacing an earlier attempt:
    qirkat data repair damaged.qd --output sound.qd --overwrite")]
    Repair {
        /// The damaged file; it is not changed
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        output: NewFile,
    },
    /// Print positions as lines: FEN, score, result
    #[command(after_help = "\
Examples:
  The first ten positions:
    qirkat data show games.qd --limit 10
  All of them, to look for something:
    qirkat data show games.qd")]
    Show {
        #[command(flatten)]
        files: FilesOption,
        /// How many of each file; all when not given
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
    },
    /// Put the blocks of several files into one
    #[command(after_help = "\
Examples:
  The data of two machines:
    qirkat data merge here.qd there.qd --output all.qd
  The same, replacing the old file:
    qirkat data merge here.qd there.qd --output all.qd --overwrite")]
    Merge(JoinOptions),
    /// Derive the positions of games, 36 bytes each: the working form, which any
    /// program reads
    #[command(after_help = "\
Examples:
  The quiet positions of one file:
    qirkat data positions games.qd --output positions.qd
  Of several in one:
    qirkat data positions here.qd there.qd --output all.qd")]
    Positions(JoinOptions),
    /// Put the positions of one or several files into one, in random order,
    /// for other trainers; `qirkat train` shuffles by itself
    #[command(after_help = "\
Examples:
  The positions of a file in random order:
    qirkat data shuffle games.qd --output mixed.qd
  In another order:
    qirkat data shuffle games.qd --output mixed.qd \\
        --seed 1 --overwrite")]
    Shuffle {
        #[command(flatten)]
        join: JoinOptions,
        /// Seed of the order
        #[arg(long, value_name = "N", default_value_t = 0)]
        seed: u64,
    },
    /// Write positions as text for other trainers: FEN | score | result, both
    /// for White, the result from 0.0 to 1.0
    #[command(after_help = "\
Examples:
  One file:
    qirkat data export games.qd --output games.txt
  Several in one:
    qirkat data export here.qd there.qd --output all.txt")]
    Export(JoinOptions),
}

#[derive(Args)]
pub(super) struct FilesOption {
    /// Training data: games of `qirkat datagen`, or positions of `qirkat data positions`
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

#[derive(Args)]
pub(super) struct JoinOptions {
    #[command(flatten)]
    files: FilesOption,
    #[command(flatten)]
    output: NewFile,
}

pub(super) const HELP: &str = "\
Examples:
  Count and check the positions of a file:
    qirkat data count games.qd
    qirkat data check games.qd
  Merge the data of two machines:
    qirkat data merge here.qd there.qd --output all.qd";

pub(super) fn run(task: &DataTask) -> anyhow::Result<()> {
    match task {
        DataTask::Count(files) => count(&files.files),
        DataTask::Check(files) => check(&files.files),
        DataTask::Repair { file, output } => repair(file, output),
        DataTask::Show { files, limit } => show(&files.files, limit.unwrap_or(usize::MAX)),
        DataTask::Merge(join) => merge(join),
        DataTask::Positions(join) => positions(join),
        DataTask::Shuffle { join, seed } => shuffle(join, *seed),
        DataTask::Export(join) => export(join),
    }
}

fn count(files: &[PathBuf]) -> anyhow::Result<()> {
    for path in files {
        let (mut positions, mut games, mut results) = (0u64, 0u64, [0u64; 3]);
        for_each_block(path, |variant, block| {
            games += u64::from(block.games);
            for packed in block.positions(variant).at_path(path)? {
                positions += 1;
                results[result_index(packed.result())] += 1;
            }
            Ok(true)
        })?;
        let [won, drawn, lost] = results;
        writeln!(
            stdout(),
            "{}; for White {won} won, {drawn} drawn, {lost} lost",
            contents(path, positions, games)
        )?;
    }
    Ok(())
}

const fn result_index(result: GameResult) -> usize {
    match result {
        GameResult::WhiteWins => 0,
        GameResult::BlackWins => 2,
        _ => 1,
    }
}

fn show(files: &[PathBuf], limit: usize) -> anyhow::Result<()> {
    let mut output = stdout().lock();
    for path in files {
        let mut left = limit;
        for_each_block(path, |variant, block| {
            let positions = block.positions(variant).at_path(path)?;
            for packed in positions.iter().take(left) {
                writeln!(output, "{}", line(packed, variant).at_path(path)?)?;
            }
            left = left.saturating_sub(positions.len());
            Ok(left > 0)
        })?;
    }
    Ok(())
}

/// FEN, score for the side to move, and game result.
fn line(packed: &PackedPosition, variant: Variant) -> anyhow::Result<String> {
    let result = ["1-0", "1/2-1/2", "0-1"][result_index(packed.result())];
    Ok(format!("{} ; {:+} ; {result}", packed.unpack_any(variant)?, packed.score()))
}

fn merge(JoinOptions { files: FilesOption { files }, output }: &JoinOptions) -> anyhow::Result<()> {
    let form = common(files, |reader| reader.form, |_, _| DatasetError::Form)?;
    write_blocks(output, (variant_of(files)?, form), |write| {
        for_each_block_of_files(files, |_, block, _| write(block))
    })
}

fn positions(join: &JoinOptions) -> anyhow::Result<()> {
    let files = &join.files.files;
    write_blocks(&join.output, (variant_of(files)?, Form::Positions), |write| {
        for_each_block_of_files(files, |_, block, positions| {
            write(&Block::of_positions(&positions, block.games, block.next_game))
        })
    })
}

/// Positions per block when the order of games is not kept.
const POSITIONS_PER_BLOCK: usize = 1 << 16;

fn shuffle(join: &JoinOptions, seed: u64) -> anyhow::Result<()> {
    let files = &join.files.files;
    write_blocks(&join.output, (variant_of(files)?, Form::Positions), |write| {
        let mut all = Vec::new();
        let (mut games, mut next_game) = (0u32, 0);
        for_each_block_of_files(files, |_, block, positions| {
            all.extend(positions);
            games = games.saturating_add(block.games);
            next_game = block.next_game.max(next_game);
            Ok(())
        })?;
        all.shuffle(&mut StdRng::seed_from_u64(seed));
        all.chunks(POSITIONS_PER_BLOCK).try_for_each(|chunk| {
            let games = std::mem::take(&mut games);
            write(&Block::of_positions(chunk, games, next_game))
        })
    })
}

/// Creates a file from the blocks that `fill` passes to its argument, and reports the contents.
fn write_blocks(
    output: &NewFile,
    (variant, form): (Variant, Form),
    fill: impl FnOnce(&mut dyn FnMut(&Block) -> anyhow::Result<()>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (positions, games) = create_output(output, |file| {
        let mut blocks = BlockWriter::new(file, variant, form).at_path(&output.path)?;
        fill(&mut |block| blocks.write(block).at_path(&output.path))?;
        Ok((blocks.positions, blocks.games))
    })?;
    report(contents(&output.path, positions, games));
    Ok(())
}

pub(super) fn contents(path: &Path, positions: u64, games: u64) -> String {
    let (positions, games) = (counted(positions, "position"), counted(games, "game"));
    format!("{}: {positions} of {games}", path.display())
}

fn export(
    JoinOptions { files: FilesOption { files }, output }: &JoinOptions,
) -> anyhow::Result<()> {
    let written = create_output(output, |file| write_text(files, file, &output.path))?;
    report(format_args!("{}: {written} positions", output.path.display()));
    Ok(())
}

fn write_text(files: &[PathBuf], text: &mut impl Write, output: &Path) -> anyhow::Result<u64> {
    let mut written = 0;
    for_each_block_of_files(files, |(path, variant), _, positions| {
        for packed in &positions {
            let score = match packed.side_to_move() {
                Color::White => i32::from(packed.score()),
                Color::Black => -i32::from(packed.score()),
            };
            let result = ["1.0", "0.5", "0.0"][result_index(packed.result())];
            let position = packed.unpack_any(variant).at_path(path)?;
            writeln!(text, "{position} | {score} | {result}").at_path(output)?;
            written += 1;
        }
        Ok(())
    })?;
    Ok(written)
}

#[derive(Default)]
struct FileDamage {
    sound: u64,
    /// Illegal positions in undamaged blocks; all positions of a block with an illegal game.
    illegal: u64,
    damage: Vec<Damage>,
}

impl FileDamage {
    fn is_good(&self) -> bool {
        self.illegal == 0 && self.damage.is_empty()
    }

    fn damage_lines(&self, path: &Path) -> Vec<String> {
        let path = path.display();
        let damage = self.damage.iter().map(|Damage { block, offset, bytes }| {
            format!("{path}: damaged from block {block} at byte {offset}: {bytes} bytes")
        });
        let illegal = Some(self.illegal).filter(|&count| count > 0);
        let illegal = illegal.map(|count| format!("{path}: {count} positions that are not legal"));
        damage.chain(illegal).collect()
    }

    /// Counts positions and damage, and passes valid positions on.
    fn scan_blocks(
        path: &Path,
        mut reader: BlockReader<BufReader<File>>,
        mut on_block: impl FnMut(Block) -> anyhow::Result<()>,
    ) -> anyhow::Result<FileDamage> {
        let mut file = FileDamage::default();
        let variant = reader.variant;
        while let Some(found) = reader.next_part().at_path(path)? {
            match found {
                FilePart::Damage(damage) => file.damage.push(damage),
                FilePart::Block(block) => {
                    let mut positions = match block.positions(variant) {
                        Err(DatasetError::Game) => Vec::new(),
                        positions => positions.at_path(path)?,
                    };
                    positions.retain(|packed| packed.unpack_any(variant).is_ok());
                    let sound = positions.len() as u64;
                    file.sound += sound;
                    file.illegal += block.count().saturating_sub(sound);
                    let is_whole = sound == block.count();
                    on_block(match block.form {
                        _ if is_whole => block,
                        Form::Games => continue,
                        Form::Positions => {
                            Block::of_positions(&positions, block.games, block.next_game)
                        }
                    })?;
                }
            }
        }
        Ok(file)
    }
}

fn check(files: &[PathBuf]) -> anyhow::Result<()> {
    let mut is_damaged = false;
    for path in files {
        let name = path.display();
        let reader = BlockReader::open(path).at_path(path)?;
        let found = FileDamage::scan_blocks(path, reader, |_| Ok(()))?;
        if found.is_good() {
            writeln!(stdout(), "{name}: {} positions, all sound", found.sound)?;
        } else {
            for line in found.damage_lines(path) {
                writeln!(stdout(), "{line}")?;
            }
            print_message(format_args!(
                "{name} is damaged ({} positions are sound); `qirkat data repair` saves them",
                found.sound
            ));
            is_damaged = true;
        }
    }
    FaultsFound::fail_if(is_damaged)
}

fn repair(path: &Path, output: &NewFile) -> anyhow::Result<()> {
    let reader = BlockReader::open_damaged(path).at_path(path)?;
    write_blocks(output, (reader.variant, reader.form), |write| {
        let found = FileDamage::scan_blocks(path, reader, |block| write(&block))?;
        if found.sound == 0 {
            bail!("{}: no sound block of positions in it", path.display());
        }
        found.damage_lines(path).into_iter().for_each(report);
        if found.is_good() {
            report(format_args!("{}: nothing is damaged", path.display()));
        }
        Ok(())
    })
}

/// The variant of these files. Fails if one cannot be read or differs from the first.
pub(super) fn variant_of(paths: &[PathBuf]) -> anyhow::Result<Variant> {
    let fault = |found, wanted| DatasetError::Variant { found, wanted };
    common(paths, |reader| reader.variant, fault)
}

/// A property that these files share. Fails if one cannot be read or differs from the first.
fn common<T: Copy + PartialEq>(
    paths: &[PathBuf],
    property: impl Fn(&BlockReader<BufReader<File>>) -> T,
    fault: impl Fn(T, T) -> DatasetError,
) -> anyhow::Result<T> {
    let mut first = None;
    for path in paths {
        let found = property(&BlockReader::open(path).at_path(path)?);
        let wanted = *first.get_or_insert(found);
        if found != wanted {
            return Err(fault(found, wanted)).at_path(path);
        }
    }
    first.context("no file of games or positions")
}

/// Calls `on_block` with the variant and the blocks of a file until it returns false.
pub(super) fn for_each_block(
    path: &Path,
    mut on_block: impl FnMut(Variant, Block) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let mut reader = BlockReader::open(path).at_path(path)?;
    while let Some(block) = reader.next_block().at_path(path)? {
        if !on_block(reader.variant, block)? {
            break;
        }
    }
    Ok(())
}

/// Passes on the blocks of several files, each with its file, variant and positions. Fails if a
/// file repeats the positions of another.
fn for_each_block_of_files(
    paths: &[PathBuf],
    mut on_block: impl FnMut((&Path, Variant), &Block, Vec<PackedPosition>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut repeats = Repeats::default();
    for path in paths {
        repeats.begin_file(path)?;
        for_each_block(path, |variant, block| {
            let positions = block.positions(variant).at_path(path)?;
            repeats.add(&positions);
            on_block((path, variant), &block, positions)?;
            Ok(true)
        })?;
        repeats.end_file()?;
    }
    Ok(())
}

#[derive(Args)]
pub(super) struct NewFile {
    /// Output file
    #[arg(long = "output", value_name = "FILE")]
    path: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
}

pub(super) fn conditions_file(path: &Path) -> PathBuf {
    path.with_added_extension("datagen.toml")
}

/// Creates a file with `fill`, and removes it again on failure.
fn create_output<T>(
    new: &NewFile,
    fill: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut file = new.overwrite.begin(&new.path, "")?;
    let filled = fill(&mut file.content)?;
    file.finish().at_path(&new.path)?;
    // The old file may have been generated, with its settings in a file beside it; they do not
    // describe the new positions.
    if let Err(error) = std::fs::remove_file(conditions_file(&new.path))
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(error).at_path(&conditions_file(&new.path));
    }
    Ok(filled)
}

#[derive(Args)]
pub(super) struct DatagenOptions {
    #[command(flatten)]
    game: GameChoice,
    /// Output file for games; an existing one is continued with --resume
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Positions wanted, including those in the file already
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Nodes for each move; the search may exceed them to finish an iteration
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Least number of random plies at the start of a game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=100))]
    min_plies: u16,
    /// Greatest number of random plies at the start of a game
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=100))]
    max_plies: u16,
    /// The largest score, in centipawns, that a side may have after them
    #[arg(long, value_name = "CP", default_value_t = 200, value_parser = clap::value_parser!(i32).range(0..))]
    balance: i32,
    /// Seed of all games; give each machine its own
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    games: ResumableOptions,
}

pub(super) const DATAGEN_HELP: &str = "\
Examples:
  A million positions, on all cores:
    qirkat datagen --output games.qd
  Continue after Ctrl-C, up to two million:
    qirkat datagen --output games.qd --positions 2000000 --resume";

pub(super) fn generate(options: &DatagenOptions) -> anyhow::Result<()> {
    if options.min_plies > options.max_plies {
        bail!("--min-plies is more than --max-plies");
    }
    let path = &options.output;
    options.games.is_continued(path)?;
    let variant = options.game.variant;
    let evaluation = options.games.eval_file.evaluation(variant)?;
    Conditions::check_replaceable(&conditions_file(path))?;
    let mut writer = DatasetWriter::open(path, variant, Form::Games).at_path(path)?;
    let (conditions, beside) = (conditions(options, &evaluation), conditions_file(path));
    if writer.cut_off > 0 {
        report_truncation(path, writer.cut_off, "block");
    }
    if writer.blocks.positions > 0 {
        conditions.check_resumable(path, &beside)?;
    }
    conditions.write(&beside, CONDITIONS_COMMENT)?;
    let games = SelfPlay {
        nodes: options.nodes,
        plies: (options.min_plies.into(), options.max_plies.into()),
        balance: options.balance,
        positions: options.positions,
        seed: options.seed,
        evaluation,
        tablebases: Some(AllTables::with_embedded()),
        threads: options.games.threads.count(),
    };
    let stop = interrupt_flag();
    let template = "{bar:30} {pos}/{len} positions, {per_sec}, {eta} left, {msg}";
    let bar = terminal::bar_from(template, writer.blocks.positions, options.positions);
    if writer.blocks.positions < options.positions {
        games
            .run(&mut writer, &stop, &|positions, games| {
                bar.set_position(positions);
                bar.set_message(format!("{games} games"));
            })
            .at_path(path)?;
    }
    bar.finish_and_clear();
    let positions = writer.blocks.positions;
    report(contents(path, positions, writer.blocks.games));
    if positions < options.positions {
        return Err(stopped_before(options.positions).into());
    }
    Ok(())
}

const CONDITIONS_COMMENT: &str =
    "# How the positions beside this file were generated. `qirkat datagen --resume` reads it.";

/// The settings that determine the positions. Their number and the speed may change on resuming.
fn conditions(options: &DatagenOptions, evaluation: &AnyEvaluation) -> Conditions {
    let mut conditions = Conditions::default();
    conditions.set("--nodes", options.nodes);
    conditions.set("--min-plies", options.min_plies);
    conditions.set("--max-plies", options.max_plies);
    conditions.set("--balance", options.balance);
    conditions.set("--seed", options.seed);
    conditions.set_network(evaluation);
    conditions
}
