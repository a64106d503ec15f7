//! `qirkat tables probe`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use crate::setup;
use crate::setup::GameChoice;
use qirkat_game::Rules;
use qirkat_rules::chess::SquareSet;
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_tablebase::{
    HasEmbeddedTables, MAX_TABLE_PIECES, Material, Probe, TableGame, TableValue,
};

#[derive(Args)]
pub(super) struct ProbeOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// The position
    #[arg(long, value_name = "FEN")]
    fen: String,
    /// A folder of tables; those with three pieces are in the program
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    path: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// A position or a move in JSON.
#[derive(Serialize)]
struct ValueJson {
    result: &'static str,
    dtm: Option<u16>,
    dtz: Option<u16>,
}

#[derive(Serialize)]
struct MoveJson {
    uci: String,
    #[serde(flatten)]
    value: ValueJson,
}

#[derive(Serialize)]
struct ProbeJson {
    #[serde(flatten)]
    value: ValueJson,
    moves: Vec<MoveJson>,
}

impl From<TableValue> for ValueJson {
    fn from(value: TableValue) -> ValueJson {
        ValueJson { result: value.result.text(), dtm: value.dtm, dtz: value.dtz }
    }
}

/// Looks a position up.
pub(super) fn run<G: HasEmbeddedTables>(options: &ProbeOptions) -> anyhow::Result<()> {
    let any = setup::position(G::VARIANT, &options.fen)?;
    let Some(position) = G::own_position(&any) else { bail!("--fen: another game") };
    let tables = super::open::<G>(options.path.as_deref())?;
    let Some(probe) = tables.probe(position)? else {
        bail!("{}", why_unknown(position));
    };
    let text = if options.json { json(&probe)? } else { text(&any, &probe) };
    writeln!(stdout(), "{text}")?;
    Ok(())
}

fn why_unknown<G: TableGame>(position: &G) -> String {
    let pieces = position.chess().occupied().len() as usize;
    if !position.chess().castling().is_empty() {
        "tables know no castling".to_owned()
    } else if pieces > MAX_TABLE_PIECES {
        format!("{pieces} pieces, where tables have {MAX_TABLE_PIECES} at most")
    } else {
        let material = Material::of(position).canonical();
        let game = match G::VARIANT {
            Variant::Chesquerque => String::new(),
            variant => format!(" --game {variant}"),
        };
        format!(
            "no table for {material} and what it leads to: `qirkat tables build{game} --men {pieces} --output DIR` makes it, --path DIR finds it"
        )
    }
}

fn json<G: Rules>(probe: &Probe<G>) -> serde_json::Result<String> {
    let moves = probe
        .moves
        .iter()
        .map(|ranked| MoveJson { uci: ranked.mv.to_string(), value: ranked.value.into() });
    serde_json::to_string(&ProbeJson { value: probe.value.into(), moves: moves.collect() })
}

fn text<G: TableGame>(position: &AnyPosition, probe: &Probe<G>) -> String {
    let mut lines = vec![format!("{position}"), line("", probe.value)];
    if let Some(outcome) = AnyGame::from_position(*position).outcome() {
        lines.push(format!("The game is over: {outcome}."));
    }
    if probe.moves.is_empty() {
        return lines.join("\n");
    }
    lines.push(String::new());
    lines.push(format!("{:10} {:12} {:>5} {:>5}", "Move", "Result", "DTM", "DTZ"));
    lines.extend(
        probe.moves.iter().map(|ranked| line(&position.san(ranked.mv.into()), ranked.value)),
    );
    lines.join("\n")
}

fn line(name: &str, value: TableValue) -> String {
    let plies =
        |plies: Option<u16>| plies.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
    format!("{name:10} {:12} {:>5} {:>5}", value.result, plies(value.dtm), plies(value.dtz))
}
