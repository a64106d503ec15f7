//! `qirkat tables stats`.

use std::io::{Write, stdout};

use clap::Args;
use serde::{Deserialize, Serialize};

use super::{First, Selection};
use qirkat_game::Color;
use qirkat_rules::variant::{AnyPosition, Variant};
use qirkat_system::format_version::FormatVersion;
use qirkat_tablebase::{SideStatistics, Statistics, TabledGame};

#[derive(Args)]
pub(super) struct StatsOptions {
    #[command(flatten)]
    pub selection: Selection,
    /// Print a JSON object for each table
    #[arg(long)]
    json: bool,
}

/// A distance with a position that has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LongestJson {
    plies: u16,
    fen: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SideJson {
    to_move: char,
    wins: u64,
    cursed_wins: u64,
    draws: u64,
    blessed_losses: u64,
    losses: u64,
    longest_win: Option<LongestJson>,
    longest_loss: Option<LongestJson>,
    longest_dtz: Option<LongestJson>,
}

/// The statistics of a table, as a line of JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableJson {
    #[serde(default)]
    version: FormatVersion<1>,
    pub table: String,
    sides: Vec<SideJson>,
    mutual_zugzwangs: u64,
    /// Those in which the side to move loses, whichever it is.
    full_point_zugzwangs: u64,
    zugzwang: Option<String>,
}

/// Shows what tables come to.
pub(super) fn run<G: TabledGame>(options: &StatsOptions) -> anyhow::Result<()> {
    let (tables, left_out) = super::open::<G>(options.selection.path.as_deref(), First::Folder)?;
    let mut out = stdout().lock();
    for material in options.selection.choose::<G>(&tables, &left_out)? {
        let Some(statistics) = G::statistics(&tables, material) else { continue };
        let table = TableJson::new::<G>(material, statistics);
        if options.json {
            writeln!(out, "{}", serde_json::to_string(&table)?)?;
        } else {
            writeln!(out, "{}", text::<G>(&table))?;
        }
    }
    Ok(())
}

impl TableJson {
    pub fn new<G: TabledGame>(material: G::Material, statistics: &Statistics) -> TableJson {
        let fen = |index, side| {
            let position: AnyPosition = G::position_in(material, index, side)?.into();
            Some(position.to_string())
        };
        let side = |color: Color, side: &SideStatistics| {
            let longest = |longest: Option<(u16, u64)>| {
                let (plies, index) = longest?;
                Some(LongestJson { plies, fen: fen(index, color)? })
            };
            SideJson {
                to_move: if color == Color::White { 'w' } else { 'b' },
                wins: side.wins,
                cursed_wins: side.cursed_wins,
                draws: side.draws,
                blessed_losses: side.blessed_losses,
                losses: side.losses,
                longest_win: longest(side.longest_win),
                longest_loss: longest(side.longest_loss),
                longest_dtz: longest(side.longest_zeroing),
            }
        };
        TableJson {
            version: FormatVersion,
            table: material.to_string(),
            sides: Color::ALL
                .into_iter()
                .map(|color| side(color, &statistics.sides[color.index()]))
                .collect(),
            mutual_zugzwangs: statistics.zugzwangs,
            full_point_zugzwangs: statistics.full_zugzwangs,
            zugzwang: statistics.zugzwang.and_then(|index| fen(index, Color::White)),
        }
    }
}

fn text<G: TabledGame>(table: &TableJson) -> String {
    let mut text = format!(
        "{}\n  to move {:>12} {:>12} {:>12} {:>14} {:>12}\n",
        table.table, "wins", "cursed wins", "draws", "blessed losses", "losses"
    );
    for side in &table.sides {
        let name = if side.to_move == 'w' { "White" } else { "Black" };
        text.push_str(&format!(
            "  {name:7} {:>12} {:>12} {:>12} {:>14} {:>12}\n",
            side.wins, side.cursed_wins, side.draws, side.blessed_losses, side.losses
        ));
    }
    for side in &table.sides {
        let name = if side.to_move == 'w' { "White" } else { "Black" };
        let rows = [("wins in", &side.longest_win), ("loses in", &side.longest_loss)];
        for (what, longest) in rows {
            if let Some(LongestJson { plies, fen }) = longest {
                text.push_str(&format!("  {name} {what} {plies} plies at most: {fen}\n"));
            }
        }
        if let Some(LongestJson { plies, fen }) = &side.longest_dtz {
            text.push_str(&match G::VARIANT {
                Variant::Alquerque => {
                    format!("  {name} to move, jump or step forward within {plies} plies: {fen}\n")
                }
                _ => format!("  {name} DTZ {plies} plies at most: {fen}\n"),
            });
        }
    }
    text.push_str(&format!(
        "  mutual zugzwangs {}, of which either side loses {}\n",
        table.mutual_zugzwangs, table.full_point_zugzwangs
    ));
    if let Some(fen) = &table.zugzwang {
        text.push_str(&format!("  mutual zugzwang: {fen}\n"));
    }
    text
}
