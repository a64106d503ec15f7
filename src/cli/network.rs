//! `qirkat network`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use rayon::prelude::*;

use super::blocks::for_each_block;
use super::eval_file::EvalFile;
use super::progress;
use crate::chesquerque::{PieceKind, Position};
use crate::dataset::PackedPosition;
use crate::network::Network;

#[derive(Args)]
pub(super) struct NetworkOptions {
    /// Files of positions, as `qirkat datagen` has written them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    eval_file: EvalFile,
}

/// The values of the pieces of one kind.
#[derive(Clone, Copy, Default)]
struct ValueSum {
    centipawns: i64,
    pieces: i64,
}

/// For each kind: on plain points and on diagonal ones in the middle game,
/// then in the endgame.
#[derive(Clone, Default)]
struct ValueTable([[ValueSum; 4]; PieceKind::COUNT]);

/// With fewer pieces than half of all it is an endgame.
const MIDDLE_GAME: u32 = 18;

/// Shows the piece values of a network: how much a side would lose without a
/// piece, on average over positions of games.
pub(super) fn run(options: &NetworkOptions) -> anyhow::Result<()> {
    let Some(network) = options.eval_file.network()? else {
        bail!("--eval-file: no network");
    };
    let bar = progress::bar("{pos} positions, {per_sec}");
    let mut all = ValueTable::default();
    for path in &options.files {
        for_each_block(path, |block| {
            let add = |mut table: ValueTable, packed: &PackedPosition| {
                packed.unpack().map(|position| {
                    table.add(&network, &position);
                    table
                })
            };
            let tables = block.positions.par_iter().try_fold(ValueTable::default, add);
            let table = tables
                .try_reduce(ValueTable::default, |a, b| Ok(a.plus(&b)))
                .with_context(|| path.display().to_string())?;
            all = all.plus(&table);
            bar.inc(block.positions.len() as u64);
            Ok(true)
        })?;
    }
    bar.finish_and_clear();
    writeln!(
        stdout(),
        "Network {:08x}: piece values in centipawns, the mean over {} positions\n\n{}",
        network.checksum(),
        bar.position(),
        all.text()
    )?;
    Ok(())
}

impl ValueTable {
    fn add(&mut self, network: &Network, position: &Position) {
        let phase = if position.occupied().len() < MIDDLE_GAME { 2 } else { 0 };
        let values = network.piece_values(position);
        for point in position.occupied() {
            let Some((kind, value)) = position.kind_on(point).zip(values[point]) else {
                continue;
            };
            let sum = &mut self.0[kind.index()][phase + usize::from(point.is_diagonal())];
            sum.centipawns += i64::from(value);
            sum.pieces += 1;
        }
    }

    fn plus(&self, other: &ValueTable) -> ValueTable {
        let mut sum = self.clone();
        for (to, from) in sum.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            to.centipawns += from.centipawns;
            to.pieces += from.pieces;
        }
        sum
    }

    fn text(&self) -> String {
        let head = format!(
            "{:12}{:>20}{:>20}\n{:12}{:>10}{:>10}{:>10}{:>10}",
            "", "middle game", "endgame", "", "plain", "diagonal", "plain", "diagonal"
        );
        let rows = PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King).map(|kind| {
            let values = self.0[kind.index()].map(|sum| match sum.pieces {
                0 => format!("{:>10}", "-"),
                pieces => format!("{:>10}", sum.centipawns / pieces),
            });
            format!("{:12}{}", kind.name(), values.concat())
        });
        std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\n")
    }
}
