//! `qirkat network`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use rayon::prelude::*;

use super::blocks::for_each_block;
use super::eval_file::EvalFile;
use super::progress;
use crate::dataset::PackedPosition;
use crate::network::Network;
use crate::position::{PieceKind, Position};

#[derive(Args)]
pub(super) struct NetworkOptions {
    /// Files of positions, as `qirkat datagen` has written them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    eval_file: EvalFile,
}

/// What men of a kind were worth, and how many they were.
#[derive(Clone, Copy, Default)]
struct Worth {
    sum: i64,
    men: i64,
}

/// For each kind: on plain points and on diagonal ones in the middle game,
/// then in the endgame.
#[derive(Clone, Default)]
struct Table([[Worth; 4]; PieceKind::COUNT]);

/// With fewer men than half of all it is an endgame.
const MIDDLE_GAME: u32 = 18;

/// Shows what a network thinks men are worth: how much their side would lose
/// without them, on average over positions of games.
pub(super) fn run(options: &NetworkOptions) -> anyhow::Result<()> {
    let Some(network) = options.eval_file.network()? else {
        bail!("--eval-file: no network");
    };
    let bar = progress::bar("{pos} positions, {per_sec}");
    let mut all = Table::default();
    for path in &options.files {
        for_each_block(path, |block| {
            let look = |mut table: Table, packed: &PackedPosition| {
                packed.unpack().map(|position| {
                    table.add_men(&network, &position);
                    table
                })
            };
            let tables = block.positions.par_iter().try_fold(Table::default, look);
            let table = tables
                .try_reduce(Table::default, |a, b| Ok(a.plus(&b)))
                .with_context(|| path.display().to_string())?;
            all = all.plus(&table);
            bar.inc(block.positions.len() as u64);
            Ok(true)
        })?;
    }
    bar.finish_and_clear();
    writeln!(
        stdout(),
        "Network {:08x}: what a man is worth to its side, in centipawns, over {} positions\n\n{}",
        network.checksum(),
        bar.position(),
        all.text()
    )?;
    Ok(())
}

impl Table {
    fn add_men(&mut self, network: &Network, position: &Position) {
        let phase = if position.occupied().len() < MIDDLE_GAME { 2 } else { 0 };
        let worths = network.piece_values(position);
        for point in position.occupied() {
            let Some((kind, worth)) = position.kind_on(point).zip(worths[point]) else {
                continue;
            };
            let entry = &mut self.0[kind.index()][phase + usize::from(point.is_diagonal())];
            entry.sum += i64::from(worth);
            entry.men += 1;
        }
    }

    fn plus(&self, other: &Table) -> Table {
        let mut sum = self.clone();
        for (to, from) in sum.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            to.sum += from.sum;
            to.men += from.men;
        }
        sum
    }

    fn text(&self) -> String {
        let head = format!(
            "{:12}{:>20}{:>20}\n{:12}{:>10}{:>10}{:>10}{:>10}",
            "", "middle game", "endgame", "", "plain", "diagonal", "plain", "diagonal"
        );
        let rows = PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King).map(|kind| {
            let worths = self.0[kind.index()].map(|worth| match worth.men {
                0 => format!("{:>10}", "-"),
                men => format!("{:>10}", worth.sum / men),
            });
            format!("{:12}{}", kind.name(), worths.concat())
        });
        std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\n")
    }
}
