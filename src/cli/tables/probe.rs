//! `qirkat tables probe`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use crate::exit_status::FaultsFound;
use crate::setup;
use crate::setup::GameChoice;
use qirkat_game::Rules;
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_tablebase::{Probe, TableValue, TabledGame, Unknown};

#[derive(Args)]
pub(super) struct ProbeOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// The position
    #[arg(long, value_name = "FEN")]
    fen: String,
    /// A folder of tables; those with three pieces, or four men, are in the program
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
pub(super) fn run<G: TabledGame>(options: &ProbeOptions) -> anyhow::Result<()> {
    let any = setup::position(G::VARIANT, &options.fen)?;
    let Some(position) = G::own_position(&any) else { bail!("--fen: another game") };
    let (tables, left_out) = super::open::<G>(options.path.as_deref(), super::First::Carried)?;
    let Some(probe) = G::probe(&tables, position)? else {
        let unknown = G::why_unknown(&tables, position);
        if let Unknown::NoTable(material) = unknown {
            FaultsFound::fail_if(left_out.has::<G>(material))?;
        }
        bail!("{}", why_unknown::<G>(unknown));
    };
    let text = if options.json { json(&probe)? } else { text(&any, &probe) };
    writeln!(stdout(), "{text}")?;
    Ok(())
}

fn why_unknown<G: TabledGame>(unknown: Unknown<G::Material>) -> String {
    match unknown {
        Unknown::Castling => "tables know no castling".to_owned(),
        Unknown::TooMany(pieces) => {
            format!("{pieces} pieces, where tables have {} at most", G::PIECES.end())
        }
        Unknown::NoTable(material) => {
            let game = match G::VARIANT {
                Variant::Chesquerque => String::new(),
                variant => format!(" --game {variant}"),
            };
            let pieces = G::pieces(material);
            format!(
                "no table for {material} and what it leads to: `qirkat tables build{game} --men {pieces} --output DIR` makes it, --path DIR finds it"
            )
        }
        Unknown::Clock => "so near to 100 plies it cannot be told".to_owned(),
    }
}

fn json<G: Rules>(probe: &Probe<G>) -> serde_json::Result<String> {
    let moves = probe
        .moves
        .iter()
        .map(|ranked| MoveJson { uci: ranked.mv.to_string(), value: ranked.value.into() });
    serde_json::to_string(&ProbeJson { value: probe.value.into(), moves: moves.collect() })
}

fn text<G: TabledGame>(position: &AnyPosition, probe: &Probe<G>) -> String {
    let mut lines = vec![format!("{position}"), line::<G>("", probe.value)];
    if let Some(outcome) = AnyGame::from_position(*position).outcome() {
        lines.push(format!("The game is over: {outcome}."));
    }
    if probe.moves.is_empty() {
        return lines.join("\n");
    }
    lines.push(String::new());
    let distances: String = G::DISTANCES.iter().map(|name| format!(" {name:>5}")).collect();
    lines.push(format!("{:10} {:12}{distances}", "Move", "Result"));
    lines.extend(
        probe.moves.iter().map(|ranked| line::<G>(&position.san(ranked.mv.into()), ranked.value)),
    );
    lines.join("\n")
}

fn line<G: TabledGame>(name: &str, value: TableValue) -> String {
    let plies =
        |plies: Option<u16>| plies.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
    let distances = [value.dtm, value.dtz].into_iter().take(G::DISTANCES.len());
    let distances: String = distances.map(|it| format!(" {:>5}", plies(it))).collect();
    format!("{name:10} {:12}{distances}", value.result)
}
