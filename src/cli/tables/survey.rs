//! `qirkat tables survey`.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::Args;

use super::stats::TableJson;
use crate::exit_status::{Interrupted, interrupt_flag};
use crate::files::AtPath;
use crate::progress;
use qirkat_rules::chesquerque::Color;
use qirkat_system::machine::{cores, megabytes_of_memory};
use qirkat_system::output_file::open_alone;
use qirkat_tablebase::{
    MAX_SURVEYED_PIECES, Material, SurveyError, SurveyOptions, SurveyStep, Surveyed,
};

#[derive(Args)]
pub(super) struct SurveyArguments {
    /// How many pieces the tables have, kings included, when none is named
    #[arg(long, value_name = "N", default_value_t = MAX_SURVEYED_PIECES, value_parser = parse_men())]
    men: usize,
    /// Where a line goes for each table; those that are there already are not solved again
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Only these tables, such as KRBvKN
    #[arg(value_name = "TABLE")]
    tables: Vec<Material>,
    /// Tables to solve at once; as many as there are cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory in megabytes; three quarters of the machine's when not given
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
}

fn parse_men() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(3..=MAX_SURVEYED_PIECES as u64)
}

/// Surveys the tables that the file does not have.
pub(super) fn run(arguments: &SurveyArguments) -> anyhow::Result<()> {
    let options = &mut OpenOptions::new();
    let file = open_alone(&arguments.output, options.create(true).read(true).append(true));
    let file = file.at_path(&arguments.output)?;
    let mut seen = tables_in(&file, &arguments.output)?;
    let mut materials = wanted(arguments);
    materials.retain(|it| {
        let is_new = !seen.contains(it);
        seen.push(*it);
        is_new
    });
    if materials.is_empty() {
        writeln!(stdout(), "{} has all of these tables already", arguments.output.display())?;
        return Ok(());
    }
    let file = Mutex::new(file);
    let options = SurveyOptions {
        materials,
        threads: arguments.threads.map_or_else(cores, usize::from),
        memory: arguments.memory.unwrap_or(megabytes_of_memory() as u64 * 3 / 4) << 20,
    };
    let stop = interrupt_flag()?;
    let failed = Mutex::new(None);
    let bar = progress::bar("{bar:30} {percent} %, {per_sec}, {eta} left");
    bar.enable_steady_tick(Duration::from_millis(200));
    let start = Instant::now();
    let result = qirkat_tablebase::survey(&options, &stop, &|step| match step {
        SurveyStep::Total(positions) => bar.set_length(positions),
        SurveyStep::Positions(positions) => bar.inc(positions),
        SurveyStep::Surveyed(table) => {
            if let Err(error) = append(&file, &table) {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
                return;
            }
            bar.suspend(|| {
                // Not everybody wants to know.
                let _closed = writeln!(stdout(), "{}", line(&table, start.elapsed()));
            });
        }
    });
    bar.finish_and_clear();
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error).at_path(&arguments.output);
    }
    match result {
        Err(SurveyError::Stopped) => {
            Err(Interrupted("stopped; the same command goes on from here".to_owned()).into())
        }
        other => Ok(other?),
    }
}

/// The tables that are meant, those in which either side has a piece first.
fn wanted(arguments: &SurveyArguments) -> Vec<Material> {
    if !arguments.tables.is_empty() {
        return arguments.tables.iter().map(|it| it.canonical()).collect();
    }
    let mut materials = Material::all(arguments.men);
    materials.retain(|it| !it.has_pawns());
    materials.sort_by_key(|it| it.leaves_one_king_bare());
    materials
}

/// The tables that a file of this name has.
fn tables_in(file: impl Read, path: &Path) -> anyhow::Result<Vec<Material>> {
    let lines = BufReader::new(file).lines().enumerate();
    lines
        .map(|(at, line)| {
            let place = || format!("{}, line {}", path.display(), at + 1);
            let line = line.with_context(place)?;
            let table: TableJson = serde_json::from_str(&line)
                .map_err(|error| anyhow!("{}: not what a survey has written: {error}", place()))?;
            let material = table.table.parse().ok().filter(|it: &Material| it.is_canonical());
            material.ok_or_else(|| anyhow!("{}: no table of a survey", place()))
        })
        .collect()
}

/// Adds a line, whole or not at all.
fn append(file: &Mutex<File>, table: &Surveyed) -> io::Result<()> {
    let fen = |index, side| table.position(index, side).map(|it| it.fen());
    let json = TableJson::new(table.material, &table.statistics, fen);
    let line = serde_json::to_string(&json)? + "\n";
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.write_all(line.as_bytes())?;
    file.sync_data()
}

fn line(table: &Surveyed, elapsed: Duration) -> String {
    let longest = Color::ALL.map(|side| {
        let plies = table.statistics.sides[side.index()].longest_win.map(|(plies, _)| plies);
        plies.map_or_else(|| "no wins".to_owned(), |plies| format!("wins in {plies} at most"))
    });
    let [white, black] = longest;
    format!("{:10} White {white}, Black {black}  {:>8.1} s", table.material, elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_line_is_refused() {
        let path = Path::new("survey.jsonl");
        assert_eq!(tables_in(&b""[..], path).expect("an empty file"), []);
        for (odd, fault) in [
            ("{\"table\":\"KQQvKR\"}", "not what a survey has written: missing field `sides`"),
            ("{\"version\":2,\"tables\":[]}", "it needs a newer Qirkat (format 2, not 1)"),
        ] {
            let error = tables_in(odd.as_bytes(), path).expect_err("not whole").to_string();
            assert!(
                error.starts_with("survey.jsonl, line 1: ") && error.contains(fault),
                "{error}"
            );
        }
    }
}
