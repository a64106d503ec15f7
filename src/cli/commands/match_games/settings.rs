//! The settings of a match, from the command line or a file, and the list of engines for `conf=`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, anyhow, bail};
use serde::de::value::{Error, MapAccessDeserializer, SeqDeserializer};
use serde::de::{DeserializeSeed, Error as _, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};
use toml::Value;

use crate::shared::files::{AtPath, MAX_TEXT, from_toml, plain_words, read_plain_text};
use qirkat_arena::statistics::Sprt;
use qirkat_arena::{DrawRule, OpeningPolicy, Protocol, PvCheck, ResignRule, TournamentKind};
use qirkat_rules::pgn::Notation;
use qirkat_rules::variant::Variant;

/// A match as described by a TOML file or the command line. Names are those of cutechess-cli.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct MatchSettings {
    pub engine: Vec<EngineSettings>,
    pub each: EngineSettings,
    pub games: Option<usize>,
    pub rounds: Option<usize>,
    pub concurrency: Option<usize>,
    pub tournament: Option<TournamentKind>,
    pub seeds: Option<usize>,
    /// Play each opening with both colours, which is the default.
    pub repeat: bool,
    /// The first player of a pairing always has White.
    pub noswap: bool,
    pub reverse: bool,
    /// Milliseconds between two games.
    pub wait: Option<u64>,
    pub variant: Variant,
    pub openings: Option<OpeningSettings>,
    #[serde(deserialize_with = "pgn_out")]
    pub pgnout: Option<PgnOutSettings>,
    #[serde(deserialize_with = "output_path")]
    pub epdout: Option<PathBuf>,
    /// Write games in progress to a file beside that of `pgnout`.
    pub live: bool,
    pub sprt: Option<Sprt>,
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
    pub maxmoves: Option<u32>,
    /// Endgame tables for adjudication: a folder, or `<embedded>`.
    pub tb: Option<String>,
    pub ratinginterval: Option<usize>,
    pub scoreinterval: Option<usize>,
    pub outcomeinterval: Option<usize>,
    pub crosstable: bool,
    pub srand: Option<u64>,
    pub event: Option<String>,
    pub site: Option<String>,
    pub resume: bool,
    #[serde(skip)]
    pub config: Option<PathBuf>,
    pub overwrite: bool,
    #[serde(deserialize_with = "output_path")]
    pub report: Option<PathBuf>,
    pub force: bool,
    pub pvcheck: PvCheck,
    /// Bind engines to these cores; to all if empty.
    #[serde(rename = "use-affinity")]
    pub use_affinity: Option<String>,
    pub log: Option<LogSettings>,
    /// Show all communication with the engines.
    pub debug: bool,
    /// Play a part only: `1/4` to `4/4`.
    pub shard: Option<String>,
}

impl MatchSettings {
    /// Settings from a table in which the command line overrides a file.
    pub fn from_words(table: toml::Table) -> Result<MatchSettings> {
        let entries = MapAccessDeserializer::new(Entries::new(table, "-"));
        MatchSettings::deserialize(entries)
            .map_err(|error| anyhow!(plain_words(&error.to_string())))
    }

    /// Whether the result goes to files, so that a closed standard output does not matter.
    pub fn has_output_files(&self) -> bool {
        self.pgnout.is_some() || self.epdout.is_some() || self.report.is_some()
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct EngineSettings {
    /// The name of an engine in the list of engines.
    pub conf: Option<String>,
    pub name: Option<String>,
    pub cmd: Option<PathBuf>,
    pub proto: Option<Protocol>,
    pub dir: Option<PathBuf>,
    pub arg: Vec<String>,
    /// Arguments in one string, split as by a shell; after the others.
    pub args: Option<String>,
    pub env: BTreeMap<String, String>,
    /// Options of the engine; numbers and switches may be strings.
    pub option: BTreeMap<String, Value>,
    /// `moves/base+increment`
    pub tc: Option<String>,
    /// Seconds for each move.
    pub st: Option<f64>,
    pub nodes: Option<u64>,
    pub depth: Option<u16>,
    /// Milliseconds.
    pub timemargin: Option<u64>,
    pub ponder: Option<bool>,
    /// `on`: restart for each game.
    pub restart: Option<String>,
}

impl EngineSettings {
    /// These settings, completed by those of `base`. Limits are inherited only as a whole, and so
    /// are arguments.
    pub fn over(&self, base: &EngineSettings) -> EngineSettings {
        let mut merged = self.clone();
        merged.name = merged.name.or_else(|| base.name.clone());
        merged.cmd = merged.cmd.or_else(|| base.cmd.clone());
        merged.proto = merged.proto.or(base.proto);
        merged.dir = merged.dir.or_else(|| base.dir.clone());
        merged.timemargin = merged.timemargin.or(base.timemargin);
        merged.ponder = merged.ponder.or(base.ponder);
        merged.restart = merged.restart.or_else(|| base.restart.clone());
        if self.arg.is_empty() && self.args.is_none() {
            (merged.arg, merged.args) = (base.arg.clone(), base.args.clone());
        }
        let has_limit =
            self.tc.is_some() || self.st.is_some() || self.nodes.is_some() || self.depth.is_some();
        if !has_limit {
            (merged.tc, merged.st) = (base.tc.clone(), base.st);
            (merged.nodes, merged.depth) = (base.nodes, base.depth);
        }
        for (name, value) in &base.env {
            merged.env.entry(name.clone()).or_insert_with(|| value.clone());
        }
        // Option names are case-insensitive.
        let is_set = |name: &String| self.option.keys().any(|own| own.eq_ignore_ascii_case(name));
        let more = base.option.iter().filter(|(name, _)| !is_set(name));
        merged.option.extend(more.map(|(name, value)| (name.clone(), value.clone())));
        merged
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LogSettings {
    pub file: Option<PathBuf>,
    /// `trace`, `debug`, `info`, `warn` or `err`.
    pub level: Option<String>,
    /// True by default.
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
    pub policy: OpeningPolicy,
    pub plies: Option<usize>,
    /// The first opening used, from 1.
    pub start: Option<usize>,
    /// The largest score of a random opening, in centipawns.
    pub balance: Option<i32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PgnOutSettings {
    pub file: PathBuf,
    pub notation: Notation,
    /// Which values are written besides score, depth and time.
    pub nodes: bool,
    pub seldepth: bool,
    pub nps: bool,
    pub hashfull: bool,
    pub pv: bool,
}

/// `pgnout = "games.pgn"`, or a table with all options.
fn pgn_out<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PgnOutSettings>, D::Error> {
    match Value::deserialize(from)? {
        Value::String(file) => {
            Ok(Some(PgnOutSettings { file: file.into(), ..PgnOutSettings::default() }))
        }
        table => PgnOutSettings::deserialize(Setting(table)).map(Some).map_err(D::Error::custom),
    }
}

/// `epdout = "ends.epd"`, or a table, as on the command line; no output without a file.
fn output_path<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        file: Option<PathBuf>,
    }
    match Value::deserialize(from)? {
        Value::String(file) => Ok(Some(file.into())),
        table => Table::deserialize(table).map(|table| table.file).map_err(D::Error::custom),
    }
}

/// A value of the settings; a string may stand for a number or a switch.
struct Setting(Value);

impl Setting {
    /// A string parsed as `T`, or the value itself if it is not a string.
    fn parsed<'de, T: FromStr<Err: Display>, V: Visitor<'de>>(
        self,
        visitor: V,
        visit: fn(V, T) -> Result<V::Value, Error>,
    ) -> Result<V::Value, Error> {
        match self.0.as_str() {
            Some(text) => visit(visitor, parse(text).map_err(Error::custom)?),
            None => self.deserialize_any(visitor),
        }
    }
}

macro_rules! parsed_from_text {
    ($($deserialize:ident $visit:ident),*) => {
        $(fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.parsed(visitor, V::$visit)
        })*
    };
}

impl<'de> Deserializer<'de> for Setting {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Table(table) => visitor.visit_map(Entries::new(table, "")),
            Value::Array(list) => {
                visitor.visit_seq(SeqDeserializer::new(list.into_iter().map(Setting)))
            }
            other => other.deserialize_any(visitor).map_err(Error::custom),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_enum(name, variants, visitor).map_err(Error::custom)
    }

    parsed_from_text! {
        deserialize_bool visit_bool, deserialize_u16 visit_u16, deserialize_u32 visit_u32,
        deserialize_u64 visit_u64, deserialize_i32 visit_i32, deserialize_f64 visit_f64
    }

    forward_to_deserialize_any! {
        i8 i16 i64 i128 u8 u128 f32 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Setting {
    type Deserializer = Setting;

    fn into_deserializer(self) -> Setting {
        self
    }
}

/// The entries of a table; adds the name to error messages.
struct Entries {
    dash: &'static str,
    rest: toml::map::IntoIter<String, Value>,
    next: Option<(String, Value)>,
}

impl Entries {
    fn new(table: toml::Table, dash: &'static str) -> Entries {
        Entries { dash, rest: table.into_iter(), next: None }
    }
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        self.next = self.rest.next();
        let key = self.next.as_ref().map(|(key, _)| key.as_str().into_deserializer());
        key.map(|key| seed.deserialize(key)).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (key, value) = self.next.take().ok_or_else(|| Error::custom("no value"))?;
        seed.deserialize(Setting(value)).map_err(|error| {
            // The errors of `toml` end in a line break.
            Error::custom(format!("{}{key}: {}", self.dash, error.to_string().trim_end()))
        })
    }
}

pub(super) fn parse<T: FromStr<Err: Display>>(text: &str) -> Result<T> {
    text.parse().map_err(|error: T::Err| {
        let needs = match error.to_string().as_str() {
            "invalid digit found in string" if text.parse::<i128>().is_ok() => {
                "a whole number of 0 or more"
            }
            "invalid digit found in string" => "a whole number",
            "number too large to fit in target type" => "a smaller number",
            "number too small to fit in target type" => "a larger number",
            "invalid float literal" => "a number",
            "provided string was not `true` or `false`" => "true or false",
            fault => return anyhow!("`{text}`: {fault}"),
        };
        anyhow!("needs {needs}, not `{text}`")
    })
}

/// The engine list, in the working directory or else the user's configuration folder.
const FILE: &str = "engines.toml";

/// The engines of a settings file and nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EngineList {
    #[serde(skip)]
    path: PathBuf,
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
        let list: EngineList = from_toml(&read_plain_text(&path, MAX_TEXT)?).at_path(&path)?;
        let list = EngineList { path, ..list };
        for (number, engine) in (1..).zip(&list.engine) {
            let path = list.path.display();
            let Some(name) = &engine.name else { bail!("{path}: engine {number} needs a name") };
            if engine.conf.is_some() {
                bail!("{path}: engine {name}: conf is for engines of a match");
            }
            if list.engine[..number - 1].iter().any(|other| other.name == engine.name) {
                bail!("{path}: two engines are called `{name}`");
            }
        }
        Ok(list)
    }

    pub fn find(&self, name: &str) -> Result<&EngineSettings> {
        let found = self.engine.iter().find(|engine| engine.name.as_deref() == Some(name));
        found.with_context(|| {
            let names = self.engine.iter().filter_map(|engine| engine.name.as_deref());
            let names = names.collect::<Vec<_>>().join(", ");
            format!("no engine `{name}` in {} (it lists: {names})", self.path.display())
        })
    }
}
