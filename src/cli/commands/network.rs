//! `qirkat network`: the piece values of a network.

use std::io::{Write, stdout};

use anyhow::bail;
use clap::Args;

use super::data::{FilesOption, for_each_block, variant_of};
use crate::shared::files::AtPath;
use crate::shared::options::EvalFile;
use crate::shared::terminal;
use qirkat_evaluation::network::Network;
use qirkat_evaluation::{AnyEvaluation, GameEvaluation, MaterialEvaluation};
use qirkat_game::Board;
use qirkat_rules::match_game;
use qirkat_rules::variant::VariantGame;
use qirkat_system::parallel;
use qirkat_training::dataset::{PackedPosition, PackedPositionError};

#[derive(Args)]
pub(super) struct NetworkOptions {
    #[command(flatten)]
    files: FilesOption,
    #[command(flatten)]
    eval_file: EvalFile,
}

#[derive(Clone, Copy, Default)]
struct ValueSum {
    centipawns: i64,
    pieces: i64,
}

/// The columns of the table: for middlegame and endgame, each kind of point. Its rows are the kinds
/// of pieces.
const fn columns<G: Board>() -> usize {
    PHASES.len() * G::POINT_KINDS.len()
}

/// Positions per thread at a time.
const CHUNK: usize = 1 << 8;

const PHASES: [&str; 2] = ["middle game", "endgame"];

pub(super) const HELP: &str = "\
Examples:
  The network of the program:
    qirkat network games.qd
  Another one:
    qirkat network games.qd --eval-file new.net";

/// Shows the piece values of a network: how much a side loses without a piece, on average over
/// positions of games.
pub(super) fn run(options: &NetworkOptions) -> anyhow::Result<()> {
    let evaluation = options.eval_file.evaluation(variant_of(&options.files.files)?)?;
    match_game!(AnyEvaluation, evaluation, evaluation => show(options, &evaluation))
}

fn show<G: MaterialEvaluation + VariantGame>(
    options: &NetworkOptions,
    evaluation: &GameEvaluation<G>,
) -> anyhow::Result<()> {
    let Some(network) = evaluation.network() else { bail!("--eval-file: no network") };
    let bar = terminal::bar("{pos} positions, {per_sec}");
    let mut all = vec![ValueSum::default(); G::KIND_LETTERS.len() * columns::<G>()];
    for path in &options.files.files {
        for_each_block(path, |_, block| {
            let positions = block.positions(G::VARIANT).at_path(path)?;
            let tables = parallel::map_ranges(positions.len(), CHUNK, &|range| {
                values(network, &positions[range])
            });
            for table in tables {
                for (sum, other) in all.iter_mut().zip(table.at_path(path)?) {
                    sum.centipawns += other.centipawns;
                    sum.pieces += other.pieces;
                }
            }
            bar.inc(positions.len() as u64);
            Ok(true)
        })?;
    }
    bar.finish_and_clear();
    writeln!(
        stdout(),
        "Network {:08x}: piece values in centipawns, the mean over {} positions\n\n{}",
        network.checksum(),
        bar.position(),
        text::<G>(&all)
    )?;
    Ok(())
}

fn values<G: MaterialEvaluation>(
    network: &Network<G>,
    positions: &[PackedPosition],
) -> Result<Vec<ValueSum>, PackedPositionError> {
    let mut sums = vec![ValueSum::default(); G::KIND_LETTERS.len() * columns::<G>()];
    for packed in positions {
        let position: G = packed.unpack()?;
        // With fewer than half of the pieces it is an endgame.
        let pieces = position.occupied_points().len() as usize;
        let phase = usize::from(pieces * PHASES.len() < G::MAX_PIECES);
        for (point, value) in network.piece_values(&position) {
            let Some(piece) = position.piece_at(point) else { continue };
            let column = phase * G::POINT_KINDS.len() + G::point_kind(point);
            let sum = &mut sums[piece.kind() * columns::<G>() + column];
            sum.centipawns += i64::from(value);
            sum.pieces += 1;
        }
    }
    Ok(sums)
}

fn text<G: Board>(sums: &[ValueSum]) -> String {
    let width = 10 * G::POINT_KINDS.len();
    let phases = PHASES.map(|phase| format!("{phase:>width$}")).concat();
    let points: String = G::POINT_KINDS.iter().map(|name| format!("{name:>10}")).collect();
    let head = format!("{:12}{phases}\n{:12}{}", "", "", points.repeat(PHASES.len()));
    let rows = G::KIND_NAMES.iter().zip(sums.chunks(columns::<G>())).enumerate();
    let rows = rows.filter(|(kind, _)| Some(*kind) != G::KING).map(|(_, (name, sums))| {
        let values: String = sums.iter().map(ValueSum::text).collect();
        format!("{name:12}{values}")
    });
    std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\n")
}

impl ValueSum {
    fn text(&self) -> String {
        match self.pieces {
            0 => format!("{:>10}", "-"),
            pieces => format!("{:>10}", self.centipawns / pieces),
        }
    }
}
