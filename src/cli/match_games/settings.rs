//! The settings of a match, from the command line or a file, and the list of engines of
//! which `conf=` names one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

use crate::files::AtPath;
use crate::text_formats::{from_toml, read_plain_text};
use qirkat_rules::variant::Variant;

/// A match as a TOML file or a command line describes it. Every name is that
/// of cutechess-cli's option.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct MatchSettings {
    pub engine: Vec<EngineSettings>,
    /// The settings of each of them unless it says otherwise.
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
    /// A file, or a table.
    #[serde(deserialize_with = "epd_file")]
    pub epdout: Option<PathBuf>,
    /// Show the games being played in a file beside that of `pgnout`.
    pub live: bool,
    pub sprt: Option<SprtSettings>,
    pub draw: Option<DrawSettings>,
    pub resign: Option<ResignSettings>,
    pub maxmoves: Option<u32>,
    /// Endgame tables that end games: a folder, or `<embedded>`.
    pub tb: Option<String>,
    /// Games from one report to the next.
    pub ratinginterval: Option<usize>,
    /// Games from one score to the next.
    pub scoreinterval: Option<usize>,
    /// Show who scored what against whom.
    pub crosstable: bool,
    pub srand: Option<u64>,
    pub event: Option<String>,
    pub site: Option<String>,
    /// Go on where the file of `pgnout` ends.
    pub resume: bool,
    /// The file that these come from.
    #[serde(skip)]
    pub config: Option<PathBuf>,
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

impl MatchSettings {
    /// Whether the result is in files, whoever reads standard output.
    pub fn has_output_files(&self) -> bool {
        self.pgnout.is_some() || self.epdout.is_some() || self.report.is_some()
    }
}

/// An engine, or what holds for each of them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct EngineSettings {
    /// The engine of this name in the list of engines.
    pub conf: Option<String>,
    pub name: Option<String>,
    pub cmd: Option<PathBuf>,
    pub dir: Option<PathBuf>,
    pub arg: Vec<String>,
    /// Arguments in one text, as a shell takes it apart; behind the others.
    pub args: Option<String>,
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

impl EngineSettings {
    /// These settings, and where they say nothing, those of another. Limits hold together,
    /// and so do arguments.
    pub fn over(&self, base: &EngineSettings) -> EngineSettings {
        let mut merged = self.clone();
        merged.name = merged.name.or_else(|| base.name.clone());
        merged.cmd = merged.cmd.or_else(|| base.cmd.clone());
        merged.dir = merged.dir.or_else(|| base.dir.clone());
        merged.timemargin = merged.timemargin.or(base.timemargin);
        merged.ponder = merged.ponder.or(base.ponder);
        merged.restart = merged.restart.or_else(|| base.restart.clone());
        if self.arg.is_empty() && self.args.is_none() {
            (merged.arg, merged.args) = (base.arg.clone(), base.args.clone());
        }
        if !self.has_limit() {
            (merged.tc, merged.st) = (base.tc.clone(), base.st);
            (merged.nodes, merged.depth) = (base.nodes, base.depth);
        }
        for (name, value) in &base.env {
            merged.env.entry(name.clone()).or_insert_with(|| value.clone());
        }
        // Case does not tell options apart.
        let is_set = |name: &String| self.option.keys().any(|own| own.eq_ignore_ascii_case(name));
        let more = base.option.iter().filter(|(name, _)| !is_set(name));
        merged.option.extend(more.map(|(name, value)| (name.clone(), value.clone())));
        merged
    }

    fn has_limit(&self) -> bool {
        self.tc.is_some() || self.st.is_some() || self.nodes.is_some() || self.depth.is_some()
    }
}

/// Where the talk with the engines is written down.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LogSettings {
    pub file: Option<PathBuf>,
    /// `trace`, `debug`, `info`, `warn` or `err`.
    pub level: Option<String>,
    /// Keep what stands in the file, which is the default.
    pub append: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct OpeningSettings {
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
pub(super) struct PgnOutSettings {
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

/// `epdout = "ends.epd"`, or a table, as on the command line.
fn epd_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        file: PathBuf,
    }
    match toml::Value::deserialize(from)? {
        toml::Value::String(file) => Ok(Some(file.into())),
        table => Table::deserialize(table).map(|table| Some(table.file)).map_err(D::Error::custom),
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SprtSettings {
    pub elo0: f64,
    pub elo1: f64,
    #[serde(default = "five_per_cent")]
    pub alpha: f64,
    #[serde(default = "five_per_cent")]
    pub beta: f64,
    /// `logistic` or `normalized`.
    pub model: Option<String>,
}

pub(super) const fn five_per_cent() -> f64 {
    0.05
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DrawSettings {
    #[serde(default)]
    pub movenumber: u32,
    pub movecount: u32,
    pub score: i32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResignSettings {
    pub movecount: u32,
    pub score: i32,
    #[serde(default)]
    pub twosided: bool,
}

/// Reads a TOML file, or says in one line what is wrong and where.
pub(super) fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T> {
    from_toml(&read_plain_text(path)?).at_path(path)
}

/// Where the list is: in the folder in which the match is started, or else among the
/// user's settings.
const FILE: &str = "engines.toml";

pub(super) struct EngineList {
    path: PathBuf,
    engines: Vec<EngineSettings>,
}

/// The list as it is written down: the engines of a file of settings, and nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    engine: Vec<EngineSettings>,
}

impl EngineList {
    pub fn path() -> PathBuf {
        let own = dirs::config_dir().map(|folder| folder.join("qirkat").join(FILE));
        let here = PathBuf::from(FILE);
        own.filter(|own| !here.exists() && own.exists()).unwrap_or(here)
    }

    pub fn read() -> Result<EngineList> {
        let path = EngineList::path();
        let Listed { engine: engines } = read_toml(&path)?;
        let list = EngineList { path, engines };
        for (number, engine) in (1..).zip(&list.engines) {
            let path = list.path.display();
            let Some(name) = &engine.name else { bail!("{path}: engine {number} needs a name") };
            if engine.conf.is_some() {
                bail!("{path}: engine {name}: conf is for engines of a match");
            }
            if list.engines[..number - 1].iter().any(|other| other.name == engine.name) {
                bail!("{path}: two engines are called `{name}`");
            }
        }
        Ok(list)
    }

    pub fn find(&self, name: &str) -> Result<&EngineSettings> {
        let found = self.engines.iter().find(|engine| engine.name.as_deref() == Some(name));
        found.map_or_else(
            || {
                let names = self.engines.iter().filter_map(|engine| engine.name.as_deref());
                let names = names.collect::<Vec<_>>().join(", ");
                bail!("no engine `{name}` in {} (it lists: {names})", self.path.display())
            },
            Ok,
        )
    }
}
