//! `qirkat solve`: who wins a position of Alquerque, with a certificate.

use std::io::{BufReader, BufWriter, Write, stdout};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, Subcommand};

use super::exit_status::{Interrupted, interrupt_flag};
use super::files::{AtPath, Overwrite, open_file};
use super::progress;
use super::resources::megabytes;
use super::setup::{self, GameChoice};
use qirkat_game::DRAWING_CLOCK;
use qirkat_rules::variant::AnyPosition;
use qirkat_search::MAX_THREADS;
use qirkat_solver::{Certificate, DistanceTables, MAX_MEN, Prover, ProverError, Verified, verify};
use qirkat_system::machine::{cores, thread_pool};

/// The end of the help.
pub(super) const HELP: &str = "\
A certificate holds a move for every position that the other side can bring
about, down to the end of the game. Nothing in it leans on repetition or on the
100 plies: the plies to the end fall, and those to the next jump or step forward
are 100 at most.

Examples:
  Who wins this position:
    qirkat solve --game alquerque --fen 'mm3/5/1M1M1/5/2M2 w - - 0 1'
  The start, with a certificate, in some minutes:
    qirkat solve --game alquerque --hash 4096 --certificate start.cert
  Whether a certificate holds:
    qirkat solve check start.cert";

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct SolveOptions {
    #[command(subcommand)]
    task: Option<SolveTask>,
    #[command(flatten)]
    game: GameChoice,
    /// The position; the usual starting position when not given
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Solve all positions with up to so many men first: with 5 it takes 20 MB and some
    /// seconds, and seven times as much for each man more
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=MAX_MEN as u64))]
    men: usize,
    /// Memory for the proof in megabytes, besides those positions
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = megabytes)]
    hash: u32,
    /// Threads that solve positions with few men; as many as there are cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Write a certificate of the win there
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

#[derive(Subcommand)]
enum SolveTask {
    /// Check a certificate by the rules alone
    #[command(after_help = "\
Examples:
  Whether a certificate holds:
    qirkat solve check start.cert
  The same by the exit status alone:
    qirkat solve check start.cert > /dev/null")]
    Check(CheckOptions),
}

#[derive(Args)]
struct CheckOptions {
    /// The certificate
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Runs the command.
pub(super) fn run(options: &SolveOptions) -> anyhow::Result<()> {
    match &options.task {
        Some(SolveTask::Check(options)) => check(options),
        None => solve(options),
    }
}

fn solve(options: &SolveOptions) -> anyhow::Result<()> {
    let variant = options.game.variant;
    let game = setup::start(variant, options.fen.as_deref())?;
    let AnyPosition::Alquerque(position) = game.position() else {
        bail!("{} cannot be solved: only Alquerque can, --game alquerque", variant.title());
    };
    let output = options.certificate.as_ref();
    let output = output.map(|path| options.overwrite.begin(path, &[], "")).transpose()?;
    let stop = interrupt_flag()?;
    let bar = progress::bar("{spinner} {msg}, {elapsed}");
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.set_message(format!("positions with up to {} men", options.men));
    let pool = thread_pool(options.threads.map_or_else(cores, usize::from))?;
    let tables = pool.install(|| DistanceTables::new(options.men));
    let mut nodes = 0;
    let mut winner = None;
    for color in [position.side_to_move(), !position.side_to_move()] {
        let mut prover = Prover::new(&tables, color, options.hash as usize)?;
        let proved = prover.prove(position, &mut |prover| {
            let (nodes, proved) = (prover.nodes() as f64 / 1e6, prover.proved());
            bar.set_message(format!(
                "{color:?} wins? {nodes:.1} M nodes, {proved} positions proved"
            ));
            !stop.load(Ordering::Relaxed)
        });
        nodes += prover.nodes();
        match proved {
            Ok(false) => {}
            Ok(true) => {
                winner = Some(Certificate::new(&prover, position)?);
                break;
            }
            Err(ProverError::Stopped) => {
                bar.finish_and_clear();
                return Err(Interrupted(format!("stopped after {nodes} nodes")).into());
            }
            Err(error) => {
                bar.finish_and_clear();
                bail!("{error}: try more --hash, or --men {}", (options.men + 1).min(MAX_MEN));
            }
        }
    }
    bar.finish_and_clear();
    let Some(certificate) = winner else {
        if output.is_some() {
            bail!("--certificate: no win was found for either side");
        }
        let verdict = if tables.covers(position) {
            "neither side wins".to_owned()
        } else {
            format!("no win was found for either side, in {nodes} nodes")
        };
        writeln!(stdout(), "{position}\n{verdict}")?;
        return Ok(());
    };
    let verified = verify(&certificate)?;
    let progress = verified.progress;
    if progress + position.halfmove_clock() > DRAWING_CLOCK {
        bail!("--fen: the clock leaves too little of 100 plies, of which a win takes {progress}");
    }
    tell(&certificate, &verified)?;
    if let (Some(mut file), Some(path)) = (output, &options.certificate) {
        certificate.write(BufWriter::new(&mut file.content)).at_path(path)?;
        file.finish().at_path(path)?;
        writeln!(stdout(), "{}: written", path.display())?;
    }
    Ok(())
}

/// Says who wins and how it begins.
fn tell(certificate: &Certificate, verified: &Verified) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    let root = verified.root.position();
    if let Some(root) = &root {
        writeln!(out, "{root}")?;
    }
    let begin = root.and_then(|root| certificate.choice(&root));
    let begin = begin.map_or(String::new(), |mv| format!(" by {mv}"));
    writeln!(out, "{:?} wins{begin}, in at most {} plies", verified.winner, verified.plies)?;
    writeln!(out, "a move for each of {} positions that can come up", verified.decisions)?;
    Ok(())
}

fn check(options: &CheckOptions) -> anyhow::Result<()> {
    let file = open_file(&options.file)?;
    let certificate = Certificate::read(BufReader::new(file)).at_path(&options.file)?;
    let verified = verify(&certificate).at_path(&options.file)?;
    tell(&certificate, &verified)
}
