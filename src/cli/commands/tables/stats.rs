//! `qirkat tables stats` and `qirkat tables survey`: statistics of tables.

use std::fs::File;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::{Selection, materials, open, parse_pieces};
use crate::shared::exit_status::set_interrupt_message;
use crate::shared::files::{AtPath, from_json, open_results};
use crate::shared::options::{GameChoice, Threads};
use crate::shared::run_conditions::whole_lines;
use crate::shared::terminal::{self, report};
use qirkat_game::Color;
use qirkat_rules::variant::{AnyPosition, Variant};
use qirkat_system::format_version::FormatVersion;
use qirkat_system::machine::megabytes_of_memory;
use qirkat_tablebase::{
    BuildableGame, SideStatistics, Statistics, SurveyOptions, SurveyStep, Surveyed, SurveyedGame,
    Tables,
};

#[derive(Args)]
pub(crate) struct StatsOptions {
    #[command(flatten)]
    pub selection: Selection,
    /// Print a JSON object for each table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonLongest {
    plies: u16,
    fen: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonSide {
    to_move: char,
    wins: u64,
    cursed_wins: u64,
    draws: u64,
    blessed_losses: u64,
    losses: u64,
    longest_win: Option<JsonLongest>,
    longest_loss: Option<JsonLongest>,
    longest_dtz: Option<JsonLongest>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonTable {
    #[serde(default)]
    version: FormatVersion<1>,
    pub table: String,
    sides: Vec<JsonSide>,
    mutual_zugzwangs: u64,
    /// Those in which the side to move loses, whichever it is.
    full_point_zugzwangs: u64,
    zugzwang: Option<String>,
}

pub(crate) fn run<G: BuildableGame>(options: &StatsOptions) -> anyhow::Result<()> {
    let (tables, skipped) = open::<G>(Tables::default(), options.selection.path.as_deref())?;
    let mut out = stdout().lock();
    for material in options.selection.choose::<G>(&tables, &skipped)? {
        let Some(statistics) = tables.statistics(material) else { continue };
        let table = JsonTable::new::<G>(material, statistics);
        if options.json {
            writeln!(out, "{}", serde_json::to_string(&table)?)?;
        } else {
            writeln!(out, "{}", text::<G>(&table))?;
        }
    }
    Ok(())
}

impl JsonTable {
    pub fn new<G: BuildableGame>(material: G::Material, statistics: &Statistics) -> JsonTable {
        let fen = |index, side| {
            let position: AnyPosition = G::position_in(material, index, side)?.into();
            Some(position.to_string())
        };
        let side = |color: Color, side: &SideStatistics| {
            let longest = |longest: Option<(u16, u64)>| {
                let (plies, index) = longest?;
                Some(JsonLongest { plies, fen: fen(index, color)? })
            };
            JsonSide {
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
        JsonTable {
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

fn text<G: BuildableGame>(table: &JsonTable) -> String {
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
            if let Some(JsonLongest { plies, fen }) = longest {
                text.push_str(&format!("  {name} {what} {plies} plies at most: {fen}\n"));
            }
        }
        if let Some(JsonLongest { plies, fen }) = &side.longest_dtz {
            text.push_str(&match G::VARIANT {
                Variant::Alquerque => {
                    format!("  {name} to move, jump or step forward within {plies} plies: {fen}\n")
                }
                _ => format!("  {name} DTZ {plies} plies at most: {fen}\n"),
            });
        }
    }
    text.push_str(&format!(
        "  mutual zugzwangs {}, of them full-point {}\n",
        table.mutual_zugzwangs, table.full_point_zugzwangs
    ));
    if let Some(fen) = &table.zugzwang {
        text.push_str(&format!("  mutual zugzwang: {fen}\n"));
    }
    text
}

#[derive(Args)]
pub(crate) struct SurveyArguments {
    #[command(flatten)]
    pub game: GameChoice,
    /// How many pieces the tables have, kings included, when none is named; 5, of Alquerque 6
    /// when not given
    #[arg(long, value_name = "N", value_parser = parse_pieces())]
    men: Option<usize>,
    /// Output file, a line for each table; tables that it already has are not solved again
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Only these tables, such as KRBvKN or 4v3
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
    #[command(flatten)]
    threads: Threads,
    /// Memory in megabytes; three quarters of the machine's when not given
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
}

pub(crate) fn run_survey<G: SurveyedGame>(arguments: &SurveyArguments) -> anyhow::Result<()> {
    let mut file = open_results(&arguments.output).at_path(&arguments.output)?;
    let lines = whole_lines(&mut file, &arguments.output)?;
    let mut seen = surveyed::<G>(&lines, &arguments.output)?;
    let mut materials = wanted::<G>(arguments)?;
    materials.retain(|it| {
        let is_new = !seen.contains(it);
        seen.push(*it);
        is_new
    });
    if materials.is_empty() {
        report(format_args!("{} already has all of these tables", arguments.output.display()));
        return Ok(());
    }
    let file = Mutex::new(file);
    let options = SurveyOptions {
        materials,
        threads: arguments.threads.count(),
        memory: arguments.memory.unwrap_or(megabytes_of_memory() as u64 * 3 / 4) << 20,
    };
    // Finished work is in the file; a line that is cut off is solved again.
    set_interrupt_message("stopped; the same command continues from here");
    let stop = AtomicBool::new(false);
    let failed = Mutex::new(None);
    let bar = terminal::spinner("{bar:30} {percent} %, {per_sec}, {eta} left");
    let start = Instant::now();
    let result = G::survey(&options, &stop, &|step| match step {
        SurveyStep::Total(positions) => bar.set_length(positions),
        SurveyStep::Positions(positions) => bar.inc(positions),
        SurveyStep::Surveyed(table) => {
            if let Err(error) = append::<G>(&file, &table) {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
                return;
            }
            bar.suspend(|| report(line::<G>(&table, start.elapsed())));
        }
    });
    bar.finish_and_clear();
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error).at_path(&arguments.output);
    }
    Ok(result?)
}

fn wanted<G: SurveyedGame>(arguments: &SurveyArguments) -> anyhow::Result<Vec<G::Material>> {
    let (most, default) = G::SURVEYED_PIECES;
    let men = arguments.men.unwrap_or(default);
    if !(*G::PIECES.start()..=most).contains(&men) {
        bail!("--men: {} to {most} in a survey of {}", G::PIECES.start(), G::VARIANT.title());
    }
    if arguments.tables.is_empty() {
        Ok(G::to_survey(men))
    } else {
        materials::<G>(&arguments.tables)
    }
}

fn surveyed<G: SurveyedGame>(lines: &str, path: &Path) -> anyhow::Result<Vec<G::Material>> {
    lines
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let location = || format!("{}, line {}", path.display(), at + 1);
            let table: JsonTable = from_json(line)
                .map_err(|error| anyhow!("{}: not written by a survey: {error}", location()))?;
            let material = table.table.parse::<G::Material>().ok();
            let material = material.filter(|it| it.to_string() == G::canonical(*it).to_string());
            material.ok_or_else(|| anyhow!("{}: no table of a survey", location()))
        })
        .collect()
}

/// Appends a line and syncs it to disk; only the last one can be cut off.
fn append<G: SurveyedGame>(file: &Mutex<File>, table: &Surveyed<G::Material>) -> io::Result<()> {
    let json = JsonTable::new::<G>(table.material, &table.statistics);
    let line = serde_json::to_string(&json)? + "\n";
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.write_all(line.as_bytes())?;
    file.sync_data()
}

fn line<G: SurveyedGame>(table: &Surveyed<G::Material>, elapsed: Duration) -> String {
    let longest = Color::ALL.map(|side| {
        let side = &table.statistics.sides[side.index()];
        match (side.longest_win, side.longest_zeroing) {
            (Some((plies, _)), _) => format!("wins in {plies} at most"),
            (None, Some((plies, _))) if side.wins > 0 => format!("wins, DTZ {plies} at most"),
            _ => "no wins".to_owned(),
        }
    });
    let [white, black] = longest;
    format!("{:10} White {white}, Black {black}  {:>8.1} s", table.material, elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::chesquerque::Position;

    #[test]
    fn an_odd_line_is_refused() {
        let path = Path::new("survey.jsonl");
        assert_eq!(surveyed::<Position>("", path).expect("an empty file"), []);
        for (odd, fault) in [
            ("{\"table\":\"KQQvKR\"}", "not written by a survey: missing `sides`"),
            ("{\"version\":2,\"tables\":[]}", "it needs a newer Qirkat (format 2, not 1)"),
        ] {
            let error = surveyed::<Position>(odd, path).expect_err("not whole").to_string();
            assert!(error.starts_with("survey.jsonl, line 1") && error.contains(fault), "{error}");
        }
    }
}
