//! The settings of a match, from the command line or a file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::variant::Variant;

/// A match as a TOML file or a command line describes it. Every name is that
/// of cutechess-cli's option.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::cli::match_games) struct MatchSettings {
    /// The engines, in order.
    pub engine: Vec<EngineSettings>,
    /// What holds for each of them unless it says otherwise.
    pub each: EngineSettings,
    pub games: Option<usize>,
    pub rounds: Option<usize>,
    pub concurrency: Option<usize>,
    pub tournament: Option<String>,
    /// How many play a gauntlet, from the first on.
    pub seeds: Option<usize>,
    /// Play each opening with both colours, as is done anyway.
    pub repeat: bool,
    /// The first of a meeting always has White.
    pub noswap: bool,
    /// All colours the other way round.
    pub reverse: bool,
    /// Milliseconds between two games.
    pub wait: Option<u64>,
    /// Which game is played.
    pub variant: Variant,
    pub openings: Option<OpeningSettings>,
    /// A file, or a table.
    #[serde(deserialize_with = "file_or_table")]
    pub pgnout: Option<PgnOutSettings>,
    /// Show the games being played in a file beside that of `pgnout`.
    pub live: bool,
    pub sprt: Option<SprtSettings>,
    pub draw: Option<DrawSettings>,
    pub resign: Option<ResignSettings>,
    pub maxmoves: Option<u32>,
    /// Endgame tables that end games: a folder, or `<embedded>`.
    pub tb: Option<String>,
    pub ratinginterval: Option<usize>,
    /// Show who scored what against whom.
    pub crosstable: bool,
    pub srand: Option<u64>,
    pub event: Option<String>,
    pub site: Option<String>,
    /// Go on where the file of `pgnout` ends.
    pub resume: bool,
    /// Whether a report that is there may be replaced.
    pub overwrite: bool,
    /// Where the report goes as JSON.
    pub report: Option<PathBuf>,
    /// Play although options do not fit the engines.
    pub force: bool,
    /// `off`, `warn` or `lose`.
    pub pvcheck: Option<String>,
    /// Bind engines to these cores; to all if there are none.
    #[serde(rename = "use-affinity")]
    pub use_affinity: Option<String>,
    pub log: Option<LogSettings>,
    /// Play a part only: `1/4` to `4/4`.
    pub shard: Option<String>,
}

/// An engine, or what holds for each of them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::cli::match_games) struct EngineSettings {
    pub name: Option<String>,
    pub cmd: Option<PathBuf>,
    pub dir: Option<PathBuf>,
    pub arg: Vec<String>,
    pub env: BTreeMap<String, String>,
    /// UCI options, numbers and switches as text too.
    pub option: BTreeMap<String, toml::Value>,
    /// `moves/base+increment`
    pub tc: Option<String>,
    /// Seconds for each move.
    pub st: Option<f64>,
    pub nodes: Option<u64>,
    pub depth: Option<u16>,
    /// Milliseconds.
    pub timemargin: Option<u64>,
    /// Think on the opponent's time.
    pub ponder: Option<bool>,
    /// `on`: start anew for each game.
    pub restart: Option<String>,
}

/// Where the talk with the engines is written down.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::cli::match_games) struct LogSettings {
    pub file: Option<PathBuf>,
    /// `trace`, `debug`, `info`, `warn` or `err`.
    pub level: Option<String>,
    /// Keep what stands in the file, which is the default.
    pub append: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::cli::match_games) struct OpeningSettings {
    pub file: Option<PathBuf>,
    /// `epd`, `pgn` or `random`.
    pub format: Option<String>,
    /// `sequential` or `random`.
    pub order: Option<String>,
    pub plies: Option<usize>,
    /// The first opening used, from 1.
    pub start: Option<usize>,
    /// The largest score of a random opening, in centipawns.
    pub balance: Option<i32>,
}

/// Where games are written down, and what is said of each move.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::cli::match_games) struct PgnOutSettings {
    pub file: Option<PathBuf>,
    /// `san` or `lan`.
    pub notation: Option<String>,
    pub nodes: bool,
    pub seldepth: bool,
    pub nps: bool,
    pub hashfull: bool,
    pub pv: bool,
}

/// `pgnout = "games.pgn"`, or a table with all there is to say.
fn file_or_table<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PgnOutSettings>, D::Error> {
    match toml::Value::deserialize(from)? {
        toml::Value::String(file) => {
            Ok(Some(PgnOutSettings { file: Some(file.into()), ..PgnOutSettings::default() }))
        }
        table => PgnOutSettings::deserialize(table).map(Some).map_err(D::Error::custom),
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli::match_games) struct SprtSettings {
    pub elo0: f64,
    pub elo1: f64,
    #[serde(default = "five_per_cent")]
    pub alpha: f64,
    #[serde(default = "five_per_cent")]
    pub beta: f64,
    /// `logistic` or `normalized`.
    pub model: Option<String>,
}

pub(in crate::cli::match_games) const fn five_per_cent() -> f64 {
    0.05
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli::match_games) struct DrawSettings {
    #[serde(default)]
    pub movenumber: u32,
    pub movecount: u32,
    pub score: i32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli::match_games) struct ResignSettings {
    pub movecount: u32,
    pub score: i32,
    #[serde(default)]
    pub twosided: bool,
}
