//! `qirkat tables build`.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;

use super::{check_pieces, materials, parse_pieces};
use crate::exit_status::set_last_words;
use crate::progress;
use crate::setup::GameChoice;
use crate::terminal::tell;
use qirkat_system::machine::{cores, megabytes_of_memory};
use qirkat_tablebase::{BuildStep, TabledGame};

#[derive(Args)]
pub(super) struct BuildOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// The most pieces, kings included; of Alquerque the most men
    #[arg(long, value_name = "N", value_parser = parse_pieces())]
    men: usize,
    /// Where the tables go; those that are there already are kept
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    output: PathBuf,
    /// Only tables without pawns
    #[arg(long)]
    pawnless: bool,
    /// Only these tables, such as KRvKB or 3v2, and those that they need
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
    /// Threads; as many as there are cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory for tables in megabytes; three quarters of the machine's when not given
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
}

/// Builds the tables that are missing.
pub(super) fn run<G: TabledGame>(options: &BuildOptions) -> anyhow::Result<()> {
    check_pieces::<G>(options.men)?;
    let wanted = materials::<G>(&options.tables)?;
    if let Some(large) = wanted.iter().find(|it| G::pieces(**it) > options.men) {
        bail!("{large} has more than {} pieces: see --men", options.men);
    }
    let mut materials: Vec<G::Material> =
        (*G::PIECES.start()..=options.men).flat_map(G::materials_of).collect();
    materials.retain(|it| wanted.is_empty() || wanted.contains(it));
    materials.retain(|it| !(options.pawnless && G::has_pawns(*it)));
    let memory = options.memory.unwrap_or(megabytes_of_memory() as u64 * 3 / 4);
    let build = qirkat_tablebase::BuildOptions {
        materials,
        folder: options.output.clone(),
        threads: options.threads.map_or_else(cores, usize::from),
        memory: memory << 20,
    };
    // A table gets its name when it is whole, so there is nothing to wait for.
    set_last_words("stopped; the same command goes on from here");
    let bar = progress::bar("{bar:30} {percent} %, {per_sec}, {eta} left");
    bar.enable_steady_tick(Duration::from_millis(200));
    let start = Instant::now();
    let result = G::build(&build, &AtomicBool::new(false), &|step| match step {
        BuildStep::Total(cells) => bar.set_length(cells),
        BuildStep::Cells(cells) => bar.inc(cells),
        BuildStep::Written { material, bytes } => bar.suspend(|| {
            let seconds = start.elapsed().as_secs_f64();
            tell(format_args!("{material:10} {bytes:>10} bytes  {seconds:>8.1} s"));
        }),
    });
    let positions = bar.position();
    bar.finish_and_clear();
    result?;
    let seconds = start.elapsed().as_secs_f64();
    let rate = positions as f64 / seconds.max(1e-3) / 1e6;
    tell(format_args!(
        "{positions} {} in {seconds:.1} s, {rate:.2} M/s by {} threads",
        G::COUNTED,
        build.threads
    ));
    Ok(())
}
