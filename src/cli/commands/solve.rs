//! `qirkat solve`: solves a position of Alquerque and writes a certificate.

use std::fs;
use std::io::{self, BufReader, BufWriter, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use indicatif::ProgressBar;

use crate::shared::exit_status::{Interrupted, interrupt_flag};
use crate::shared::files::{AtPath, Overwrite, check_regular_file, open_file};
use crate::shared::options::{self, PositionOptions, Threads, megabytes};
use crate::shared::terminal::{self, print_result, report};
use qirkat_game::Color;
use qirkat_game::text::counted;
use qirkat_problem::solver::{
    Certificate, CertificateFileError, Checkpoint, DistanceTables, GameValue, MAX_MEN, Progress,
    ProverError, SolveError, Solver, Stage, Verified, verify,
};
use qirkat_rules::alquerque::{Move, Position};
use qirkat_rules::variant::VariantGame;
use qirkat_system::machine::thread_pool;
use qirkat_system::output_file::AtomicFile;

pub(crate) const HELP: &str = "\
A certificate has a move for every position that the other side can reach, down
to the end of the game. It does not rely on repetition or the 100 plies: the
plies to the end decrease, and those to the next jump or step forward are 100 at
most.

Examples:
  Who wins this position:
    qirkat solve --game alquerque --fen 'mm3/5/1M1M1/5/2M2 w - - 0 1'
  The start, with a certificate, in a minute or two:
    qirkat solve --game alquerque --hash 4096 --certificate start.cert
  After a first move, resuming an interrupted proof:
    qirkat solve --game alquerque --moves d2c3 --men 6 --hash 4096 \\
        --checkpoint d2c3.proof --resume
  Whether a certificate is valid:
    qirkat solve check start.cert";

/// The minimum time between checkpoints, and its minimum ratio to the time of writing one.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(30);
const CHECKPOINT_PAUSE_FACTOR: u32 = 30;

const THREADS: &str = "Threads; as many as there are cores when not given. With one, and the same \
                       --hash, the proof is always the same";
const MOVES: &str = "Moves to play from there, such as `c2c3 c4c2`";

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, mut_arg("threads", |arg| arg.help(THREADS)), mut_arg("variant", |arg| arg.help("The game, which must be alquerque: only that can be solved")), mut_arg("moves", |arg| arg.help(MOVES)))]
pub(crate) struct SolveOptions {
    #[command(subcommand)]
    task: Option<SolveTask>,
    #[command(flatten)]
    position: PositionOptions,
    /// First solve all positions with up to this many men: with 5 it takes 20 MB and some
    /// seconds, and seven times as much for each man more
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=MAX_MEN as u64))]
    men: usize,
    /// Memory for the proof in megabytes, besides those positions
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = megabytes)]
    hash: u32,
    #[command(flatten)]
    threads: Threads,
    /// Write a certificate of the result to this file
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Save the progress of the proof to this file at intervals, for --resume
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Continue from the checkpoint, if there is one
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    #[command(flatten)]
    overwrite: Overwrite,
}

#[derive(Subcommand)]
enum SolveTask {
    /// Check a certificate by the rules alone
    #[command(after_help = "\
Examples:
  Whether a certificate is valid:
    qirkat solve check start.cert
  The same by the exit status alone:
    qirkat solve check start.cert > /dev/null")]
    Check {
        /// The certificate
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub(crate) fn run(options: &SolveOptions) -> anyhow::Result<()> {
    match &options.task {
        Some(SolveTask::Check { file }) => check(file),
        None => solve(options),
    }
}

fn solve(options: &SolveOptions) -> anyhow::Result<()> {
    let variant = options.position.game.variant;
    let any = options::game(&options.position)?;
    let Some(game) = Position::own_state(&any) else {
        bail!("{} cannot be solved: only Alquerque can, --game alquerque", variant.title());
    };
    if let Some(outcome) = game.outcome() {
        bail!("the game is over: {outcome}");
    }
    let begin = |path: &PathBuf| options.overwrite.begin(path, "").context("--certificate");
    let output = options.certificate.as_ref().map(begin).transpose()?;
    let (from, checkpoint) = open_checkpoint(options)?;
    let bar = terminal::spinner("{spinner} {msg}, {elapsed}");
    bar.set_message(format!("positions with up to {} men", options.men));
    let threads = options.threads.count();
    let pool = thread_pool(threads)?;
    let tables = pool.install(|| DistanceTables::new(options.men));
    // Before this, Ctrl-C ends the program: there is nothing to save.
    let stop = interrupt_flag();
    let solver = Solver {
        tables: &tables,
        megabytes: options.hash as usize,
        threads,
        certifies_tables: output.is_some(),
    };
    let watcher = Watcher { bar: &bar, stop: &stop, checkpoint: checkpoint.map(Mutex::new) };
    let solved = pool
        .install(|| solver.solve(&game, from.as_ref(), &|progress| watcher.on_progress(progress)));
    bar.finish_and_clear();
    let path = options.checkpoint.as_deref().unwrap_or(Path::new("--checkpoint"));
    watcher.finish()?;
    let value = match solved {
        Ok(value) => value,
        Err(SolveError::Prover(ProverError::Stopped)) => {
            let resume =
                |path: &PathBuf| format!("; continue from {} with --resume", path.display());
            let hint = options.checkpoint.as_ref().map_or_else(String::new, resume);
            return Err(Interrupted(format!("stopped{hint}")).into());
        }
        Err(SolveError::Prover(error @ ProverError::Memory(_))) => {
            bail!("{error}: try more --hash, or --men {}", (options.men + 1).min(MAX_MEN));
        }
        Err(SolveError::Checkpoint(error)) => return Err(error).at_path(path),
        Err(error) => return Err(error.into()),
    };
    let print = |text: String| print_result(text, output.is_some());
    print(game.position().to_string())?;
    let certificate = match value {
        GameValue::Won { winner, plies, is_exact, certificate } => {
            let first = certificate.as_ref().and_then(|(it, _)| it.choice(game.position()));
            print(win(winner, first, plies, is_exact))?;
            certificate
        }
        GameValue::Drawn { certificate } => {
            print(DRAWN.to_owned())?;
            certificate
        }
        GameValue::Open => {
            print("no win was found for either side".to_owned())?;
            None
        }
    };
    if let Some((_, verified)) = &certificate {
        print(extent(verified))?;
    }
    let (Some(mut file), Some(path)) = (output, &options.certificate) else { return Ok(()) };
    let Some((certificate, _)) = certificate else {
        bail!("--certificate: there is none for a position with these moves before it");
    };
    certificate.write(BufWriter::new(&mut file.content)).at_path(path)?;
    file.finish().at_path(path)?;
    report(format_args!("{}: written", path.display()));
    Ok(())
}

fn open_checkpoint(
    options: &SolveOptions,
) -> anyhow::Result<(Option<Checkpoint>, Option<CheckpointFile>)> {
    let Some(path) = &options.checkpoint else { return Ok((None, None)) };
    let mut from = None;
    if options.resume {
        check_regular_file(path).context("--resume")?;
        from = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            bytes => {
                let bytes = bytes.at_path(path).context("--resume")?;
                // An empty file is a new one.
                let read = (!bytes.is_empty()).then(|| Checkpoint::read(&bytes)).transpose();
                read.at_path(path).context("--resume")?
            }
        };
    }
    let overwrite = Overwrite { overwrite: options.overwrite.overwrite || options.resume };
    let file = overwrite.begin(path, "continue with --resume, ").context("--checkpoint")?;
    let next = Instant::now() + BETWEEN_CHECKPOINTS;
    Ok((from, Some(CheckpointFile { file, next, fault: None })))
}

struct CheckpointFile {
    file: AtomicFile,
    next: Instant,
    fault: Option<io::Error>,
}

impl CheckpointFile {
    /// Returns whether to continue.
    fn write(&mut self, bytes: &[u8], begun: Instant) -> bool {
        self.fault = self.fault.take().or(self.file.write_version(bytes).err());
        let pause = BETWEEN_CHECKPOINTS.max(begun.elapsed() * CHECKPOINT_PAUSE_FACTOR);
        self.next = Instant::now() + pause;
        self.fault.is_none()
    }
}

struct Watcher<'a> {
    bar: &'a ProgressBar,
    stop: &'a AtomicBool,
    checkpoint: Option<Mutex<CheckpointFile>>,
}

impl Watcher<'_> {
    fn on_progress(&self, progress: &Progress<'_>) -> bool {
        let prover = progress.prover;
        let what = match progress.stage {
            Stage::Win => format!("{:?} wins?", prover.winner()),
            Stage::Hold => format!("{:?} can hold?", !prover.winner()),
        };
        let nodes = prover.nodes() as f64 / 1e6;
        let proved = prover.proved();
        self.bar.set_message(format!("{what} {nodes:.1} M nodes, {proved} positions proved"));
        let must_stop = self.stop.load(Ordering::Relaxed);
        // One thread writes while the others continue.
        if let Some(checkpoint) = &self.checkpoint
            && let Ok(mut file) = checkpoint.try_lock()
        {
            let begun = Instant::now();
            if (must_stop || begun >= file.next) && !file.write(&progress.checkpoint(), begun) {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        !must_stop
    }

    fn finish(self) -> io::Result<()> {
        let file = self.checkpoint.map(|file| file.into_inner());
        let file = file.map(|file| file.unwrap_or_else(PoisonError::into_inner));
        file.and_then(|file| file.fault).map_or(Ok(()), Err)
    }
}

fn win(winner: Color, first: Option<Move>, plies: u16, is_exact: bool) -> String {
    let first = first.map_or(String::new(), |mv| format!(" by {mv}"));
    let most = if is_exact { "" } else { "at most " };
    let ply = if plies == 1 { "ply" } else { "plies" };
    format!("{winner:?} wins{first}, in {most}{plies} {ply}")
}

fn extent(verified: &Verified) -> String {
    format!(
        "a move for each of {} that can come up",
        counted(verified.decisions as u64, "position")
    )
}

const DRAWN: &str = "neither side wins";

fn check(path: &Path) -> anyhow::Result<()> {
    check_regular_file(path)?;
    let certificate = Certificate::read(BufReader::new(open_file(path)?)).at_path(path)?;
    let verified = verify(&certificate).map_err(CertificateFileError::from).at_path(path)?;
    let root = verified.root.position();
    let result = match verified.winner {
        Some(winner) => {
            let first = root.and_then(|root| certificate.choice(&root));
            win(winner, first, verified.plies, false)
        }
        None => DRAWN.to_owned(),
    };
    let mut out = stdout().lock();
    if let Some(root) = root {
        writeln!(out, "{root}")?;
    }
    writeln!(out, "{result}\n{}", extent(&verified))?;
    Ok(())
}
